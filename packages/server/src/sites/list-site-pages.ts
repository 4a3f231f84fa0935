import { createHash } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { isOther } from '@docent/format/exports/select-pages.ts';
import type { Deps } from '../kernel/deps.ts';
import { foreignCursor, type ListPage, type PageRequest } from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { pagesByHref } from '../kernel/sites/site-pages.ts';

interface PageFilter extends PageRequest {
  projectId: string;
  /** Only pages with each of these words in their title or their address. */
  text?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
}

/** Pages of a live site, with the versions and languages that all of its pages have. */
export interface SitePages extends ListPage<BuiltPage> {
  versions: string[];
  languages: string[];
}

/**
 * Returns a page of the list of pages that readers of the live site have, in the order of its menu;
 * none before the first publish.
 * @throws DocentError `site_not_found`; `invalid_request` for the cursor of another list, or of
 *   pages that a publish has removed
 */
export async function listSitePages(
  deps: Pick<Deps, 'config' | 'database' | 'liveSites'>,
  actor: Actor,
  { projectId, text = '', version, language, cursor, limit }: PageFilter,
): Promise<SitePages> {
  const { slug } = await findPermittedSite(deps, actor, 'projects.read', projectId);
  const { build } = (await deps.liveSites.find(slug))?.as('owner') ?? {};
  const all = build?.pages.filter((page) => pagesByHref(build).get(page.href) === page) ?? [];
  const words = text.toLowerCase().split(/\s+/);
  const matches = all.filter(
    (page) =>
      !isOther(page.version, version) &&
      !isOther(page.language, language) &&
      words.every((word) => `${page.title} ${page.href}`.toLowerCase().includes(word)),
  );
  const start =
    cursor === undefined ? 0 : matches.findIndex(({ href }) => cursorOf(href) === cursor) + 1;
  if (cursor !== undefined && start === 0) throw foreignCursor();
  const rows = matches.slice(start, start + limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: last && start + limit < matches.length ? cursorOf(last.href) : null,
    versions: labelsOf(all, 'version'),
    languages: labelsOf(all, 'language'),
  };
}

/**
 * The list continues after the page with this address, however many are published before it
 * meanwhile.
 */
const cursorOf = (href: string): string =>
  createHash('sha256').update(href).digest('base64url').slice(0, 22);

const labelsOf = (pages: readonly BuiltPage[], kind: 'version' | 'language'): string[] => [
  ...new Set(pages.flatMap((page) => page[kind] ?? [])),
];
