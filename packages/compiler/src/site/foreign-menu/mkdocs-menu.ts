import { joinPath } from '@docent/format/links.ts';
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

const FILES = ['mkdocs.yml', 'mkdocs.yaml', 'docs/mkdocs.yml'];

/** The `nav` of mkdocs.yml; without one, the menu follows the folders. */
export function mkdocsMenu(source: SourceTree): ForeignMenu | undefined {
  const file = FILES.find((name) => source.has(name));
  const settings = file === undefined ? undefined : readRecord(source, file);
  if (file === undefined || settings === undefined) return undefined;
  const folder = joinPath('', `${file}/../${asText(settings.docs_dir) ?? 'docs'}`);
  const theme = asRecord(settings.theme);
  const features = Array.isArray(theme?.features) ? theme.features : [];
  return {
    file,
    name: asText(settings.site_name),
    roots: Array.isArray(settings.nav)
      ? settings.nav.flatMap((entry) => itemsOf(entry, folder, source))
      : [],
    areTabs: features.includes('navigation.tabs'),
    addresses: addressesOf(settings, folder, source),
  };
}

/** Those of the pages, and those that the plugin for redirects has. */
function addressesOf(settings: Record<string, unknown>, folder: string, source: SourceTree) {
  const plugins = (Array.isArray(settings.plugins) ? settings.plugins : [settings.plugins]).map(
    (plugin) => asRecord(asRecord(plugin)?.redirects)?.redirect_maps,
  );
  return [
    ...pagesIn(source, folder).map(({ path, file }) => [plainAddress(path), file] as const),
    ...plugins.flatMap((map) =>
      Object.entries(asRecord(map) ?? {}).map(
        ([from, to]) => [plainAddress(from), targetIn(folder, asText(to) ?? '', source)] as const,
      ),
    ),
  ];
}

function itemsOf(entry: unknown, folder: string, source: SourceTree): MenuItem[] {
  const path = asText(entry);
  if (path !== undefined) return [{ page: pageFileAt(source, `${folder}/${path}`) }];
  return Object.entries(asRecord(entry) ?? {}).map(([label, value]) =>
    Array.isArray(value)
      ? { label, items: value.flatMap((child) => itemsOf(child, folder, source)) }
      : { label, page: pageFileAt(source, `${folder}/${asText(value) ?? ''}`) },
  );
}
