import { type Actor, actorId, type Role, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Consequence } from '../kernel/access/consequence.ts';
import {
  countOwners,
  deleteMember,
  findMemberRole,
  findOtherOwner,
  findUser,
  isLastOwnerAnywhere,
  listMembers as listMemberRows,
  listMemberships,
  listUsers,
  type MemberRow,
  updateCountStart,
  updateMemberRole,
} from '../kernel/access/member-queries.ts';
import type { ListSlice } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import { isUlid } from '../kernel/ids.ts';
import { lockOrganization } from '../kernel/jobs/slot-queries.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import type { EndedAccess } from '../keys/revoke-keys.ts';
import type { AccountUser } from '../ports/accounts.ts';
import type { QueryRunner } from '../ports/database.ts';
import {
  endGivenAccess,
  type GivenAccess,
  listGivenAccess,
  type Succession,
} from './given-access.ts';

/**
 * Returns the members of the actor's organization in the order in which they joined. @throws
 * DocentError `invalid_request`
 */
export async function listMembers(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  request: PageRequest,
): Promise<ListPage<MemberRow>> {
  requirePermission(actor, 'organization.read');
  const read = (slice: ListSlice) => listMemberRows(database.queries, actor.organizationId, slice);
  return readPage(request, read, ({ createdAt: at, userId: id }) => ({ at, id }));
}

type MemberDeps = Pick<Deps, 'database' | 'clock' | 'keyCache'>;

/**
 * Returns the keys, open invitations and streams that a member created and that end, or are taken
 * over, when they leave.
 * @param role instead, when they get this role
 * @throws DocentError `role_missing`, `member_not_found`
 */
export async function readGivenAccess(
  { database, clock }: MemberDeps,
  actor: Actor,
  userId: string,
  role: Role | null,
): Promise<GivenAccess> {
  requirePermission(actor, 'members.read');
  const { queries } = database;
  const { organizationId } = actor;
  if (!isUlid(userId) || (await findMemberRole(queries, organizationId, userId)) === undefined)
    throw memberNotFound();
  return listGivenAccess(queries, { organizationId, userId, role }, clock.now());
}

/**
 * Changes a member's role. Only owners can grant or revoke the role of owner. What the member could
 * not give with a lower role ends with the higher one.
 * @param access whether keys and open invitations that the member created are revoked, or taken
 *   over by the actor
 * @returns what was revoked or taken over
 * @throws DocentError `role_missing`, `member_not_found`, `last_owner`; `invalid_request` for
 *   keeping the own access
 */
export async function changeRole(
  deps: MemberDeps,
  actor: Actor,
  userId: string,
  { role, access = 'revoke' }: { role: Role; access?: Succession['access'] | undefined },
): Promise<Consequence[]> {
  requirePermission(actor, 'members.write');
  const ended = await deps.database.queries.transaction().execute(async (transaction) => {
    const before = await lockMember(transaction, actor, userId);
    if (before === 'owner' || role === 'owner') requirePermission(actor, 'owners.write');
    if (before === 'owner' && role !== 'owner')
      await requireOtherOwner(transaction, actor.organizationId);
    await updateMemberRole(transaction, actor.organizationId, userId, role);
    const heir = await heirOf(transaction, actor, userId, access);
    const giver = { organizationId: actor.organizationId, userId, role };
    return endGivenAccess(transaction, giver, { access, heir }, deps.clock.now());
  });
  return refuseKeys(deps, ended);
}

/**
 * Removes a member; everyone may remove themselves. Their sessions, keys and open invitations end
 * at once.
 * @param access whether keys and open invitations that the member created are revoked, or taken
 *   over by the actor
 * @returns what was revoked or taken over
 * @throws DocentError `role_missing`, `member_not_found`, `last_owner`; `invalid_request` for
 *   keeping the own access
 */
export async function removeMember(
  deps: MemberDeps,
  actor: Actor,
  userId: string,
  access: Succession['access'] = 'revoke',
): Promise<Consequence[]> {
  const isOwn = isSelf(actor, userId);
  if (!isOwn) requirePermission(actor, 'members.write');
  const ended = await deps.database.queries.transaction().execute(async (transaction) => {
    const role = await lockMember(transaction, actor, userId);
    if (role === 'owner' && !isOwn) requirePermission(actor, 'owners.write');
    if (role === 'owner') await requireOtherOwner(transaction, actor.organizationId);
    const heir = await heirOf(transaction, actor, userId, access);
    await deleteMember(transaction, actor.organizationId, userId);
    const giver = { organizationId: actor.organizationId, userId, role: null };
    return endGivenAccess(transaction, giver, { access, heir }, deps.clock.now());
  });
  return refuseKeys(deps, ended);
}

