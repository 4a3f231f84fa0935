import { NumberReader, packNumbers } from './index/index-format.ts';
import { folderOf } from './index/search-data.ts';
import type { SearchDocument } from './search-index.ts';

const TARGETS = /\]\(\s*<?([^)\s>]{1,400})|\shref="([^"\s]{1,400})"/g;
/** A page with more links is an index of everything. */
const MAX_LINKS = 2000;

/** The links between pages: for each page the numbers of its targets, ascending and unique. */
export function packLinks(pages: readonly (readonly SearchDocument[])[]): Uint8Array {
  const numbers = new Map<string, number>();
  pages.forEach(([first], page) => {
    const { path, href } = first as SearchDocument;
    numbers.set(path, page);
    numbers.set(withoutSlashes(href), page);
  });
  const packed: number[] = [];
  pages.forEach((sections, page) => {
    const linked = linkedPages(sections, numbers);
    linked.delete(page);
    packed.push(linked.size);
    let next = 0;
    for (const target of [...linked].sort((a, b) => a - b)) {
      packed.push(target - next);
      next = target + 1;
    }
  });
  return packNumbers(packed);
}

/** Reads the output of `packLinks`. Bytes of an older index give no links. */
export function unpackLinks(bytes: Uint8Array, pageCount: number): number[][] {
  const reader = new NumberReader(bytes);
  return Array.from({ length: pageCount }, () => {
    const count = Math.min(reader.done ? 0 : reader.next(), MAX_LINKS);
    let next = 0;
    return Array.from({ length: count }, () => {
      const target = next + reader.next();
      next = target + 1;
      return target;
    });
  });
}

function linkedPages(sections: readonly SearchDocument[], numbers: ReadonlyMap<string, number>): Set<number> {
  const linked = new Set<number>();
  for (const { path, markdown } of sections) {
    for (const [, inMarkdown, inTag] of markdown.matchAll(TARGETS)) {
      const page = numbers.get(targetPath((inMarkdown ?? inTag) as string, path) ?? '#');
      if (page !== undefined) linked.add(page);
      if (linked.size >= MAX_LINKS) return linked;
    }
  }
  return linked;
}

/** Returns the path of the target of a link in a page; undefined for links to other sites or within the page. */
function targetPath(target: string, from: string): string | undefined {
  const bare = target.replace(/[#?][\s\S]*/, '').replace(/\.mdx?$/, '');
  if (bare === '' || bare.startsWith('//') || /^[a-z][a-z0-9+.-]*:/i.test(bare)) return undefined;
  if (bare.startsWith('/')) return withoutSlashes(bare);
  const names = folderOf(from).split('/').filter(Boolean);
  for (const name of bare.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

function withoutSlashes(path: string): string {
  return path.replace(/^\//, '').replace(/\/$/, '');
}
