import type { PageAudience } from '@docent/format/access/audience.ts';
import type { FoundOperation } from '@docent/format/api-reference/find-operation.ts';
import { type Frontmatter, toFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import type { ApiPageRef } from '@docent/format/generated-page.ts';
import type { ApiDocuments, ApiTarget } from '../descriptions/api-documents.ts';
import type { SymbolPlan } from '../descriptions/plan-symbol-page.ts';
import { symbolSourceKey } from '../descriptions/symbol-documents.ts';

/** API description → name of a schema with its own page → its site path. */
export type ObjectPaths = Map<string, Map<string, string>>;

/** What is known about a page before its text is compiled. */
export interface PagePlan {
  path: string;
  href: string;
  /** Source file; empty for a page generated from an API description. */
  file: string;
  title: string;
  /** Day of the last change that Git knows. */
  changed?: string;
  frontmatter: Frontmatter;
  /** The line of the heading that is the title, which the page does not show again. */
  headingLine?: number;
  /** The operation that this page was generated from, if it has no file. */
  operation?: ApiPageRef;
  /** The description's name for the operation that the page shows. */
  operationId?: string;
  tags?: readonly string[];
  /** What it shows of an API description. */
  api?: ApiTarget;
  /** A description that could not be read, and that may have what the page should show. */
  unread?: string;
  /** The symbol that this page documents, or why there is none. */
  symbol?: SymbolPlan;
  /** Who may read it, if that is not everybody who may read the site. */
  audience?: PageAudience;
}

/**
 * Returns the file that the contents of a page come from: its own, or the description that it was
 * generated from.
 */
export function originOf({ file, api, symbol }: PagePlan): string {
  return file || api?.description || symbol?.source?.source || '';
}

/** @param file empty for a generated page */
export function pageAt(path: string, file = ''): Pick<PagePlan, 'path' | 'href' | 'file'> {
  return { path, href: hrefOf(path), file };
}

/** Returns the URL of a page path for readers. */
export function hrefOf(path: string): string {
  if (path === 'index') return '/';
  return `/${path.replace(/\/index$/, '')}`;
}

/**
 * Targets of links to symbols; a page written by an author takes precedence over a generated one.
 */
export function symbolPathsOf(pages: readonly PagePlan[]): Map<string, Map<string, string>> {
  const paths = new Map<string, Map<string, string>>();
  for (const { symbol, href, file } of pages) {
    if (symbol?.id === undefined) continue;
    const key = symbolSourceKey(symbol.source);
    const symbolHrefs = paths.get(key) ?? new Map<string, string>();
    if (file !== '' || !symbolHrefs.has(symbol.id))
      paths.set(key, symbolHrefs.set(symbol.id, href));
  }
  return paths;
}

/**
 * Returns the page of an unreadable description, which reports it and counts as failed. The problem
 * is reported once.
 */
export function planMissing(path: string, source: string): PagePlan {
  const missing = `The API description ${source} could not be read.`;
  return {
    ...pageAt(path),
    title: 'API',
    frontmatter: { title: 'API', custom: {} },
    symbol: { missing },
  };
}

type ObjectOfSite = ReturnType<ApiDocuments['objectPages']>[number];

export function objectPathsOf(objects: readonly ObjectOfSite[]): ObjectPaths {
  const paths: ObjectPaths = new Map();
  for (const { description, page } of objects) {
    const objectHrefs = paths.get(description) ?? new Map<string, string>();
    paths.set(description, objectHrefs.set(page.name, hrefOf(page.path)));
  }
  return paths;
}

/** Reached from the fields of operations; not part of any menu, search or listing. */
export function planObject({ description, page: { name, path, title } }: ObjectOfSite): PagePlan {
  const settings = new Map<string, unknown>(Object.entries({ hidden: true, mode: 'center' }));
  const frontmatter = { ...toFrontmatter(settings, description, []), title };
  return {
    ...pageAt(path),
    title,
    frontmatter,
    api: { description, kind: 'schema', name, isObject: true },
  };
}

export function planOperation({
  page,
  target,
  operation,
}: NonNullable<ReturnType<ApiDocuments['pageAt']>>): PagePlan {
  const frontmatter = toFrontmatter(
    new Map(Object.entries(operation?.metadata ?? {})),
    page.source,
    [],
  );
  if (operation?.deprecated) frontmatter.deprecated = true;
  const title = frontmatter.title ?? page.title;
  const details = { operation: page, api: target, ...operationNames(operation) };
  return { ...pageAt(page.path), title, frontmatter: { ...frontmatter, title }, ...details };
}

export function operationNames(
  operation: FoundOperation['operation'] | undefined,
): Pick<PagePlan, 'operationId' | 'tags'> {
  const { operationId, tags = [] } = operation ?? {};
  return { ...(operationId !== undefined && { operationId }), ...(tags.length > 0 && { tags }) };
}
