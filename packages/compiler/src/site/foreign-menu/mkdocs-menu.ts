import { joinPath } from '@docent/format/links.ts';
import { parseYaml } from '@docent/format/yaml-document.ts';
import type { SourceTree } from '../../source/source-tree.ts';
import { asRecord, asText, type ForeignMenu, type MenuItem, pageFileAt } from './menu-item.ts';

const FILES = ['mkdocs.yml', 'mkdocs.yaml', 'docs/mkdocs.yml'];

/** The `nav` of mkdocs.yml. */
export function mkdocsMenu(source: SourceTree): ForeignMenu | undefined {
  const file = FILES.find((name) => source.has(name));
  const settings = file === undefined ? undefined : readSettings(source.readText(file) ?? '');
  if (file === undefined || !Array.isArray(settings?.nav)) return undefined;
  const folder = joinPath('', `${file}/../${asText(settings.docs_dir) ?? 'docs'}`);
  const theme = asRecord(settings.theme);
  const features = Array.isArray(theme?.features) ? theme.features : [];
  return {
    file,
    name: asText(settings.site_name),
    roots: settings.nav.flatMap((entry) => itemsOf(entry, folder, source)),
    areTabs: features.includes('navigation.tabs'),
  };
}

/** Tags such as `!ENV`, which only MkDocs knows, are no fault. */
function readSettings(text: string): Record<string, unknown> | undefined {
  try {
    return asRecord(
      parseYaml(text.replace(/!(?:!python\/\S+|ENV\b)/g, ''), { maxAliases: 100 }).value,
    );
  } catch {
    return undefined;
  }
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
