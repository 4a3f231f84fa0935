import { createHmac } from 'node:crypto';
import { INVITATIONS_PER_ADDRESS, pastLimit } from '@docent/format/access/limits.ts';
import { type Actor, actorId, type Role, requirePermission } from '@docent/format/access/may.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { findUser, hasMemberWithEmail, insertMember } from '../kernel/access/member-queries.ts';
import { findNamedActor } from '../kernel/access/named-actors.ts';
import { countAction } from '../kernel/access/quotas.ts';
import { requirePasswords } from '../kernel/access/require-passwords.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret, isUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import type { AccountUser } from '../ports/accounts.ts';
import { sendMailJob } from '../ports/jobs.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import {
  deleteInvitation,
  findInvitation,
  type InvitationRow,
  listInvitations as listInvitationRows,
  replaceInvitation,
  type ShownInvitation,
} from './queries.ts';

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
    (slice) => listInvitationRows(database.queries, actor.organizationId, slice),
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
