import { DocentError } from '../../core/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

interface User {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
}

interface Member extends Omit<User, 'id'> {
  userId: string;
  role: string;
  createdAt: string;
}

const userPath = (user: string, rest = '') => `/v1/users/${encodeURIComponent(user)}${rest}`;
const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/** `docent users list` */
async function listUsers(api: ApiClient, output: Output): Promise<void> {
  const { users } = await api.request<{ users: User[] }>({ method: 'GET', path: '/v1/users' });
  const rows = users.map(({ id, email, name, twoFactorEnabled }) => [id, email, onOrOff(twoFactorEnabled), name]);
  output.print(formatTable([['ID', 'EMAIL', 'TWO-FACTOR', 'NAME'], ...rows]));
  output.json({ users });
}

/** `docent users reset <email>` */
async function resetPassword(api: ApiClient, user: string, output: Output): Promise<void> {
  const created = await api.request<{ url: string }>({ method: 'POST', path: userPath(user, '/password-reset') });
  output.print(created.url);
  if (!output.isJson) output.note('The link sets a new password once, within an hour.');
  output.json(created);
}

/** `docent users two-factor-off <email>` */
async function removeTwoFactor(api: ApiClient, user: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: userPath(user, '/two-factor') });
  output.print(`${user} now signs in with the password only.`);
  output.json({ user, twoFactorEnabled: false });
}

/** `docent users remove <email>` */
async function removeUser(api: ApiClient, user: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: userPath(user) });
  output.print(`Deleted the account ${user}.`);
  output.json({ user, deleted: true });
}

async function readMembers(api: ApiClient, organisation: string | undefined): Promise<Member[]> {
  const members: Member[] = [];
  let cursor: string | null = null;
  do {
    const asked: string = cursor === null ? '' : `&cursor=${cursor}`;
    const path = `/v1/organisation/members?limit=1000${asked}`;
    const page: { items: Member[]; nextCursor: string | null } = await api.request({ method: 'GET', path, organisation });
    members.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return members;
}

async function memberPath(api: ApiClient, organisation: string | undefined, user: string): Promise<string> {
  const members = await readMembers(api, organisation);
  const found = members.find(({ userId, email }) => userId === user || email === user.toLowerCase());
  if (!found) throw new DocentError('member_not_found', `The organization has no member "${user}".`);
  return `/v1/organisation/members/${found.userId}`;
}

/** `docent members list` */
async function listMembers(api: ApiClient, organisation: string | undefined, output: Output): Promise<void> {
  const members = await readMembers(api, organisation);
  const rows = members.map(({ userId, email, role, twoFactorEnabled, createdAt, name }) => [
    userId,
    email,
    role,
    onOrOff(twoFactorEnabled),
    createdAt.slice(0, 10),
    name,
  ]);
  output.print(formatTable([['ID', 'EMAIL', 'ROLE', 'TWO-FACTOR', 'SINCE', 'NAME'], ...rows]));
  output.json({ members });
}

interface RoleOptions {
  organisation?: string;
  email: string;
  role: string;
}

/** `docent members invite <email> --role <role>` */
async function inviteMember(api: ApiClient, { organisation, email, role }: RoleOptions, output: Output): Promise<void> {
  const path = '/v1/organisation/invitations';
  const created = await api.request<{ url: string }>({ method: 'POST', path, body: { email, role }, organisation });
  output.print(created.url);
  if (!output.isJson) output.note(`Send the link to ${email}; it works once, within seven days.`);
  output.json(created);
}

/** `docent members role <email> --role <role>` */
async function changeRole(api: ApiClient, { organisation, email, role }: RoleOptions, output: Output): Promise<void> {
  await api.request({ method: 'PATCH', path: await memberPath(api, organisation, email), body: { role }, organisation });
  output.print(`${email} is ${role} now.`);
  output.json({ email, role });
}

/** `docent members remove <email>` */
async function removeMember(api: ApiClient, organisation: string | undefined, email: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: await memberPath(api, organisation, email), organisation });
  output.print(`${email} is no longer a member.`);
  output.json({ email, removed: true });
}

interface Organisation {
  slug: string;
  plan: string;
}

/** `docent organizations create <name>` */
async function createOrganisation(api: ApiClient, name: string, slug: string | undefined, output: Output): Promise<void> {
  const body = { name, ...(slug !== undefined && { slug }) };
  const created = await api.request<Organisation>({ method: 'POST', path: '/v1/organisations', body });
  output.print(
    `Created ${created.slug}. Invite its owner: docent members invite <email> --role owner --organisation ${created.slug}`,
  );
  output.json(created);
}

/** `docent organizations plan <slug> --plan <plan>` */
async function setPlan(api: ApiClient, slug: string, plan: string, output: Output): Promise<void> {
  const body = { plan };
  const changed = await api.request<Organisation>({ method: 'PATCH', path: '/v1/organisation', body, organisation: slug });
  output.print(`The plan of ${changed.slug} is ${changed.plan}.`);
  output.json(changed);
}

/** Implementations of the account commands. */
export const accountCommands = {
  listUsers,
  resetPassword,
  removeTwoFactor,
  removeUser,
  listMembers,
  inviteMember,
  changeRole,
  removeMember,
  createOrganisation,
  setPlan,
};
