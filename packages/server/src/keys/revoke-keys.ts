import { ROLES } from '@docent/format/access/may.ts';
import { listInvitationsBy } from '../invitations/queries.ts';
import { revokeInvitations } from '../invitations/revoke-invitations.ts';
import type { Consequence } from '../kernel/access/consequence.ts';
import type { QueryRunner } from '../ports/database.ts';
import { revokeApiKeys } from './queries.ts';

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
  const revoked = keys
    .filter(({ revokedAt }) => revokedAt?.getTime() === now.getTime())
    .map(({ id, name }) => ({ action: 'revokeKey', thing: id, name, site: null, organizationId }));
  return {
    keys,
    keyIds,
    consequences: [
      ...revoked,
      ...(await revokeInvitations(transaction, organizationId, invitations)),
    ],
  };
}
