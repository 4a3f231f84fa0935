import { openApiSources } from '@docent/format/docs-json/settings/schema-parts.ts';
import type { OpenApiSource } from '@docent/format/docs-json/site-config.ts';
import { isOutside } from '../outside/outside.ts';
import type { SourceTree } from '../source/source-tree.ts';

export const DESCRIPTION_FILE = /\.(?:json|ya?ml)$/i;
/** A file's top level says what it is; alphabetical keys can put that far from its beginning. */
const JSON_MARK = /"(openapi|swagger|asyncapi)"\s{0,20}:\s{0,20}"[1-9]/;
const YAML_MARK = /^["']?(openapi|swagger|asyncapi)["']?[ \t]{0,20}:[ \t]{0,20}["']?[1-9]/m;

/** A source file that declares itself an API description. */
export interface DescriptionFile {
  path: string;
  kind: 'openapi' | 'asyncapi';
}

/**
 * Returns every API description of a source, in path order. Files are searched for the key that
 * descriptions begin with, and not parsed.
 */
export function findDescriptionFiles(
  source: SourceTree,
  isIgnored: (path: string) => boolean,
): DescriptionFile[] {
  const descriptionFiles: DescriptionFile[] = [];
  for (const path of source.paths()) {
    if (!DESCRIPTION_FILE.test(path) || /(?:^|\/)\./.test(path) || isIgnored(path)) continue;
    const text = source.readText(path) ?? '';
    const mark = JSON_MARK.exec(text)?.[1] ?? YAML_MARK.exec(text)?.[1];
    if (mark !== undefined)
      descriptionFiles.push({ path, kind: mark === 'asyncapi' ? 'asyncapi' : 'openapi' });
  }
  return descriptionFiles;
}

/**
 * Normalizes a description's name as authors write it: removes the prefix for the root of the
 * source.
 */
export function plainName(name: string): string {
  const text = name.trim();
  return isOutside(text) ? text : text.replace(/^(?:\.{0,2}\/)+|(?<!\/)\/+$/g, '');
}

/**
 * Returns the files that a name matches: the end of a path with or without its extension, or a
 * folder.
 */
export function filesNamed(files: readonly DescriptionFile[], name: string): string[] {
  const requestedPath = plainName(name).toLowerCase();
  const stem = requestedPath.replace(DESCRIPTION_FILE, '');
  const among = (matches: (path: string) => boolean) =>
    files.filter(({ path }) => matches(path.toLowerCase())).map(({ path }) => path);
  const isAt = (path: string, end: string) => path === end || path.endsWith(`/${end}`);
  const ranks = [
    among((path) => isAt(path, requestedPath)),
    among((path) => isAt(path.replace(DESCRIPTION_FILE, ''), stem)),
    among((path) => path.startsWith(`${requestedPath}/`) || path.includes(`/${requestedPath}/`)),
  ];
  return ranks.find((rank) => rank.length > 0) ?? [];
}

/** Returns the URLs of descriptions in a navigation, in its order. */
export function addressesNamed(navigation: unknown): string[] {
  return [...new Set(sourcesNamed(navigation).map(({ source }) => source.trim()))].filter(
    isOutside,
  );
}

const KINDS: readonly string[] = ['openapi', 'asyncapi'];

/** Every `openapi` and `asyncapi` of a navigation, in its order. */
export function sourcesNamed(navigation: unknown): OpenApiSource[] {
  if (typeof navigation !== 'object' || navigation === null) return [];
  return Object.entries(navigation).flatMap(([key, value]) => {
    const read = KINDS.includes(key) ? openApiSources.safeParse(value) : undefined;
    return read?.success ? read.data : sourcesNamed(value);
  });
}
