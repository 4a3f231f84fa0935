import { randomBytes } from 'node:crypto';
import { type Actor, requirePermission } from '@docent/format/access/may.ts';
import { fieldsOf } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import { hashSecret } from '../kernel/ids.ts';
import type { QueryRunner } from '../ports/database.ts';
import { type Directory, listGroups, saveDirectory } from './queries.ts';

type DirectoryDeps = Pick<Deps, 'database' | 'clock'>;

/** A token of a directory: its prefix, and 256 random bits. */
export const DIRECTORY_TOKEN = /^scim_[\w-]{43}$/;

/**
 * Returns the directory of the actor's organization, with the names of its groups. @throws
 * DocentError `role_missing`
 */
export async function readDirectory({ database }: DirectoryDeps, actor: Actor) {
  requirePermission(actor, 'sign-in.read');
  const { queries } = database;
  const { organizationId } = actor;
  const groups = await listGroups(queries, { organizationId });
  return {
    ...(await findDirectory(queries, organizationId)),
    groups: [...new Set(groups.map(({ name }) => name))],
  };
}

/**
 * Changes the roles that people of the directory get. Members keep theirs until the directory sends
 * them or one of their groups again.
 * @throws DocentError `role_missing`
 */
export async function changeDirectory(
  deps: DirectoryDeps,
  actor: Actor,
  changes: Partial<Pick<Directory, 'defaultRole' | 'groupRoles'>>,
) {
  requirePermission(actor, 'owners.write');
  const updatedAt = deps.clock.now();
  await saveDirectory(deps.database.queries, actor.organizationId, { ...changes, updatedAt });
  return readDirectory(deps, actor);
}

/**
 * Creates the token of the directory, in place of an earlier one.
 * @returns the token, which is not stored
 * @throws DocentError `role_missing`
 */
export async function createDirectoryToken(
  { database, clock }: DirectoryDeps,
  actor: Actor,
): Promise<string> {
  requirePermission(actor, 'owners.write');
  const now = clock.now();
  const token = `scim_${randomBytes(32).toString('base64url')}`;
  await saveDirectory(database.queries, actor.organizationId, {
    tokenHash: hashSecret(token),
    tokenCreatedAt: now,
    tokenUsedAt: null,
    updatedAt: now,
  });
  return token;
}

/**
 * Ends the token of the directory. Members and who is expected stay. @throws DocentError
 * `role_missing`
 */
export async function deleteDirectoryToken(
  { database, clock }: DirectoryDeps,
  actor: Actor,
): Promise<void> {
  requirePermission(actor, 'owners.write');
  const none = { tokenHash: null, tokenCreatedAt: null, tokenUsedAt: null };
  await saveDirectory(database.queries, actor.organizationId, { ...none, updatedAt: clock.now() });
}

/** Returns the directory of an organization; as it is by default if it has none. */
export async function findDirectory(
  queries: QueryRunner,
  organizationId: string,
): Promise<Omit<Directory, 'updatedAt'>> {
  const row = await queries
    .selectFrom('organization_directories')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row) return fieldsOf(row);
  const token = { tokenHash: null, tokenCreatedAt: null, tokenUsedAt: null };
  return { organizationId, ...token, defaultRole: 'viewer', groupRoles: [] };
}