function isSelf(actor: Actor, userId: string): boolean {
  return actor.kind === 'member' && actor.userId === userId;
}

/**
 * Returns who takes over what a member leaves behind: the actor, or an owner if the member leaves on
 * their own or the directory removes them.
 */
async function heirOf(
  transaction: QueryRunner,
  actor: Actor,
  userId: string,
  access: Succession['access'],
): Promise<string> {
  if (actor.kind !== 'directory' && !isSelf(actor, userId)) return actorId(actor);
  if (access === 'keep')
    throw new DocentError(
      'invalid_request',
      'Nobody keeps the access that they gave themselves; ask another admin to take it over.',
    );
  return (await findOtherOwner(transaction, actor.organizationId, userId)) ?? userId;
}

function refuseKeys(
  { keyCache }: MemberDeps,
  { keyIds, consequences }: EndedAccess,
): Consequence[] {
  for (const id of keyIds) keyCache.invalidate(id);
  return consequences;
}

/** Returns the role of a member, locked until the transaction ends. */
async function lockMember(transaction: QueryRunner, actor: Actor, userId: string): Promise<Role> {
  await lockOrganization(transaction, actor.organizationId);
  const role = isUlid(userId)
    ? await findMemberRole(transaction, actor.organizationId, userId)
    : undefined;
  if (role === undefined) throw memberNotFound();
  return role;
}

function memberNotFound(): DocentError {
  return new DocentError('member_not_found', 'The organization has no such member.');
}

async function requireOtherOwner(transaction: QueryRunner, organizationId: string): Promise<void> {
  if ((await countOwners(transaction, organizationId)) > 1) return;
  throw new DocentError(
    'last_owner',
    'This is the last owner of the organization; make someone else an owner first.',
  );
}

/**
 * The operator's actions on accounts. Each takes an id or an email address and throws
 * `user_not_found`.
 */
export function manageUsers({
  accounts,
  config,
  ...deps
}: MemberDeps & Pick<Deps, 'accounts' | 'config'>) {
  const { database, clock } = deps;
  const find = async (name: string) => {
    const account = await findUser(database.queries, name);
    if (!account)
      throw new DocentError('user_not_found', `There is no account "${name.slice(0, 254)}".`);
    return account.id;
  };
  return {
    /** Returns the people who can sign in, oldest account first. */
    async list(actor: Actor, request: PageRequest): Promise<ListPage<AccountUser>> {
      requirePermission(actor, 'users.read');
      const page = await readPage(
        request,
        (slice) => listUsers(database.queries, slice),
        byCreation,
      );
      return { ...page, rows: page.rows.map(({ createdAt, ...user }) => user) };
    },
    /** Returns a link that can set a password once, within an hour. */
    async resetPassword(actor: Actor, user: string): Promise<string> {
      requirePermission(actor, 'users.write');
      return `${config.publicUrl}/dashboard/reset/${await accounts.createPasswordReset(await find(user))}`;
    },
    /**
     * Changes the address that the person signs in with; their sessions stay.
     * @throws DocentError `account_exists` if the address has an account
     */
    async changeEmail(actor: Actor, user: string, email: string): Promise<void> {
      requirePermission(actor, 'users.write');
      await accounts.changeEmail(await find(user), email);
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
    /**
     * Deletes an account, and in every organization the access that it gave. The operator takes
     * over its streams.
     * @returns what was revoked or taken over
     * @throws DocentError `last_owner` if an organization would be left without one
     */
    async remove(actor: Actor, user: string): Promise<Consequence[]> {
      requirePermission(actor, 'users.write');
      const id = await find(user);
      if (await isLastOwnerAnywhere(database.queries, id))
        throw new DocentError(
          'last_owner',
          'The account is the last owner of an organization; make someone else an owner first.',
        );
      const ended: EndedAccess[] = [];
      for (const { organizationId } of await listMemberships(database.queries, id)) {
        const giver = { organizationId, userId: id, role: null };
        const end = await database.queries.transaction().execute(async (transaction) => {
          await lockOrganization(transaction, organizationId);
          await deleteMember(transaction, organizationId, id);
          return endGivenAccess(
            transaction,
            giver,
            { access: 'revoke', heir: actorId(actor) },
            clock.now(),
          );
        });
        ended.push(end);
      }
      await accounts.deleteUser(id);
      return ended.flatMap((end) => refuseKeys(deps, end));
    },
  };
}
