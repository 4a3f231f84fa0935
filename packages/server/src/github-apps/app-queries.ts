import type { Selectable } from 'kysely';
import { actorIn, type NamedActor } from '../kernel/access/named-actors.ts';
import {
  allOf,
  columnsOf,
  countRows,
  type Fields,
  firstOf,
  hasRow,
  type ListSlice,
  onPage,
} from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

type AppFields = Fields<Selectable<Tables['github_apps']>>;

/** A stored app, with who created it. Secrets are encrypted. */
export type GitHubAppRow = AppFields & { maker: NamedActor | null };

const selectApps = (queries: QueryRunner) =>
  queries.selectFrom('github_apps').selectAll().select(actorIn('made_by').as('maker'));

export async function insertGitHubApp(
  queries: QueryRunner,
  app: Pick<AppFields, 'id' | 'organizationId' | 'host' | 'stateHash' | 'madeBy' | 'createdAt'>,
): Promise<void> {
  await queries.insertInto('github_apps').values(columnsOf(app)).execute();
}

/** Deletes apps that nobody created at GitHub before that time. */
export async function deleteUncreatedApps(
  queries: QueryRunner,
  organizationId: string,
  before: Date,
): Promise<void> {
  await queries
    .deleteFrom('github_apps')
    .where('organization_id', '=', organizationId)
    .where('app_id', 'is', null)
    .where('created_at', '<', before)
    .execute();
}

export async function countGitHubApps(
  queries: QueryRunner,
  organizationId: string,
): Promise<number> {
  return countRows(queries.selectFrom('github_apps').where('organization_id', '=', organizationId));
}

/** Returns the apps of an organization that GitHub has created, newest first. */
export async function listGitHubApps(
  queries: QueryRunner,
  organizationId: string,
  slice: ListSlice,
): Promise<GitHubAppRow[]> {
  const page = onPage(slice, ['github_apps.created_at', 'github_apps.id']);
  return allOf(
    selectApps(queries)
      .where('organization_id', '=', organizationId)
      .where('app_id', 'is not', null)
      .$call(page),
  );
}

export async function findGitHubApp(
  queries: QueryRunner,
  id: string,
): Promise<GitHubAppRow | undefined> {
  return firstOf(selectApps(queries).where('id', '=', id).where('app_id', 'is not', null));
}

/** Returns the app of an organization that GitHub was to create with this state. */
export async function findUncreatedApp(
  queries: QueryRunner,
  organizationId: string,
  stateHash: string,
): Promise<GitHubAppRow | undefined> {
  return firstOf(
    selectApps(queries)
      .where('organization_id', '=', organizationId)
      .where('state_hash', '=', stateHash),
  );
}

/** @returns whether it still exists */
export async function updateGitHubApp(
  queries: QueryRunner,
  id: string,
  changes: Partial<Omit<AppFields, 'id' | 'organizationId' | 'createdAt'>>,
): Promise<boolean> {
  const update = queries.updateTable('github_apps').set(columnsOf(changes)).where('id', '=', id);
  return hasRow(update.returning('id'));
}

/**
 * Deletes an app unless a site is published with it. @returns the names of the sites that are
 */
export async function deleteGitHubApp(queries: QueryRunner, id: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('git_sources')
    .innerJoin('sites', 'sites.id', 'git_sources.site_id')
    .select('sites.name')
    .where('github_app_id', '=', id)
    .orderBy('sites.name')
    .execute();
  if (rows.length === 0) await queries.deleteFrom('github_apps').where('id', '=', id).execute();
  return rows.map(({ name }) => name);
}
