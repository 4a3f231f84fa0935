import { type Command, Option } from 'commander';
import { ROLES } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import type { ApiClient, Schema } from '../api-client.ts';
import { formatTable } from '../output.ts';
import { readAll, type ServerCommands, type ServerOptions } from './server-commands.ts';

interface OrganisationOptions extends ServerOptions {
  organisation?: string;
}

interface RoleOptions extends OrganisationOptions {
  role: string;
}

const userPath = (user: string, rest = '') => `/v1/users/${encodeURIComponent(user)}${rest}`;
const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/** `docent users …`, `docent members …` and `docent organisations …` */
export function addAccountCommands(commands: ServerCommands): void {
  addUserCommands(commands);
  addMemberCommands(commands);
  addOrganisationCommands(commands);
}

function addUserCommands({ program, add, action }: ServerCommands): void {
  const users = program.command('users').description('Manage all accounts; for the operator, on the server itself');
  add(users, 'list', 'List everyone who can sign in').action(
    action(async (api, output) => {
      const { users: found } = await api.request<{ users: Schema<'User'>[] }>({ method: 'GET', path: '/v1/users' });
      const rows = found.map(({ id, email, name, twoFactorEnabled }) => [id, email, onOrOff(twoFactorEnabled), name]);
      output.print(formatTable([['ID', 'EMAIL', 'TWO-FACTOR', 'NAME'], ...rows]));
      output.json({ users: found });
    }),
  );
  add(users, 'reset <email>', 'Print a link for setting a new password').action(
    action(async (api, output, user: string) => {
      const created = await api.request<{ url: string }>({ method: 'POST', path: userPath(user, '/password-reset') });
      output.print(created.url);
      if (!output.isJson) output.note('The link sets a new password once, within an hour.');
      output.json(created);
    }),
  );
  add(users, 'two-factor-off <email>', 'Remove the second factor of someone who lost it').action(
    action(async (api, output, user: string) => {
      await api.request({ method: 'DELETE', path: userPath(user, '/two-factor') });
      output.print(`${user} now signs in with the password only.`);
      output.json({ user, twoFactorEnabled: false });
    }),
  );
  add(users, 'remove <email>', 'Delete an account with its sessions and memberships').action(
    action(async (api, output, user: string) => {
      await api.request({ method: 'DELETE', path: userPath(user) });
      output.print(`Deleted the account ${user}.`);
      output.json({ user, deleted: true });
    }),
  );
}

function addMemberCommands({ program, add, action }: ServerCommands): void {
  const members = program.command('members').description('The members of an organization');
  const inOrganisation = (command: Command) =>
    command.option('--organisation <slug>', 'the organization; by default the first one on the server');
  const role = () => new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory();
  inOrganisation(add(members, 'list', 'List the members')).action(
    action(async (api, output, { organisation }: OrganisationOptions) => {
      const found = await readMembers(api, organisation);
      const rows = found.map((one) => [
        one.userId,
        one.email,
        one.role,
        onOrOff(one.twoFactorEnabled),
        one.createdAt.slice(0, 10),
        one.name,
      ]);
      output.print(formatTable([['ID', 'EMAIL', 'ROLE', 'TWO-FACTOR', 'SINCE', 'NAME'], ...rows]));
      output.json({ members: found });
    }),
  );
  inOrganisation(add(members, 'invite <email>', 'Print an invitation link to the organization'))
    .addOption(role())
    .action(
      action(async (api, output, email: string, { organisation, role }: RoleOptions) => {
        const path = '/v1/organisation/invitations';
        const created = await api.request<{ url: string }>({ method: 'POST', path, body: { email, role }, organisation });
        output.print(created.url);
        if (!output.isJson) output.note(`Send the link to ${email}; it works once, within seven days.`);
        output.json(created);
      }),
    );
  inOrganisation(add(members, 'role <email>', 'Change the role of a member'))
    .addOption(role())
    .action(
      action(async (api, output, email: string, { organisation, role }: RoleOptions) => {
        const path = await memberPath(api, organisation, email);
        await api.request({ method: 'PATCH', path, body: { role }, organisation });
        output.print(`${email} is ${role} now.`);
        output.json({ email, role });
      }),
    );
  inOrganisation(add(members, 'remove <email>', 'End a membership')).action(
    action(async (api, output, email: string, { organisation }: OrganisationOptions) => {
      await api.request({ method: 'DELETE', path: await memberPath(api, organisation, email), organisation });
      output.print(`${email} is no longer a member.`);
      output.json({ email, removed: true });
    }),
  );
}

function readMembers(api: ApiClient, organisation: string | undefined): Promise<Schema<'Member'>[]> {
  return readAll(api, '/v1/organisation/members?limit=1000', organisation);
}

async function memberPath(api: ApiClient, organisation: string | undefined, user: string): Promise<string> {
  const members = await readMembers(api, organisation);
  const found = members.find(({ userId, email }) => userId === user || email === user.toLowerCase());
  if (!found) throw new DocentError('member_not_found', `The organization has no member "${user}".`);
  return `/v1/organisation/members/${found.userId}`;
}

function addOrganisationCommands({ program, add, action }: ServerCommands): void {
  const organisations = program.command('organisations').description('The organizations of the server');
  add(organisations, 'create <name>', 'Create an organization; invite its first owner afterwards')
    .option('--slug <slug>', 'its identifier; derived from the name by default')
    .action(
      action(async (api, output, name: string, { slug }: ServerOptions & { slug?: string }) => {
        const body = { name, ...(slug !== undefined && { slug }) };
        const created = await api.request<Schema<'Organisation'>>({ method: 'POST', path: '/v1/organisations', body });
        output.print(
          `Created ${created.slug}. Invite its owner: docent members invite <email> --role owner --organisation ${created.slug}`,
        );
        output.json(created);
      }),
    );
  add(organisations, 'plan <slug>', 'Set the plan of an organization, which is the highest that its owners can choose')
    .addOption(new Option('--plan <plan>', 'the plan').choices(['free', 'pro', 'enterprise']).makeOptionMandatory())
    .action(
      action(async (api, output, organisation: string, { plan }: ServerOptions & { plan: string }) => {
        const path = '/v1/organisation';
        const changed = await api.request<Schema<'Organisation'>>({ method: 'PATCH', path, body: { plan }, organisation });
        output.print(`The plan of ${changed.slug} is ${changed.plan}.`);
        output.json(changed);
      }),
    );
}
