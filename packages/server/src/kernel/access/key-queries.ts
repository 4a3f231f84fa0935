import type { KeyScope } from '@docent/format/access/keys.ts';
import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

/** A version without the scope `keys` wrote null; there, `write` included it. */
export const allScopes = sql<
  KeyScope[]
>`api_keys.scopes || CASE WHEN coalesce(may_create_keys, 'write' = ANY (api_keys.scopes))
  THEN ARRAY['keys'] ELSE '{}' END`;

/**
 * Precedes the hash of a key that is bound to sites: a version that does not know them must not
 * find it.
 */
export const BOUND_PREFIX = 'sites:';
const HASH_LENGTH = 64;

/** Reads the key by the unique index on the hash. */
export async function findKeyByHash(queries: QueryRunner, hash: string) {
  return (
    queries
      .selectFrom('api_keys')
      .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
      // Assistant keys are public, in pages of customers: their readers come from anywhere.
      .leftJoin('organization_sign_ins as sign_in', (join) =>
        join
          .onRef('sign_in.organization_id', '=', 'api_keys.organization_id')
          .on('sign_in.limits_keys', '=', true)
          .on('api_keys.kind', '=', 'admin'),
      )
      .select([
        'api_keys.id as id',
        'api_keys.kind as kind',
        'api_keys.organization_id as organizationId',
        'organizations.plan as plan',
        'api_keys.site_id as siteId',
        'api_keys.site_ids as siteIds',
        'api_keys.ip_allowlist as ipAllowlist',
        'sign_in.allowed_addresses as allowedAddresses',
        'api_keys.origin_allowlist as originAllowlist',
        'api_keys.expires_at as expiresAt',
        'api_keys.revoked_at as revokedAt',
        'api_keys.last_used_at as lastUsedAt',
        allScopes.as('scopes'),
        sql<string>`right(api_keys.hash, ${sql.lit(HASH_LENGTH)})`.as('hash'),
      ])
      .where('api_keys.hash', 'in', [hash, BOUND_PREFIX + hash])
      .executeTakeFirst()
  );
}

/** Records that a key was used, unless a use since `unlessSince` is recorded. */
export async function touchApiKey(
  queries: QueryRunner,
  id: string,
  now: Date,
  unlessSince: Date,
): Promise<void> {
  await queries
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<', unlessSince)]),
    )
    .execute();
}
