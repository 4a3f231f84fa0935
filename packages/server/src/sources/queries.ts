import { type Selectable, sql } from 'kysely';
import { actorIn, type NamedActor } from '../kernel/access/named-actors.ts';
import { allOf, columnsOf, type Fields, firstOf, hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** A stored source, with who connected it and the site that it is of. Secrets are encrypted. */
export type GitSourceRow = Fields<Selectable<Tables['git_sources']>> & {
  maker: NamedActor | null;
  /** Who made an earlier deployment live, while pushes wait for that. */
  pauser: NamedActor | null;
  githubAppName: string | null;
  organizationId: string;
  siteSlug: string;
};

type GitSourceFields = Omit<
  GitSourceRow,
  'maker' | 'pauser' | 'githubAppName' | 'organizationId' | 'siteSlug'
>;

const selectSources = (queries: QueryRunner) =>
  queries
    .selectFrom('git_sources')
    .innerJoin('sites', 'sites.id', 'git_sources.site_id')
    .selectAll('git_sources')
    .leftJoin('github_apps', 'github_apps.id', 'git_sources.github_app_id')
    .select(['sites.organization_id', 'sites.slug as site_slug'])
    .select('github_apps.name as github_app_name')
    .select(actorIn('git_sources.made_by').as('maker'))
    .select(actorIn('git_sources.paused_by').as('pauser'));

/** @returns whether it was stored: a site has at most one */
export async function insertGitSource(
  queries: QueryRunner,
  source: GitSourceFields,
): Promise<boolean> {
  const insert = queries.insertInto('git_sources').values(columnsOf(source));
  return hasRow(
    insert.onConflict((conflict) => conflict.column('site_id').doNothing()).returning('id'),
  );
}

export async function findGitSource(
  queries: QueryRunner,
  id: string,
): Promise<GitSourceRow | undefined> {
  return firstOf(selectSources(queries).where('git_sources.id', '=', id));
}

/** Returns the sources that an app lets the server in for. */
export async function listSourcesOfApp(
  queries: QueryRunner,
  githubAppId: string,
): Promise<GitSourceRow[]> {
  return allOf(selectSources(queries).where('git_sources.github_app_id', '=', githubAppId));
}

export async function findGitSourceOf(
  queries: QueryRunner,
  siteId: string,
): Promise<GitSourceRow | undefined> {
  return firstOf(selectSources(queries).where('git_sources.site_id', '=', siteId));
}

/** @returns whether it still exists */
export async function updateGitSource(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<GitSourceFields, 'id' | 'siteId' | 'createdAt'>>,
): Promise<boolean> {
  if (Object.values(changes).every((value) => value === undefined)) return true;
  return hasRow(
    queries.updateTable('git_sources').set(columnsOf(changes)).where('id', '=', id).returning('id'),
  );
}

/** What a source without a pause has. */
export const NOT_PAUSED = { pausedAt: null, pausedBy: null, waitingSha: null };

/**
 * Lets no push to the repository of a site be published, or lets them be published again.
 * @param pause who made an earlier deployment live, and when; null to end the pause
 * @returns whether there is a source; to end a pause, whether there was one
 */
export async function pausePushes(
  queries: QueryRunner,
  siteId: string,
  pause: { pausedAt: Date; pausedBy: string } | null,
): Promise<boolean> {
  const update = queries
    .updateTable('git_sources')
    .set(columnsOf(pause ?? NOT_PAUSED))
    .where('site_id', '=', siteId)
    .$if(pause === null, (paused) => paused.where('paused_at', 'is not', null));
  return hasRow(update.returning('id'));
}

export async function deleteGitSource(queries: QueryRunner, id: string): Promise<void> {
  await queries.deleteFrom('git_sources').where('id', '=', id).execute();
}

/**
 * Claims the sources whose branch is to be looked at, and postpones them until `again`, so that no
 * other process takes them.
 */
export async function takeDueGitSources(
  queries: QueryRunner,
  { now, again, limit }: { now: Date; again: Date; limit: number },
) {
  const rows = await queries
    .with('due', (due) =>
      due
        .selectFrom('git_sources')
        .select('id')
        .where(sql<boolean>`(automatic OR previews <> 'none')`)
        .where('check_at', '<=', now)
        .orderBy('check_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('git_sources')
    .from('due')
    .set({ check_at: again })
    .whereRef('git_sources.id', '=', 'due.id')
    .returning('git_sources.id')
    .execute();
  return rows.map(({ id }) => id);
}
