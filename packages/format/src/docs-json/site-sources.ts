import { isObject, type JsonObject } from '../json-value.ts';
import { withoutSlashes } from '../links.ts';
import type { SettingValues } from './json-schema.ts';
import {
  GIT_FACTS_FILE,
  type GitFacts,
  type Repository,
  readGitFacts,
} from './settings/repository.ts';

/**
 * The file beside docs.json that names the further sources of a composed tree. Whoever composes
 * the tree writes it.
 */
export const SOURCES_FILE = '.docent-sources.json';

export const MAX_SOURCES = 20;

/**
 * A source of a site whose files are in the folder `path`, and served below that path. Without one
 * that `isBase`, everything elsewhere is of the base source.
 */
export interface SiteSource {
  /** Without slashes around it: `api`, `sdks/python`. */
  path: string;
  /** `owner/repository`, as `sourceRef` names it. */
  name: string;
  /** Whether it is the base source, whose pages are below a path, too. */
  isBase?: boolean | undefined;
}

type Paths = readonly Pick<SiteSource, 'path'>[];

/** Sources of a composed tree, as `SOURCES_FILE` has them. */
export interface ComposedSource extends SiteSource {
  /** Files of the base source in this source's folder, which are left out. */
  hides?: readonly string[] | undefined;
}

/** A source as the configuration of a site has it. */
export interface ConfiguredSource extends SiteSource {
  repository?: Repository;
  /** How its API pages look, where it says so itself. */
  api?: SettingValues['api'];
}

const SEGMENT = /^[A-Za-z0-9][\w.~-]{0,99}$/;

/**
 * Reads the URL path of a source: `/api/`, `api`.
 * @returns the path without slashes around it; undefined if it is none, or that of the whole site
 */
export function readSourcePath(text: string): string | undefined {
  const path = withoutSlashes(text.trim());
  return path.length <= 200 && path.split('/').every((part) => SEGMENT.test(part))
    ? path
    : undefined;
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** Returns the first two paths of which one is, or is in, the other. */
export function overlappingPaths(paths: readonly string[]): [string, string] | undefined {
  for (const [index, path] of paths.entries()) {
    const other = paths.slice(0, index).find((name) => isBelow(name, path) || isBelow(path, name));
    if (other !== undefined) return [other, path];
  }
  return undefined;
}

/** Reads `SOURCES_FILE`; ignores what is invalid, because no person writes it. */
export function readComposedSources(text: string | undefined): ComposedSource[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return [];
  }
  const list = isObject(value) && Array.isArray(value.sources) ? value.sources : [];
  const sources = list.filter(isObject).flatMap(({ path, name, isBase, hides }: JsonObject) => {
    const folder = typeof path === 'string' ? readSourcePath(path) : undefined;
    if (folder === undefined || typeof name !== 'string') return [];
    const files = Array.isArray(hides) ? hides.filter((file) => typeof file === 'string') : [];
    return [{ path: folder, name, hides: files, ...(isBase === true && { isBase }) }];
  });
  return sources.length > MAX_SOURCES + 1 || overlappingPaths(sources.map(({ path }) => path))
    ? []
    : sources;
}

/** Returns the text of `SOURCES_FILE`. */
export function writeComposedSources(sources: readonly ComposedSource[]): string {
  return JSON.stringify({ sources });
}

/**
 * Files of a base source that concern the whole site: they stay where they are, although its pages
 * are below a path.
 */
const SITE_FILE =
  /^(?:\.|(?:docs|mint)\.json$|questions\.yaml$|skill\.md$|[^/]+\.(?:txt|xml|html)$)/i;

/** Returns whether a file of a base source concerns the whole site. */
export const isSiteFile = (path: string) => SITE_FILE.test(path);

/** Returns the source that a file or page of the site belongs to; undefined for a base without a path. */
export function sourceOf<Source extends Pick<SiteSource, 'path'>>(
  sources: readonly Source[] | undefined,
  file: string,
): Source | undefined {
  return sources?.find(({ path }) => file.startsWith(`${path}/`));
}

/** Returns the folder of the source of a file: empty for the base. */
export function sourceRoot(sources: Paths | undefined, file: string): string {
  return sourceOf(sources, file)?.path ?? '';
}

/** Returns the path of a file in its source. */
export function pathInSource(sources: Paths | undefined, file: string): string {
  const root = sourceRoot(sources, file);
  return root === '' ? file : file.slice(root.length + 1);
}

/** Returns the path in the site of a path in a source. */
export const inFolder = (folder: string, path: string) =>
  folder === '' ? path : `${folder}/${path}`;

/**
 * Returns the path of a file of the site in the repository of one of its sources.
 * @param sources the further sources of the site
 * @returns undefined if it is a file of another source
 */
export function pathInRepository(
  sources: Paths,
  { path, folder, isBase = false }: { path: string; folder: string; isBase?: boolean },
  file: string,
): string | undefined {
  const root = sourceRoot(sources, file);
  if (root !== path && !(isBase && root === '')) return undefined;
  return inFolder(folder, pathInSource(sources, file));
}

/** Returns how API pages look: the settings of the source of a page come first. */
export function apiSettingsOf(
  config: { sources?: readonly ConfiguredSource[]; api: SettingValues['api'] },
  file: string,
): SettingValues['api'] {
  return sourceOf(config.sources, file)?.api ?? config.api;
}

/**
 * Returns the style sheets or scripts that a page loads: those of the base source, and of its own.
 * @param page path of the page
 */
export function codeForPage(
  files: readonly string[],
  sources: readonly ConfiguredSource[] | undefined,
  page: string,
): readonly string[] {
  if (!sources) return files;
  const source = sourceOf(sources, `${page}/`);
  return files.filter((file) => {
    const owner = sourceOf(sources, file);
    return owner === undefined || owner.isBase === true || owner === source;
  });
}

/** Returns where a file is in a repository; the base source's repository is that of `feedback`. */
export function placeInRepository(
  config: {
    sources?: readonly ConfiguredSource[];
    feedback?: { repository?: Repository | undefined };
  },
  file: string,
): { repository: Repository | undefined; file: string } {
  const source = sourceOf(config.sources, file);
  return source && (source.repository || !source.isBase)
    ? placeInSubmodule(source.repository, pathInSource(config.sources, file))
    : placeInSubmodule(config.feedback?.repository, file);
}

/** What is in a submodule is in the repository of the submodule. */
function placeInSubmodule(repository: Repository | undefined, file: string) {
  for (const [path, submodule] of Object.entries(repository?.submodules ?? {}))
    if (file.startsWith(`${path}/`))
      return { repository: submodule ?? undefined, file: file.slice(path.length + 1) };
  return { repository, file };
}

/** Reads what Git knows of each source of a tree, as one: with paths in the site. */
export function readAllGitFacts(
  tree: { readText(path: string): string | undefined },
  sources: readonly SiteSource[],
): GitFacts {
  const base = readGitFacts(tree.readText(GIT_FACTS_FILE));
  const facts = sources.map(({ path }) => {
    const { day, changed } = readGitFacts(tree.readText(`${path}/${GIT_FACTS_FILE}`));
    return { day, changed: [...changed].map(([file, at]) => [`${path}/${file}`, at] as const) };
  });
  const days = [base.day, ...facts.map(({ day }) => day)].filter((day) => day !== undefined);
  const day = days.sort().at(-1);
  return {
    ...base,
    ...(day !== undefined && { day }),
    changed: new Map([...base.changed, ...facts.flatMap(({ changed }) => changed)]),
  };
}
