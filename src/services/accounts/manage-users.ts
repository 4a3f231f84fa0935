import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { findUser, isLastOwnerAnywhere, listUsers } from '../../db/members.ts';
import type { ListSlice } from '../../db/query-parts.ts';
import type { AccountUser } from '../../ports/accounts.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../list-pages.ts';

/** The operator's actions on accounts. Each takes an id or an email address and throws `user_not_found`. */
export function manageUsers({ database, accounts, config }: Pick<Deps, 'database' | 'accounts' | 'config'>) {
  const find = async (name: string) => {
    const found = await findUser(database.queries, name);
    if (!found) throw new DocentError('user_not_found', `There is no account "${name.slice(0, 254)}".`);
    return found.id;
  };
  return {
    /** Returns the people who can sign in, oldest account first. */
    async list(actor: Actor, request: PageRequest): Promise<ListPage<AccountUser>> {
      requirePermission(actor, 'users.read');
      const read = (slice: ListSlice) => listUsers(database.queries, slice);
      const page = await readPage(request, { isId: isUlid, placeOf: byCreation, read });
      return { ...page, rows: page.rows.map(({ createdAt, ...user }) => user) };
    },
    /** Returns a link that can set a password once, within an hour. */
    async resetPassword(actor: Actor, user: string): Promise<string> {
      requirePermission(actor, 'users.write');
      return `${config.publicUrl}/dashboard/reset/${await accounts.createPasswordReset(await find(user))}`;
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
