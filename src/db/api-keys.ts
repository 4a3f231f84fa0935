import { type InferResult, sql } from 'kysely';
import type { KeyScope } from '../core/access/keys.ts';
import type { QueryRunner } from '../ports/database.ts';
import { columnsOf, type ListSlice, onPage } from './query-parts.ts';

/** A version without the scope `keys` wrote null; there, `write` included it. */
const allScopes = sql<KeyScope[]>`api_keys.scopes || CASE WHEN coalesce(may_create_keys, 'write' = ANY (api_keys.scopes))
  THEN ARRAY['keys'] ELSE '{}' END`;

const columns = [
  'api_keys.id as id',
  'api_keys.kind as kind',
  'api_keys.site_id as siteId',
  'api_keys.name as name',
  'api_keys.masked as masked',
  'sites.slug as site',
  allScopes.as('scopes'),
  'api_keys.created_by as createdBy',
  'api_keys.ip_allowlist as ipAllowlist',
  'api_keys.origin_allowlist as originAllowlist',
  'api_keys.expires_at as expiresAt',
  'api_keys.revoked_at as revokedAt',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.created_at as createdAt',
] as const;

function selectKeys(queries: QueryRunner) {
  return queries.selectFrom('api_keys').leftJoin('sites', 'sites.id', 'api_keys.site_id').select(columns);
}

/** A key as shown in lists, with the identifier of its site. `createdBy`: the key that created it; null if the operator did. */
export type ApiKeyRow = InferResult<ReturnType<typeof selectKeys>>[number];

export async function insertApiKey(
  queries: QueryRunner,
  key: ApiKeyRow & { hash: string; organisationId: string },
): Promise<void> {
  const { site: _, scopes, ...row } = key;
  const mayCreateKeys = scopes.length === 0 ? null : scopes.includes('keys');
  await queries
    .insertInto('api_keys')
    .values(columnsOf({ ...row, scopes: storedScopes(scopes), mayCreateKeys }))
    .execute();
}

/** Reads the key by the unique index on the hash. */
export async function findKeyByHash(queries: QueryRunner, hash: string) {
  return selectKeys(queries)
    .innerJoin('organisations', 'organisations.id', 'api_keys.organisation_id')
    .select(['api_keys.hash as hash', 'api_keys.organisation_id as organisationId', 'organisations.plan as plan'])
    .where('api_keys.hash', '=', hash)
    .executeTakeFirst();
}

/** A key as needed for authentication, with its organization's plan. */
export type KeyToCheck = NonNullable<Awaited<ReturnType<typeof findKeyByHash>>>;

/** Returns the keys of an organization, including revoked ones, newest first. */
export async function listApiKeys(queries: QueryRunner, organisationId: string, { after, limit }: ListSlice) {
  return selectKeys(queries)
    .where('api_keys.organisation_id', '=', organisationId)
    .$call(onPage({ after, limit }, ['api_keys.created_at', 'api_keys.id']))
    .execute();
}

/** Returns the current restrictions of a key; nothing if it was revoked or has expired. */
export async function findKeyInUse(queries: QueryRunner, id: string, now: Date): Promise<ApiKeyRow | undefined> {
  return selectKeys(queries)
    .where('api_keys.id', '=', id)
    .where('api_keys.revoked_at', 'is', null)
    .where((where) => where.or([where('api_keys.expires_at', 'is', null), where('api_keys.expires_at', '>', now)]))
    .executeTakeFirst();
}

/**
 * Revokes a key and, recursively, every key that was created with it. Revoking again keeps the first time. Call `lockOrganisation`
 * before.
 * @returns the ids of all of them; none if the organization has no such key
 */
export async function revokeApiKeys(transaction: QueryRunner, organisationId: string, id: string, now: Date) {
  return transaction
    .withRecursive('family', (family) =>
      family
        .selectFrom('api_keys')
        .select('api_keys.id as id')
        .where('api_keys.id', '=', id)
        .where('api_keys.organisation_id', '=', organisationId)
        .union((next) =>
          next
            .selectFrom('api_keys as child')
            .innerJoin('family', 'family.id', 'child.created_by')
            .select('child.id as id')
            .where('child.organisation_id', '=', organisationId),
        ),
    )
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', 'in', (query) => query.selectFrom('family').select('family.id'))
    .returning(['api_keys.id as id', 'api_keys.kind as kind'])
    .execute();
}

/** Records that a key was used, unless a use since `unlessSince` is recorded. */
export async function touchApiKey(queries: QueryRunner, id: string, now: Date, unlessSince: Date): Promise<void> {
  await queries
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', unlessSince)]))
    .execute();
}

/** `keys` has its own column: a version that does not know it must not read a list without scopes, which means all. */
function storedScopes(scopes: readonly KeyScope[]): Exclude<KeyScope, 'keys'>[] {
  const stored = scopes.filter((scope) => scope !== 'keys');
  return stored.length === 0 && scopes.length > 0 ? ['read'] : stored;
}
