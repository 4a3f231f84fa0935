import { createHmac } from 'node:crypto';
import { INVITATIONS_PER_ADDRESS, pastLimit } from '@docent/format/access/limits.ts';
import { type Actor, actorId, type Role, requirePermission } from '@docent/format/access/may.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { findUser, hasMemberWithEmail, insertMember } from '../kernel/access/member-queries.ts';
import { actorIn, findNamedActor, type NamedActor } from '../kernel/access/named-actors.ts';
import { countAction } from '../kernel/access/quotas.ts';
import { requirePasswords } from '../kernel/access/require-passwords.ts';
import { columnsOf, hasRow, onPage } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret, isUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import type { AccountUser } from '../ports/accounts.ts';
import type { QueryRunner } from '../ports/database.ts';
import { sendMailJob } from '../ports/jobs.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import type { RowOf } from '../ports/tables.ts';

export const invitationColumns = [
  'invitations.id as id',
  'invitations.email as email',
  'invitations.role as role',
  'invitations.invited_by as invitedBy',
  'invitations.expires_at as expiresAt',
  'invitations.created_at as createdAt',
] as const;

export type InvitationRow = RowOf<'invitations', typeof invitationColumns>;

/** An open invitation, with who created it. */
export type ShownInvitation = InvitationRow & { maker: NamedActor | null };

const DAYS = 7;

type InvitationDeps = Pick<Deps, 'database' | 'clock' | 'config'>;

/**
 * Derives the token of an invitation link from the secret, so that the mail can be written later
 * without storing the token.
 */
export function invitationToken(secret: string, invitationId: string): string {
  return createHmac('sha256', secret)
    .update(`invitation:${invitationId}`)
    .digest('base64url')
    .slice(0, 32);
}

/**
 * Invites a person to the actor's organization, by mail if the server sends mail. Replaces an
 * earlier invitation of the same address, so that doing it again sends another link.
 * @param onCounted called with the remaining limit
 * @returns the invitation with its link and with who invites
 * @throws DocentError `role_missing`; `rate_limited`; `account_exists` if they are already a member
 */
export async function invite(
  deps: InvitationDeps & Pick<Deps, 'secret' | 'jobs' | 'limiter' | 'accountable'>,
  actor: Actor,
  { email, role }: { email: string; role: Role },
  onCounted?: (state: RateLimitState) => void,
): Promise<ShownInvitation & { url: string }> {
  requirePermission(actor, 'members.write');
  if (role === 'owner') requirePermission(actor, 'owners.write');
  const { database, clock, config, secret, jobs } = deps;
  const createdAt = clock.now();
  const address = email.toLowerCase();
  await countInvitation(deps, actor, address);
  await countAction(deps, actor, 'invitationsPerOrganization', onCounted);
  const id = createUlid(createdAt);
  const token = invitationToken(secret, id);
  const invitation: InvitationRow = {
    id,
    email: address,
    role,
    invitedBy: actorId(actor),
    expiresAt: new Date(createdAt.getTime() + DAYS * DAY_MS),
    createdAt,
  };
  const { organizationId } = actor;
  await database.queries.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if (await hasMemberWithEmail(transaction, organizationId, address))
      throw new DocentError(
        'account_exists',
        `${address} is already a member of the organization.`,
      );
    await replaceInvitation(transaction, {
      invitation,
      organizationId,
      tokenHash: hashSecret(token),
    });
    if (config.mail)
      await jobs.enqueue(sendMailJob, { kind: 'invitation', invitationId: id }, transaction);
  });
  const maker = await findNamedActor(database.queries, invitation.invitedBy);
  return { ...invitation, maker, url: `${config.publicUrl}/dashboard/invite/${token}` };
}

async function countInvitation(
  { limiter, accountable }: Pick<Deps, 'limiter' | 'accountable'>,
  actor: Actor,
  address: string,
): Promise<void> {
  if (actor.kind === 'operator') return;
  const whose = await accountable(actor.organizationId);
  const { allowed, resetSeconds } = await limiter.consume(
    INVITATIONS_PER_ADDRESS,
    `${whose} ${address}`,
  );
  if (!allowed) throw pastLimit(INVITATIONS_PER_ADDRESS, resetSeconds);
}

