import type { KeyScope } from '@docent/format/access/keys.ts';
import { type ExpressionBuilder, type InferResult, sql } from 'kysely';
import { allScopes, BOUND_PREFIX } from '../kernel/access/key-queries.ts';
import { actorIn } from '../kernel/access/named-actors.ts';
import { columnsOf, hasRow, type ListSlice, onPage } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

const columns = [
  'api_keys.id as id',
  'api_keys.kind as kind',
  'api_keys.site_id as siteId',
  'api_keys.site_ids as siteIds',
  'api_keys.name as name',
  'api_keys.masked as masked',
  'sites.slug as site',
  allScopes.as('scopes'),
  'api_keys.ip_allowlist as ipAllowlist',
  'api_keys.origin_allowlist as originAllowlist',
  'api_keys.expires_at as expiresAt',
  'api_keys.revoked_at as revokedAt',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.created_at as createdAt',
] as const;

/** Identifiers of the sites that a key is bound to and that exist. */
const siteSlugs = sql<string[]>`array(
  SELECT bound.slug FROM sites bound WHERE bound.id = ANY (api_keys.site_ids) ORDER BY bound.slug
)`;

/** Their names, in the same order. */
const siteNames = sql<string[]>`array(
  SELECT bound.name FROM sites bound WHERE bound.id = ANY (api_keys.site_ids) ORDER BY bound.slug
)`;

export function selectKeys(queries: QueryRunner) {
  return queries
    .selectFrom('api_keys')
    .leftJoin('sites', 'sites.id', 'api_keys.site_id')
    .select([
      ...columns,
      siteSlugs.as('siteSlugs'),
      siteNames.as('siteNames'),
      actorIn('api_keys.made_by').as('maker'),
    ]);
}

/** A key as shown in lists, with the identifier of its site and who created it. */
export type ApiKeyRow = InferResult<ReturnType<typeof selectKeys>>[number];

/** @param key `createdBy`: the key that creates it, if one does; `madeBy`: as in the audit log */
export async function insertApiKey(
  queries: QueryRunner,
  key: Omit<ApiKeyRow, 'site' | 'siteSlugs' | 'siteNames' | 'maker'> & {
    hash: string;
    organizationId: string;
    createdBy: string | null;
    madeBy: string;
  },
): Promise<ApiKeyRow> {
  const { scopes, hash, ...row } = key;
  const mayCreateKeys = scopes.length === 0 ? null : scopes.includes('keys');
  await queries
    .insertInto('api_keys')
    .values(
      columnsOf({
        ...row,
        hash: row.siteIds.length > 0 ? BOUND_PREFIX + hash : hash,
        scopes: storedScopes(scopes),
        mayCreateKeys,
      }),
    )
    .execute();
  return selectKeys(queries).where('api_keys.id', '=', key.id).executeTakeFirstOrThrow();
}

/** The condition that a key belongs to some sites only: one of them, or all that it is bound to. */
const isWithin = (siteIds: readonly string[]) => sql<boolean>`(
  api_keys.site_id = ANY (${siteIds}::text[])
  OR (cardinality(api_keys.site_ids) > 0 AND api_keys.site_ids <@ ${siteIds}::text[])
)`;

/**
 * Returns the keys of an organization, including revoked ones, newest first.
 * @param siteIds only keys of these sites; empty: all
 */
export async function listApiKeys(
  queries: QueryRunner,
  organizationId: string,
  { siteIds, after, limit }: ListSlice & { siteIds: readonly string[] },
) {
  return selectKeys(queries)
    .where('api_keys.organization_id', '=', organizationId)
    .$if(siteIds.length > 0, (keys) => keys.where(isWithin(siteIds)))
    .$call(onPage({ after, limit }, ['api_keys.created_at', 'api_keys.id']))
    .execute();
}

