import { folderOf, joinPath } from '@docent/format/links.ts';
import type { SourceTree } from '../../source/source-tree.ts';
import { pagesIn, plainAddress, targetIn } from './former-addresses.ts';
import {
  asRecord,
  asText,
  type ForeignMenu,
  type MenuItem,
  pageFileAt,
  readRecord,
} from './menu-item.ts';

const ENTRY = /^([ \t]*)[*+-][ \t]+(?:\[([^\]]*)\]\(<?([^()\s>]*)|(\S.*))/;

/** The list in SUMMARY.md: headings are groups, nested entries pages below a page. */
export function gitbookMenu(source: SourceTree): ForeignMenu | undefined {
  const settings = readRecord(source, '.gitbook.yaml');
  const folder = asText(settings?.root);
  const names = [...(folder === undefined ? [] : [folder]), '', 'docs'];
  const file = names.map((name) => joinPath(name, 'SUMMARY.md')).find((name) => source.has(name));
  if (file === undefined) return undefined;
  const roots: MenuItem[] = [];
  let group: MenuItem[] = roots;
  const open: { indent: number; item: MenuItem }[] = [];
  for (const line of (source.readText(file) ?? '').split('\n')) {
    const heading = /^##+[ \t]+(\S.*)$/s.exec(line)?.[1]?.trim();
    if (heading !== undefined) {
      group = [];
      open.length = 0;
      roots.push({ label: heading, items: group });
    }
    const [, space, label, link, text] = ENTRY.exec(line) ?? [];
    if (space === undefined) continue;
    const indent = space.replaceAll('\t', '    ').length;
    const page = link ? pageFileAt(source, joinPath(folderOf(file), link)) : undefined;
    const item = { label: label ?? text?.trim(), page };
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.item;
    if (parent) parent.items = [...(parent.items ?? []), item];
    else group.push(item);
    open.push({ indent, item });
  }
  const pages = pagesIn(source, folderOf(file));
  const addresses = pages.map((page) => [plainAddress(page.path), page.file] as const);
  const redirects = Object.entries(asRecord(settings?.redirects) ?? {}).map(
    ([from, to]) =>
      [plainAddress(from), targetIn(folderOf(file), asText(to) ?? '', source)] as const,
  );
  return { file, roots, areTabs: false, addresses: [...addresses, ...redirects] };
}
