import { type Actor, type Role, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import {
  countOwners,
  deleteMember,
  findMemberRole,
  findSessionMembership,
  findUser,
  isLastOwnerAnywhere,
  isSessionKept,
  listMembers as listMemberRows,
  listUsers,
  type MemberRow,
  updateCountStart,
  updateMemberRole,
} from '../../db/members.ts';
import type { ListSlice } from '../../db/query-parts.ts';
import { lockOrganisation } from '../../db/slots.ts';
import type { AccountUser } from '../../ports/accounts.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../list-pages.ts';

/** Returns the members of the actor's organization in the order in which they joined. @throws DocentError `invalid_request` */
export async function listMembers(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<MemberRow>> {
  requirePermission(actor, 'organisation.read');
  const read = (slice: ListSlice) => listMemberRows(database.queries, actor.organisationId, slice);
  return readPage(request, read, ({ createdAt: at, userId: id }) => ({ at, id }));
}

/**
 * Changes a member's role. Only owners can grant or revoke the role of owner.
 * @throws DocentError `role_missing`, `member_not_found`, `last_owner`
 */
export async function changeRole({ database }: Pick<Deps, 'database'>, actor: Actor, userId: string, role: Role): Promise<void> {
  requirePermission(actor, 'members.write');
  await database.queries.transaction().execute(async (transaction) => {
    const before = await lockMember(transaction, actor, userId);
    if (before === 'owner' || role === 'owner') requirePermission(actor, 'owners.write');
    if (before === 'owner' && role !== 'owner') await requireOtherOwner(transaction, actor.organisationId);
    await updateMemberRole(transaction, actor.organisationId, userId, role);
  });
}

/**
 * Removes a member; everyone may remove themselves.
 * @throws DocentError `role_missing`, `member_not_found`, `last_owner`
 */
export async function removeMember({ database }: Pick<Deps, 'database'>, actor: Actor, userId: string): Promise<void> {
  const isOwn = actor.kind === 'member' && actor.userId === userId;
  if (!isOwn) requirePermission(actor, 'members.write');
  await database.queries.transaction().execute(async (transaction) => {
    const role = await lockMember(transaction, actor, userId);
    if (role === 'owner' && !isOwn) requirePermission(actor, 'owners.write');
    if (role === 'owner') await requireOtherOwner(transaction, actor.organisationId);
    await deleteMember(transaction, actor.organisationId, userId);
  });
}

/** Returns the role of a member, locked until the transaction ends. */
async function lockMember(transaction: QueryRunner, actor: Actor, userId: string): Promise<Role> {
  await lockOrganisation(transaction, actor.organisationId);
  const role = isUlid(userId) ? await findMemberRole(transaction, actor.organisationId, userId) : undefined;
  if (role === undefined) throw new DocentError('member_not_found', 'The organization has no such member.');
  return role;
}

async function requireOtherOwner(transaction: QueryRunner, organisationId: string): Promise<void> {
  if ((await countOwners(transaction, organisationId)) > 1) return;
  throw new DocentError('last_owner', 'This is the last owner of the organization; make someone else an owner first.');
}

/**
 * Returns the member that a session acts as in an organization.
 * @param organization its id or identifier; defaults to the person's first one
 * @param onKnown called with the member before checking whether they need a second factor
 * @throws DocentError `unauthenticated` if the session was revoked, `organisation_not_found`, `two_factor_required`
 */
export async function findMember(
  { database, config }: Pick<Deps, 'database' | 'config'>,
  { sessionId, userId }: { sessionId: string; userId: string },
  organisation: string | undefined,
  onKnown: (actor: Actor) => void,
): Promise<Actor> {
  const found = await findSessionMembership(database.queries, { sessionId, userId }, organisation);
  if (!found) {
    if (!(await isSessionKept(database.queries, sessionId)))
      throw new DocentError('unauthenticated', 'The session has ended; sign in again.');
    throw new DocentError(
      'organisation_not_found',
      organisation === undefined
        ? 'You are not a member of any organization; ask an admin for an invitation.'
        : 'You are not a member of the organization in Docent-Organisation; GET /v1/session lists yours.',
    );
  }
  const { organisationId, plan, role } = found;
  const actor: Actor = { kind: 'member', userId, sessionId, role, organisationId, plan };
  onKnown(actor);
  if (found.twoFactorRequired && config.passwords && found.hasPassword && !found.twoFactorEnabled)
    throw new DocentError(
      'two_factor_required',
      'The organization requires two-factor authentication; turn it on in your account.',
    );
  return actor;
}

/** The operator's actions on accounts. Each takes an id or an email address and throws `user_not_found`. */
export function manageUsers({ database, accounts, config, clock }: Pick<Deps, 'database' | 'accounts' | 'config' | 'clock'>) {
  const find = async (name: string) => {
    const found = await findUser(database.queries, name);
    if (!found) throw new DocentError('user_not_found', `There is no account "${name.slice(0, 254)}".`);
    return found.id;
  };
  return {
    /** Returns the people who can sign in, oldest account first. */
    async list(actor: Actor, request: PageRequest): Promise<ListPage<AccountUser>> {
      requirePermission(actor, 'users.read');
      const page = await readPage(request, (slice) => listUsers(database.queries, slice), byCreation);
      return { ...page, rows: page.rows.map(({ createdAt, ...user }) => user) };
    },
    /** Returns a link that can set a password once, within an hour. */
    async resetPassword(actor: Actor, user: string): Promise<string> {
      requirePermission(actor, 'users.write');
      return `${config.publicUrl}/dashboard/reset/${await accounts.createPasswordReset(await find(user))}`;
    },
    /** Lets failed sign-ins until now no longer count. */
    async unlock(actor: Actor, user: string): Promise<void> {
      requirePermission(actor, 'users.write');
      await updateCountStart(database.queries, await find(user), clock.now());
    },
    async removeTwoFactor(actor: Actor, user: string): Promise<void> {
      requirePermission(actor, 'users.write');
      await accounts.removeTwoFactor(await find(user));
    },
    /** @throws DocentError `last_owner` if an organization would be left without one */
    async remove(actor: Actor, user: string): Promise<void> {
      requirePermission(actor, 'users.write');
      const id = await find(user);
      if (await isLastOwnerAnywhere(database.queries, id))
        throw new DocentError(
          'last_owner',
          'The account is the last owner of an organization; make someone else an owner first.',
        );
      await accounts.deleteUser(id);
    },
  };
}
