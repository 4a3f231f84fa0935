import { literalsAfter } from '@docent/format/content/expressions/literals.ts';
import { joinPath } from '@docent/format/links.ts';
import type { SourceTree } from '../../source/source-tree.ts';
import { titleFromPath } from '../page-paths.ts';
import { pagesIn, plainAddress } from './former-addresses.ts';
import { asRecord, asText, type ForeignMenu, type MenuItem, pageFileAt } from './menu-item.ts';

const CONFIG = /^(.*\/)?\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;

/**
 * The folder that a site of VitePress has its pages in, if that is a folder of the source: links
 * start there.
 */
export function vitepressFolder(source: SourceTree): string | undefined {
  const folders = source.paths().flatMap((path) => CONFIG.exec(path)?.[1]?.slice(0, -1) ?? []);
  return configOf(source) === undefined ? folders[0] : undefined;
}

function configOf(source: SourceTree): string | undefined {
  return source.paths().find((path) => path.startsWith('.vitepress/') && CONFIG.test(path));
}

/** Those of its pages, and those that rewrites give to files. */
function addressesOf(text: string, folder: string, source: SourceTree): ForeignMenu['addresses'] {
  const [rewrites] = literalsAfter(text, /\brewrites\s*:\s*(?=\{)/);
  const written = Object.entries(asRecord(rewrites) ?? {}).map(([from, to]) => {
    const file = joinPath(folder, from);
    const target = source.has(file) ? file : plainAddress(file);
    return [plainAddress(asText(to) ?? from), target] as const;
  });
  const pages = pagesIn(source, folder).filter(({ path }) => !path.startsWith('.'));
  return [...written, ...pages.map(({ path, file }) => [plainAddress(path), file] as const)];
}

/** The `sidebar` of `.vitepress/config.ts`; one menu for each path is a tab of its own. */
export function vitepressMenu(source: SourceTree): ForeignMenu | undefined {
  const file = configOf(source);
  if (file === undefined) return undefined;
  const text = source.readText(file) ?? '';
  const [sidebar] = literalsAfter(text, /\bsidebar\s*:\s*/);
  const [srcDir] = literalsAfter(text, /\bsrcDir\s*:\s*/);
  const folder = joinPath('', asText(srcDir) ?? '');
  const read = (items: unknown, base = '') => itemsOf(items, `${folder}/${base}`, source);
  const [name] = literalsAfter(text, /\btitle\s*:\s*/).flatMap((title) => asText(title) ?? []);
  const site = { file, name, addresses: addressesOf(text, folder, source) };
  if (Array.isArray(sidebar)) return { ...site, roots: read(sidebar), areTabs: false };
  const bar = literalsAfter(text, /\bnav\s*:\s*(?=\[)/).flatMap(linksIn);
  const tabs = Object.entries(asRecord(sidebar) ?? {}).map(([path, menu]) => {
    const { items, base } = Array.isArray(menu) ? { items: menu } : (asRecord(menu) ?? {});
    const place = bar.findIndex(({ link }) => `${link}/`.startsWith(path));
    const label = bar[place]?.label ?? (titleFromPath(path.replace(/\/$/, '')) || 'Documentation');
    return { place, root: { label, items: read(items, asText(base)) } };
  });
  // In the order of the bar, which those without a link follow.
  const roots = tabs
    .sort((a, b) => (a.place < 0 ? bar.length : a.place) - (b.place < 0 ? bar.length : b.place))
    .map(({ root }) => root);
  return { ...site, roots, areTabs: true };
}

/** The links of a bar at the top, which name the menus. */
function linksIn(nav: unknown): { link: string; label: string }[] {
  return (Array.isArray(nav) ? nav : []).flatMap((entry) => {
    const { text, link } = asRecord(entry) ?? {};
    const [label, address] = [asText(text), asText(link)];
    return label !== undefined && address !== undefined ? [{ link: address, label }] : [];
  });
}

function itemsOf(items: unknown, base: string, source: SourceTree): MenuItem[] {
  return (Array.isArray(items) ? items : []).flatMap((entry): MenuItem[] => {
    const item = asRecord(entry);
    if (item === undefined) return [];
    const link = asText(item.link);
    const isInside = link !== undefined && !/^[a-z]+:/i.test(link);
    const below = asText(item.base) ?? base;
    return [
      {
        label: asText(item.text),
        page: isInside ? pageFileAt(source, `${below}${link}`) : undefined,
        items: Array.isArray(item.items) ? itemsOf(item.items, below, source) : undefined,
      },
    ];
  });
}
