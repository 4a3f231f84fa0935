import type { Consequence } from '../kernel/access/consequence.ts';
import type { QueryRunner } from '../ports/database.ts';
import { deleteInvitations, type InvitationRow } from './queries.ts';

/** Revokes invitations. @returns the entries for the audit log */
export async function revokeInvitations(
  transaction: QueryRunner,
  organizationId: string,
  invitations: readonly InvitationRow[],
): Promise<Consequence[]> {
  await deleteInvitations(
    transaction,
    invitations.map(({ id }) => id),
  );
  return invitations.map(({ id, email }) => ({
    action: 'revokeInvitation',
    thing: id,
    name: email,
    site: null,
    organizationId,
  }));
}
