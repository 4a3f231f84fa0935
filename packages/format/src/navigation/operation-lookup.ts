import type { OpenApiSource } from '../docs-json/site-config.ts';
import type { ApiPageRef, GeneratedPage } from '../generated-page.ts';
import type { Group, NavigationNode } from './navigation.ts';

interface SourcePages {
  pages: readonly ApiPageRef[];
  /** `GET /users/{id}` as written. */
  exact: Map<string, ApiPageRef>;
  /**
   * The same without parameter names and trailing slashes, for entries with a different spelling.
   */
  loose: Map<string, ApiPageRef>;
}

/** Finds the pages of operations; requests each description once. */
export class OperationLookup {
  readonly #apiPages: (source: OpenApiSource) => readonly ApiPageRef[];
  readonly #known = new Map<string, SourcePages>();

  constructor(apiPages: (source: OpenApiSource) => readonly ApiPageRef[]) {
    this.#apiPages = apiPages;
  }

  /**
   * Returns whether a description has operations; the page in place of one that could not be read
   * has no method.
   */
  hasAny(source: OpenApiSource): boolean {
    return this.pages(source).some((page) => page.method !== '');
  }

  /** Returns whether a description could not be read. */
  isUnread(source: OpenApiSource): boolean {
    return this.pages(source).some((page) => page.method === '');
  }

  /** Returns all pages of a description; empty if it could not be read. */
  pages(source: OpenApiSource): readonly ApiPageRef[] {
    return this.#pagesOf(source).pages;
  }

  /** Returns the operation from the first of the descriptions that has it. */
  find(entry: OperationEntry, sources: readonly OpenApiSource[]): ApiPageRef | undefined {
    const key = `${entry.method} ${entry.route}`;
    for (const source of sources) {
      const page = this.#pagesOf(source).exact.get(key);
      if (page) return page;
    }
    for (const source of sources) {
      const page = this.#pagesOf(source).loose.get(looseKey(key));
      if (page) return page;
    }
    return undefined;
  }

  #pagesOf(source: OpenApiSource): SourcePages {
    const key = `${source.source}\n${source.directory ?? ''}`;
    const cachedEntry = this.#known.get(key);
    if (cachedEntry) return cachedEntry;
    const pages = this.#apiPages(source);
    const entry: SourcePages = { pages, exact: new Map(), loose: new Map() };
    for (const page of pages) {
      const name = `${page.method.toUpperCase()} ${page.route}`;
      if (!entry.exact.has(name)) entry.exact.set(name, page);
      if (!entry.loose.has(looseKey(name))) entry.loose.set(looseKey(name), page);
    }
    this.#known.set(key, entry);
    return entry;
  }
}

function looseKey(name: string): string {
  return name.replace(/\{[^{}]*\}/g, '{}').replace(/(.)\/$/, '$1');
}

/**
 * Returns whether a page of a description is about that operation; without a method, about that
 * channel.
 */
export function isSameOperation(
  operation: Pick<ApiPageRef, 'source' | 'route'> & { method?: string },
  page: ApiPageRef,
): boolean {
  const { source, method = page.method, route } = operation;
  return source === page.source && method === page.method && route === page.route;
}

/** An entry of `pages` for an operation of an API description. */
interface OperationEntry {
  /** The description, if the entry names one. */
  spec?: string;
  /** Upper case. */
  method: string;
  route: string;
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Parses `METHOD /path`, `<spec> METHOD /path` and `webhook <name>`; undefined for a plain page.
 */
export function parseOperationEntry(entry: string): OperationEntry | undefined {
  const words = entry.trim().split(/\s+/);
  for (const [index, word] of words.slice(0, 2).entries()) {
    const method = word.toUpperCase();
    const route = words.slice(index + 1).join(' ');
    const isOperation = METHODS.has(method)
      ? route.startsWith('/')
      : method === 'WEBHOOK' && route !== '';
    if (isOperation)
      return index === 0 ? { method, route } : { spec: words[0] as string, method, route };
  }
  return undefined;
}

/**
 * Returns the page path of an entry: `/guides/start.mdx` and `./guides/start/` are `guides/start`,
 * `/` is `index`.
 */
export function normalizePagePath(entry: string): string {
  const parts = entry
    .trim()
    .replace(/\.mdx?$/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? 'index' : parts.join('/');
}

/**
 * Builds the menu of generated pages: one group for each tag, in order of first appearance; pages
 * without a tag stay between them. Hidden pages are included; a group with only hidden pages is
 * hidden.
 */
export function groupByTag(pages: readonly GeneratedPage[]): NavigationNode[] {
  const root = new Branch();
  const hidden: Group = { kind: 'group', label: '', expanded: false, hidden: true, children: [] };
  for (const { path, group, subgroup, hidden: isHidden } of pages) {
    const branch = [group, subgroup].reduce(
      (inner, label) => (label ? inner.branch(label) : inner),
      root,
    );
    (isHidden ? hidden.children : branch.nodes).push({ kind: 'page', path });
  }
  return hidden.children.length > 0 ? [...root.nodes, hidden] : root.nodes;
}

class Branch {
  readonly nodes: NavigationNode[] = [];
  readonly #branches = new Map<string, Branch>();

  /** Returns the group of that name, created at its first use. */
  branch(label: string): Branch {
    const existingBranch = this.#branches.get(label);
    if (existingBranch) return existingBranch;
    const newBranch = new Branch();
    this.#branches.set(label, newBranch);
    this.nodes.push({
      kind: 'group',
      label,
      expanded: false,
      hidden: false,
      children: newBranch.nodes,
    });
    return newBranch;
  }
}
