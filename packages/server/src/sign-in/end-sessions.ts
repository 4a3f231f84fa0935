import { type Actor, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { deleteSessions, findMemberRole, findUser } from '../kernel/access/member-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { isUlid } from '../kernel/ids.ts';

/**
 * Ends all sessions of a member, also in other organizations. @throws DocentError `role_missing`,
 * `member_not_found`
 */
export async function endMemberSessions(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  userId: string,
): Promise<void> {
  requirePermission(actor, 'owners.write');
  const role = isUlid(userId)
    ? await findMemberRole(database.queries, actor.organizationId, userId)
    : undefined;
  if (role === undefined)
    throw new DocentError('member_not_found', 'The organization has no such member.');
  await deleteSessions(database.queries, userId);
}

/**
 * Ends all sessions of an account.
 * @param user its id or email address
 * @throws DocentError `operator_required`, `user_not_found`
 */
export async function endUserSessions(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  user: string,
): Promise<void> {
  requirePermission(actor, 'users.write');
  const account = await findUser(database.queries, user);
  if (!account)
    throw new DocentError('user_not_found', `There is no account "${user.slice(0, 254)}".`);
  await deleteSessions(database.queries, account.id);
}
