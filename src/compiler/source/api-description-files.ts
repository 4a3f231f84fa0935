import { isOutside } from '../outside/outside.ts';
import type { SourceTree } from './source-tree.ts';

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
 * Returns every API description of a source, in path order. Files are searched for the key that descriptions begin with, and not
 * parsed.
 */
export function findDescriptionFiles(source: SourceTree, isIgnored: (path: string) => boolean): DescriptionFile[] {
  const found: DescriptionFile[] = [];
  for (const path of source.paths()) {
    if (!DESCRIPTION_FILE.test(path) || /(?:^|\/)\./.test(path) || isIgnored(path)) continue;
    const text = source.readText(path) ?? '';
    const mark = JSON_MARK.exec(text)?.[1] ?? YAML_MARK.exec(text)?.[1];
    if (mark !== undefined) found.push({ path, kind: mark === 'asyncapi' ? 'asyncapi' : 'openapi' });
  }
  return found;
}

/** Normalizes a description's name as authors write it: removes the prefix for the root of the source. */
export function plainName(name: string): string {
  const text = name.trim();
  return isOutside(text) ? text : text.replace(/^(?:\.{0,2}\/)+|\/+$/g, '');
}

/** Returns the files that a name matches: the end of a path with or without its extension, or a folder. */
export function filesNamed(files: readonly DescriptionFile[], name: string): string[] {
  const wanted = plainName(name).toLowerCase();
  const stem = wanted.replace(DESCRIPTION_FILE, '');
  const among = (matches: (path: string) => boolean) =>
    files.filter(({ path }) => matches(path.toLowerCase())).map(({ path }) => path);
  const isAt = (path: string, end: string) => path === end || path.endsWith(`/${end}`);
  const ranks = [
    among((path) => isAt(path, wanted)),
    among((path) => isAt(path.replace(DESCRIPTION_FILE, ''), stem)),
    among((path) => path.startsWith(`${wanted}/`) || path.includes(`/${wanted}/`)),
  ];
  return ranks.find((rank) => rank.length > 0) ?? [];
}

/** Returns the URLs of descriptions in a navigation, in its order. */
export function addressesNamed(navigation: unknown): string[] {
  const found = new Set<string>();
  const open: { value: unknown; isDescription: boolean }[] = [{ value: navigation, isDescription: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, isDescription } = next;
    if (isDescription && typeof value === 'string' && isOutside(value.trim())) found.add(value.trim());
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.entries(value).flatMap(([key, one]) =>
      // Overlays change a description but are not descriptions.
      isDescription && key === 'overlays'
        ? []
        : [{ value: one as unknown, isDescription: isDescription || key === 'openapi' || key === 'asyncapi' }],
    );
    open.push(...inner.reverse());
  }
  return [...found];
}
