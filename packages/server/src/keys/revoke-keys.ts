import type { KeyKind } from '@docent/format/access/keys.ts';
import { ROLES } from '@docent/format/access/may.ts';
import { listInvitationsBy, revokeInvitations } from '../invitations/revoke-invitations.ts';
import { type Consequence, consequencesOf } from '../kernel/access/consequence.ts';
import type { QueryRunner } from '../ports/database.ts';
import { type ApiKeyRow, isInUse, revokeApiKeys, selectKeys } from './queries.ts';

/**
 * What was revoked or taken over: its entries in the audit log, and the keys that no process may
 * accept any more.
 */
export interface EndedAccess {
  consequences: Consequence[];
  keyIds: string[];
}

/**
 * Revokes keys with all keys and open invitations that were created with them. Call
 * `lockOrganization` before.
 */
export async function revokeKeyFamilies(
  transaction: QueryRunner,
  organizationId: string,
  ids: readonly string[],
  now: Date,
): Promise<EndedAccess & { keys: Awaited<ReturnType<typeof revokeApiKeys>> }> {
  const keys = await revokeApiKeys(transaction, organizationId, ids, now);
  const keyIds = keys.map(({ id }) => id);
  const invitations = await listInvitationsBy(transaction, {
    organizationId,
    makers: keyIds,
    roles: ROLES,
  });
  const revoked = keys.filter(({ revokedAt }) => revokedAt?.getTime() === now.getTime());
  return {
    keys,
    keyIds,
    consequences: [
      ...consequencesOf('revokeKey', organizationId, revoked),
      ...(await revokeInvitations(transaction, organizationId, invitations)),
    ],
  };
}

/** Returns the keys of these kinds in use that a person created or took over, newest first. */
export async function listKeysBy(
  queries: QueryRunner,
  {
    organizationId,
    userId,
    kinds,
  }: { organizationId: string; userId: string; kinds: readonly KeyKind[] },
  now: Date,
): Promise<ApiKeyRow[]> {
  if (kinds.length === 0) return [];
  return selectKeys(queries)
    .where('api_keys.organization_id', '=', organizationId)
    .where('api_keys.made_by', '=', userId)
    .where('api_keys.kind', 'in', kinds)
    .where(isInUse(now))
    .orderBy('api_keys.created_at', 'desc')
    .execute();
}

/** Makes somebody else responsible for keys. */
export async function takeOverKeys(
  queries: QueryRunner,
  ids: readonly string[],
  heir: string,
): Promise<void> {
  if (ids.length > 0)
    await queries.updateTable('api_keys').set({ made_by: heir }).where('id', 'in', ids).execute();
}