/**
 * Returns the open invitations, newest first. @throws DocentError `role_missing`, `invalid_request`
 */
export async function listInvitations(
  { database }: InvitationDeps,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<ShownInvitation>> {
  requirePermission(actor, 'organization.read');
  return readPage(
    request,
    (slice) =>
      database.queries
        .selectFrom('invitations')
        .select([...invitationColumns, actorIn('invitations.invited_by').as('maker')])
        .where('organization_id', '=', actor.organizationId)
        .$call(onPage(slice, ['created_at', 'id']))
        .execute(),
    byCreation,
  );
}

/** @throws DocentError `role_missing`, `invitation_not_found` */
export async function revokeInvitation(
  { database }: InvitationDeps,
  actor: Actor,
  id: string,
): Promise<void> {
  requirePermission(actor, 'members.write');
  if (isUlid(id) && (await deleteInvitation(database.queries, actor.organizationId, id))) return;
  throw new DocentError('invitation_not_found', 'The organization has no such open invitation.');
}

/** Returns what the page of an invitation link shows. @throws DocentError `link_refused` */
export async function readInvitation({ database, clock }: InvitationDeps, token: string) {
  const invitation = await findInvitation(database.queries, hashSecret(token), clock.now());
  if (!invitation)
    throw new DocentError(
      'link_refused',
      'The invitation has expired, or was revoked or accepted; request a new one.',
    );
  return {
    ...invitation,
    hasAccount: (await findUser(database.queries, invitation.email)) !== undefined,
  };
}

/**
 * Makes the invited person a member: the signed-in user, or a new account.
 * @param signedIn the signed-in user, if any
 * @throws DocentError `link_refused`; `unauthenticated` if the address has an account that is not
 *   signed in; `invalid_request`
 */
export async function acceptInvitation(
  deps: InvitationDeps & Pick<Deps, 'accounts'>,
  token: string,
  signedIn: AccountUser | undefined,
  account: { name: string; password: string } | undefined,
): Promise<{
  user: AccountUser;
  isNew: boolean;
  organizationId: string;
  slug: string;
  role: Role;
}> {
  const { database, clock, accounts } = deps;
  const { id, email, role, organizationId, slug, hasAccount } = await readInvitation(deps, token);
  const invitedUser = signedIn?.email === email ? signedIn : undefined;
  if (!invitedUser && hasAccount)
    throw new DocentError(
      'unauthenticated',
      `The invitation is for ${email}; sign in with that address.`,
    );
  if (!invitedUser && !account && deps.config.passwords) {
    const message = 'Choose a name and a password for your account.';
    throw new DocentError('invalid_request', message, { errors: [{ path: '/password', message }] });
  }
  if (!invitedUser) requirePasswords(deps.config);
  const user =
    invitedUser ??
    (await accounts.createUser({ email, ...(account as { name: string; password: string }) }));
  const join = database.queries.transaction().execute(async (transaction) => {
    // Revoked meanwhile, or accepted by another request.
    if (!(await deleteInvitation(transaction, organizationId, id)))
      throw new DocentError(
        'link_refused',
        'The invitation was revoked or accepted; request a new one.',
      );
    await insertMember(transaction, {
      organizationId,
      userId: user.id,
      role,
      createdAt: clock.now(),
    });
  });
  await join.catch(async (error: unknown) => {
    if (!invitedUser) await accounts.deleteUser(user.id);
    throw error;
  });
  return { user, isNew: invitedUser === undefined, organizationId, slug, role };
}

function openInvitations(queries: QueryRunner, now: Date) {
  return queries
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('users', 'users.id', 'invitations.invited_by')
    .select([
      ...invitationColumns,
      // Absent for one by a key or by the operator.
      'users.name as inviter',
      'organizations.id as organizationId',
      'organizations.name as organization',
      'organizations.slug as slug',
    ])
    .where('expires_at', '>', now);
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