export const isInUse = (now: Date) => (where: ExpressionBuilder<Tables, 'api_keys'>) =>
  where.and([
    where('api_keys.revoked_at', 'is', null),
    where.or([where('api_keys.expires_at', 'is', null), where('api_keys.expires_at', '>', now)]),
  ]);

/** Returns the current restrictions of a key; nothing if it was revoked or has expired. */
export async function findKeyInUse(
  queries: QueryRunner,
  id: string,
  now: Date,
): Promise<ApiKeyRow | undefined> {
  return selectKeys(queries).where('api_keys.id', '=', id).where(isInUse(now)).executeTakeFirst();
}

/**
 * Returns a key in use of an organization.
 * @param siteIds only a key of these sites; empty: of any
 */
export async function findOrganizationKey(
  queries: QueryRunner,
  {
    id,
    organizationId,
    siteIds,
  }: { id: string; organizationId: string; siteIds: readonly string[] },
  now: Date,
): Promise<ApiKeyRow | undefined> {
  return selectKeys(queries)
    .where('api_keys.id', '=', id)
    .where('api_keys.organization_id', '=', organizationId)
    .$if(siteIds.length > 0, (keys) => keys.where(isWithin(siteIds)))
    .where(isInUse(now))
    .executeTakeFirst();
}

export async function updateApiKey(
  queries: QueryRunner,
  id: string,
  { name, originAllowlist }: Pick<ApiKeyRow, 'name' | 'originAllowlist'>,
): Promise<void> {
  await queries
    .updateTable('api_keys')
    .set(columnsOf({ name, originAllowlist }))
    .where('id', '=', id)
    .execute();
}

/**
 * Revokes keys and, recursively, every key that was created with them. Revoking again keeps the
 * first time. Call
 * `lockOrganization` before.
 * @returns all of them; none if the organization has no such key
 */
export async function revokeApiKeys(
  transaction: QueryRunner,
  organizationId: string,
  ids: readonly string[],
  now: Date,
) {
  if (ids.length === 0) return [];
  return transaction
    .withRecursive('family', (family) =>
      family
        .selectFrom('api_keys')
        .select('api_keys.id as id')
        .where('api_keys.id', 'in', ids)
        .where('api_keys.organization_id', '=', organizationId)
        .union((next) =>
          next
            .selectFrom('api_keys as child')
            .innerJoin('family', 'family.id', 'child.created_by')
            .select('child.id as id')
            .where('child.organization_id', '=', organizationId),
        ),
    )
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', 'in', (query) => query.selectFrom('family').select('family.id'))
    .returning([
      'api_keys.id as id',
      'api_keys.kind as kind',
      'api_keys.name as name',
      'api_keys.revoked_at as revokedAt',
    ])
    .execute();
}

/** Returns whether a key belongs to some sites only. */
export async function isKeyWithin(
  queries: QueryRunner,
  id: string,
  siteIds: readonly string[],
): Promise<boolean> {
  return hasRow(
    queries.selectFrom('api_keys').select('id').where('id', '=', id).where(isWithin(siteIds)),
  );
}

/**
 * `keys` has its own column: a version that does not know it must not read a list without scopes, which means all.
 */
function storedScopes(scopes: readonly KeyScope[]): Exclude<KeyScope, 'keys'>[] {
  const stored = scopes.filter((scope) => scope !== 'keys');
  return stored.length === 0 && scopes.length > 0 ? ['read'] : stored;
}

/** Claims the keys in use that expire until a time, each once. */
export async function takeExpiringKeys(
  queries: QueryRunner,
  { now, until }: { now: Date; until: Date },
) {
  return queries
    .updateTable('api_keys')
    .set({ expiry_sent_at: now })
    .where('expires_at', '<=', until)
    .where('expiry_sent_at', 'is', null)
    .where(isInUse(now))
    .returning([
      'id',
      'organization_id as organizationId',
      'site_id as siteId',
      'name',
      'masked',
      'expires_at as expiresAt',
    ])
    .execute();
}
