import { detached } from '@docent/format/bytes.ts';
import type { SearchDocument } from '../search-index.ts';
import { NumberReader, packNumbers } from './index-format.ts';
import { folderOf } from './search-data.ts';

const TARGETS = /\]\(\s*<?([^)\s>]{1,400})|\shref="([^"\s]{1,400})"/g;
/** A page with more links is an index of everything. */
const MAX_LINKS = 2000;

/** Collects the links between the pages of an index while it is built. */
export class PageLinkBuilder {
  readonly #pages = new Map<string, number>();
  /** Targets of links, which may be pages that are added later; each text once. */
  readonly #targets = new Map<string, number>();
  /** For each page the numbers of its targets, in reading order. */
  readonly #links: number[][] = [];

  /** Adds the next page. @param links as `linkTargets` returns them */
  addPage({ path, href }: Pick<SearchDocument, 'path' | 'href'>, links: readonly string[]): void {
    this.#pages.set(path, this.#links.length);
    this.#pages.set(withoutSlashes(href), this.#links.length);
    this.#links.push(links.map((target) => this.#targets.get(target) ?? this.#addTarget(target)));
  }

  #addTarget(target: string): number {
    const number = this.#targets.size;
    this.#targets.set(detached(target), number);
    return number;
  }

  /**
   * Returns for each page the numbers of the pages that it links to, ascending and unique, packed.
   */
  toBytes(): Uint8Array {
    const pageOf = [...this.#targets.keys()].map((target) => this.#pages.get(target));
    return packLinks(
      this.#links.map((targets, page) => {
        const linked = linkedPages(targets, pageOf);
        linked.delete(page);
        return [...linked].sort((a, b) => a - b);
      }),
    );
  }
}

/** Packs for each page the numbers of the pages that it links to, ascending and unique. */
export function packLinks(links: readonly (readonly number[])[]): Uint8Array {
  return packNumbers(
    links.flatMap((sorted) => [
      sorted.length,
      ...sorted.map(
        (target, index) => target - (index === 0 ? 0 : (sorted[index - 1] as number) + 1),
      ),
    ]),
  );
}

/** Reads the output of `PageLinkBuilder`. Bytes of an older index give no links. */
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

function linkedPages(
  targets: readonly number[],
  pageOf: readonly (number | undefined)[],
): Set<number> {
  const linked = new Set<number>();
  for (const target of targets) {
    const page = pageOf[target];
    if (page !== undefined) linked.add(page);
    if (linked.size >= MAX_LINKS) break;
  }
  return linked;
}

/** Returns the paths that the sections of a page link to, each once, in reading order. */
export function linkTargets(
  path: string,
  sections: readonly Pick<SearchDocument, 'markdown'>[],
): string[] {
  const targets = new Set<string>();
  for (const { markdown } of sections) {
    for (const [, inMarkdown, inTag] of markdown.matchAll(TARGETS)) {
      const target = targetPath((inMarkdown ?? inTag) as string, path);
      if (target !== undefined) targets.add(target);
    }
  }
  return [...targets];
}

/**
 * Returns the path of the target of a link in a page; undefined for links to other sites or within
 * the page.
 */
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
