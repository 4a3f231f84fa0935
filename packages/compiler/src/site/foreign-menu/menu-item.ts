import { joinPath } from '@docent/format/links.ts';
import { parseYaml } from '@docent/format/yaml-document.ts';
import type { SourceTree } from '../../source/source-tree.ts';

/** A line of a menu, in the form that all platforms have in common. */
export interface MenuItem {
  label?: string | undefined;
  /** File of the page; undefined for a heading, an external link, or a page that is missing. */
  page?: string | undefined;
  items?: MenuItem[] | undefined;
  /** What the other platform shows a list of the items at. */
  address?: string | undefined;
}

export interface ForeignMenu {
  file: string;
  /** Name of the site. */
  name?: string | undefined;
  /** Empty if the menu follows the folders. */
  roots: MenuItem[];
  /** Whether the roots are menus of their own. */
  areTabs: boolean;
  /** Site paths, each with the file of the page that was there, or with where it led to. */
  addresses: (readonly [address: string, target: string])[];
}

/**
 * Returns the file of the page at a path: with or without its ending, or the first page of that
 * folder.
 */
export function pageFileAt(source: SourceTree, path: string): string | undefined {
  const clean = joinPath('', path.replace(/[?#][\s\S]*/, '').replace(/\.(?:html|mdx?)$/, ''));
  const names = clean === '' ? ['index', 'README'] : [clean, `${clean}/index`, `${clean}/README`];
  return names.flatMap((name) => [`${name}.md`, `${name}.mdx`]).find((file) => source.has(file));
}

/** A value of a file that people wrote, as an object. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The mapping in a file of YAML or JSON; undefined if it is not there or has a fault. */
export function readRecord(source: SourceTree, file: string): Record<string, unknown> | undefined {
  try {
    // Tags such as `!ENV`, which only MkDocs knows, are no fault.
    const text = (source.readText(file) ?? '').replace(/!(?:!python\/\S+|ENV\b)/g, '');
    return asRecord(parseYaml(text, { maxAliases: 100 }).value);
  } catch {
    return undefined;
  }
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
