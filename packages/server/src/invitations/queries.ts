import type { Role } from '@docent/format/access/may.ts';
import { actorIn, type NamedActor } from '../kernel/access/named-actors.ts';
import { columnsOf, hasRow, type ListSlice, onPage } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { RowOf } from '../ports/tables.ts';

const columns = [
  'invitations.id as id',
  'invitations.email as email',
  'invitations.role as role',
  'invitations.invited_by as invitedBy',
  'invitations.expires_at as expiresAt',
  'invitations.created_at as createdAt',
] as const;

export type InvitationRow = RowOf<'invitations', typeof columns>;

/** An open invitation, with who created it. */
export type ShownInvitation = InvitationRow & { maker: NamedActor | null };

/** Adds an invitation, replacing an earlier one of the same address. */
export async function replaceInvitation(
  queries: QueryRunner,
  {
    invitation,
    organizationId,
    tokenHash,
  }: { invitation: InvitationRow; organizationId: string; tokenHash: string },
): Promise<void> {
  const { email } = invitation;
  await queries
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .execute();
  await queries
    .insertInto('invitations')
    .values(columnsOf({ ...invitation, organizationId, tokenHash }))
    .execute();
}

/** Returns the open invitations of an organization, newest first. */
export async function listInvitations(
  queries: QueryRunner,
  organizationId: string,
  { after, limit }: ListSlice,
) {
  return queries
    .selectFrom('invitations')
    .select([...columns, actorIn('invitations.invited_by').as('maker')])
    .where('organization_id', '=', organizationId)
    .$call(onPage({ after, limit }, ['created_at', 'id']))
    .execute();
}

/** @returns whether it existed */
export async function deleteInvitation(
  queries: QueryRunner,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const query = queries
    .deleteFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);
  return hasRow(query.returning('id'));
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
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('invited_by', 'in', makers)
    .where('role', 'in', roles)
    .orderBy('created_at', 'desc')
    .execute();
}

export async function deleteInvitations(
  queries: QueryRunner,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await queries.deleteFrom('invitations').where('id', 'in', ids).execute();
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

/** Returns the invitation of a token, with its organization. */
export async function findInvitation(queries: QueryRunner, tokenHash: string, now: Date) {
  return openInvitations(queries, now).where('token_hash', '=', tokenHash).executeTakeFirst();
}

/** Returns the invitation with that id, with its organization. */
export async function findInvitationById(queries: QueryRunner, id: string, now: Date) {
  return openInvitations(queries, now).where('invitations.id', '=', id).executeTakeFirst();
}

/** Returns the open invitations of an address in all organizations. */
export async function listInvitationsOf(queries: QueryRunner, email: string, now: Date) {
  return openInvitations(queries, now)
    .where('invitations.email', '=', email)
    .orderBy('invitations.created_at')
    .execute();
}

function openInvitations(queries: QueryRunner, now: Date) {
  return queries
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .select([
      ...columns,
      // Absent for one by a key or by the operator.
      'users.name as inviter',
      'organizations.id as organizationId',
      'organizations.name as organization',
      'organizations.slug as slug',
    ])
    .where('expires_at', '>', now);
}
