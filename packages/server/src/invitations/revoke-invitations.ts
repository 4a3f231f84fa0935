import type { Role } from '@docent/format/access/may.ts';
import { type Consequence, consequencesOf } from '../kernel/access/consequence.ts';
import type { QueryRunner } from '../ports/database.ts';
import { type InvitationRow, invitationColumns } from './manage-invitations.ts';

/** Revokes invitations. @returns the entries for the audit log */
export async function revokeInvitations(
  transaction: QueryRunner,
  organizationId: string,
  invitations: readonly InvitationRow[],
): Promise<Consequence[]> {
  const ids = invitations.map(({ id }) => id);
  if (ids.length > 0) await transaction.deleteFrom('invitations').where('id', 'in', ids).execute();
  const people = invitations.map(({ id, email }) => ({ id, name: email }));
  return consequencesOf('revokeInvitation', organizationId, people);
}

/** Returns the invitations of an organization for these roles that one of these actors created. */
export async function listInvitationsBy(
  queries: QueryRunner,
  {
    organizationId,
    makers,
    roles,
  }: { organizationId: string; makers: readonly string[]; roles: readonly Role[] },
): Promise<InvitationRow[]> {
  if (makers.length === 0 || roles.length === 0) return [];
  return queries
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('organization_id', '=', organizationId)
    .where('invited_by', 'in', makers)
    .where('role', 'in', roles)
    .orderBy('created_at', 'desc')
    .execute();
}

/** Makes somebody else responsible for invitations. */
export async function takeOverInvitations(
  queries: QueryRunner,
  ids: readonly string[],
  heir: string,
): Promise<void> {
  if (ids.length > 0)
    await queries
      .updateTable('invitations')
      .set({ invited_by: heir })
      .where('id', 'in', ids)
      .execute();
}
