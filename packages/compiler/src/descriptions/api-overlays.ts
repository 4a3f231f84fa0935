import { resolveFile } from '@docent/format/api-reference/join-files.ts';
import { parseTree } from '@docent/format/api-reference/parse-tree.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { listAt, textAt } from '@docent/format/json-value.ts';
import { isOutside } from '../outside/outside.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { DESCRIPTION_FILE, plainName, sourcesNamed } from './named-descriptions.ts';
import type { ApiOverlays, OverlayName } from './overlaid-source.ts';

const MARK = /["']?overlay["']?[ \t]{0,20}:[ \t]{0,20}["']?1/;

/**
 * Returns the overlays of each description: those that `docs.json` names, else every file that
 * extends it, in path order.
 */
export function findApiOverlays(
  source: SourceTree,
  config: Pick<SiteConfig, 'api' | 'navigation'>,
  isIgnored: (path: string) => boolean,
): { overlays: ApiOverlays; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const overlays = new Map<string, readonly OverlayName[]>();
  const sources = [
    ...config.api.openapi,
    ...config.api.asyncapi,
    ...sourcesNamed(config.navigation),
  ];
  for (const { source: name, overlays: named } of sources) {
    if (named === undefined) continue;
    for (const file of filesOf(source, name)) {
      const list = named.map((overlayFile) => ({ file: overlayFile, isNamed: true }));
      const existingOverlays = overlays.get(file);
      if (existingOverlays && JSON.stringify(existingOverlays) !== JSON.stringify(list))
        diagnostics.push(conflict(file));
      const isNew = ({ file: overlayFile }: OverlayName) =>
        !existingOverlays?.some((other) => other.file === overlayFile);
      overlays.set(file, [...(existingOverlays ?? []), ...list.filter(isNew)]);
    }
  }
  for (const [description, files] of extensions(source, isIgnored))
    if (!overlays.has(description)) overlays.set(description, files);
  return { overlays, diagnostics };
}

/** The files that describe and change an API with overlays; they are not published unchanged. */
export function filesWithOverlays(overlays: ApiOverlays): Set<string> {
  return new Set(
    [...overlays].flatMap(([file, names]) =>
      names.length > 0 ? [file, ...names.map((name) => name.file)] : [],
    ),
  );
}

/** Description → the files that extend it. */
function extensions(
  source: SourceTree,
  isIgnored: (path: string) => boolean,
): Map<string, OverlayName[]> {
  const overlaysByDescription = new Map<string, OverlayName[]>();
  for (const file of source.paths()) {
    if (!DESCRIPTION_FILE.test(file) || /(?:^|\/)\./.test(file) || isIgnored(file)) continue;
    const description = extended(source.readText(file) ?? '', file);
    if (description === undefined || !(isOutside(description) || source.has(description))) continue;
    overlaysByDescription.set(description, [
      ...(overlaysByDescription.get(description) ?? []),
      { file, isNamed: false },
    ]);
  }
  return overlaysByDescription;
}

/** The description that an overlay file extends; undefined for another file. */
function extended(text: string, file: string): string | undefined {
  if (!MARK.test(text) || !text.includes('extends')) return undefined;
  try {
    const tree = parseTree(text, file, []);
    const name = textAt(tree, 'extends')?.trim();
    if (
      name === undefined ||
      !textAt(tree, 'overlay')?.startsWith('1') ||
      listAt(tree, 'actions').length === 0
    )
      return undefined;
    return resolveFile(name, file);
  } catch {
    return undefined;
  }
}

/** The files that a name refers to: one, with or without its extension, or those of a folder. */
function filesOf(source: SourceTree, name: string): string[] {
  const plain = plainName(name);
  if (isOutside(plain)) return [plain];
  const exact = ['', '.json', '.yaml', '.yml']
    .map((ending) => plain + ending)
    .find((path) => source.has(path));
  if (exact !== undefined) return [exact];
  return source
    .paths()
    .filter((path) => path.startsWith(`${plain}/`) && DESCRIPTION_FILE.test(path));
}

function conflict(file: string): Diagnostic {
  return {
    severity: 'error',
    code: 'overlay-conflict',
    message: `docs.json lists different overlays for ${file}; all of them are applied.`,
    remedy:
      'Write the same "overlays" wherever the file is named, or list them once, in "api.openapi".',
    file: 'docs.json',
  };
}
