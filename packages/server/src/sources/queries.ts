import { type InferResult, type Selectable, sql } from 'kysely';
import { actorIn, type NamedActor } from '../kernel/access/named-actors.ts';
import { allOf, columnsOf, type Fields, firstOf, hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner, Transaction } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** A stored source, with who connected it and the site that it is of. Secrets are encrypted. */
export type GitSourceRow = Omit<Fields<Selectable<Tables['git_sources']>>, 'siteId' | 'partOf'> & {
  siteId: string;
  /** Whether its settings are those of the site; the others have a path. */
  isBase: boolean;
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

const isSource = sql<boolean>`sites.id = coalesce(git_sources.site_id, git_sources.part_of)`;

const selectSources = (queries: QueryRunner) =>
  queries
    .selectFrom('git_sources')
    .innerJoin('sites', (join) => join.on(isSource))
    .selectAll('git_sources')
    .leftJoin('github_apps', 'github_apps.id', 'git_sources.github_app_id')
    .select(['sites.id as owner_id', 'sites.organization_id', 'sites.slug as site_slug'])
    .select('github_apps.name as github_app_name')
    .select(actorIn('git_sources.made_by').as('maker'))
    .select(actorIn('git_sources.paused_by').as('pauser'));

type SelectedSource = Fields<InferResult<ReturnType<typeof selectSources>>[number]>;

const rowOf = ({ siteId, partOf: _, ownerId, ...source }: SelectedSource): GitSourceRow => ({
  ...source,
  siteId: ownerId,
  isBase: siteId !== null,
});

async function sourcesOf(query: ReturnType<typeof selectSources>): Promise<GitSourceRow[]> {
  return (await allOf(query)).map(rowOf);
}

async function firstSource(
  query: ReturnType<typeof selectSources>,
): Promise<GitSourceRow | undefined> {
  const source = await firstOf(query);
  return source && rowOf(source);
}

/** @returns whether it was stored: a site has one base, and one source at each path */
export async function insertGitSource(
  queries: QueryRunner,
  { siteId, isBase, ...source }: GitSourceFields,
): Promise<boolean> {
  const owner = isBase ? { siteId } : { siteId: null, partOf: siteId };
  const insert = queries.insertInto('git_sources').values(columnsOf({ ...source, ...owner }));
  return hasRow(insert.onConflict((conflict) => conflict.doNothing()).returning('id'));
}

/** Returns the sources of a site: the base, then the others in the order of their connection. */
export async function listGitSources(
  queries: QueryRunner,
  siteId: string,
): Promise<GitSourceRow[]> {
  return sourcesOf(
    selectSources(queries)
      .where('sites.id', '=', siteId)
      .orderBy(sql`git_sources.site_id IS NULL`)
      .orderBy('git_sources.created_at')
      .orderBy('git_sources.id'),
  );
}

/** Makes a further source the base; a former base without a path takes its path. */
export async function exchangeBase(
  transaction: Transaction,
  base: GitSourceRow,
  { id, path }: GitSourceRow,
): Promise<void> {
  const set = (of: string, columns: object) =>
    transaction.updateTable('git_sources').set(columns).where('id', '=', of).execute();
  const hasPath = base.path !== '';
  if (!hasPath) await set(id, { path: '' });
  await set(base.id, { site_id: null, part_of: base.siteId, path: hasPath ? base.path : path });
  await set(id, { site_id: base.siteId, part_of: null });
}

/** Lets a source be deployed at its next look, although it has not changed. */
export async function forgetDeployed(
  queries: QueryRunner,
  siteId: string,
  now: Date,
): Promise<string[]> {
  const rows = await queries
    .updateTable('git_sources')
    .set({ seen_sha: null, seen_tree: null, check_at: now })
    .where('site_id', '=', siteId)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function findGitSource(
  queries: QueryRunner,
  id: string,
): Promise<GitSourceRow | undefined> {
  return firstSource(selectSources(queries).where('git_sources.id', '=', id));
}

/** Returns the sources that an app lets the server in for. */
export async function listSourcesOfApp(
  queries: QueryRunner,
  githubAppId: string,
): Promise<GitSourceRow[]> {
  return sourcesOf(selectSources(queries).where('git_sources.github_app_id', '=', githubAppId));
}

/** Returns the base source of a site. */
export async function findGitSourceOf(
  queries: QueryRunner,
  siteId: string,
): Promise<GitSourceRow | undefined> {
  return firstSource(selectSources(queries).where('git_sources.site_id', '=', siteId));
}

/** @returns whether it still exists */
export async function updateGitSource(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<GitSourceFields, 'id' | 'siteId' | 'isBase' | 'createdAt'>>,
): Promise<boolean> {
  if (Object.values(changes).every((value) => value === undefined)) return true;
  return hasRow(
    queries.updateTable('git_sources').set(columnsOf(changes)).where('id', '=', id).returning('id'),
  );
}

/**
 * Records the commit that is to be deployed. @returns whether nobody has recorded another since the
 * source was read
 */
export async function claimCommit(
  transaction: Transaction,
  { id, seenSha }: Pick<GitSourceRow, 'id' | 'seenSha'>,
  next: Pick<GitSourceRow, 'seenSha' | 'seenTree'>,
): Promise<boolean> {
  const update = transaction.updateTable('git_sources').set(columnsOf(next));
  return hasRow(
    update
      .where('id', '=', id)
      .where('seen_sha', 'is not distinct from', seenSha)
      .where('paused_at', 'is', null)
      .returning('id'),
  );
}

/** What a source without a pause has. */
export const NOT_PAUSED = { pausedAt: null, pausedBy: null, waitingSha: null };

/**
 * Lets no push to the repositories of a site be published, or lets them be published again.
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
    .where((where) => where.or([where('site_id', '=', siteId), where('part_of', '=', siteId)]))
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
