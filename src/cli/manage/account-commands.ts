import { type Command, Option } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { createOutput, type Output } from '../output.ts';

interface AccountOptions {
  organisation?: string;
  url?: string;
  key?: string;
  json?: boolean;
}

type Act<Options> = (
  accounts: typeof import('./accounts.ts').accountCommands,
  api: ApiClient,
  output: Output,
  options: Options,
  argument: string,
) => Promise<void>;

const ROLES = ['viewer', 'editor', 'admin', 'owner'];

/** `docent users …`, `docent members …` and `docent organizations …` */
export function addAccountCommands(program: Command, withServer: (command: Command) => Command, env: NodeJS.ProcessEnv): void {
  const add = <Options extends AccountOptions>(
    parent: Command,
    usage: string,
    description: string,
    act: Act<Options>,
    options: (command: Command) => Command = (command) => command,
  ) =>
    options(withServer(parent.command(usage)).description(description)).action(async (...args: unknown[]) => {
      // Commander passes the arguments, then the options, then the command.
      const given = args.at(-2) as Options;
      const argument = args.length > 2 ? (args[0] as string) : '';
      const { accountCommands } = await import('./accounts.ts');
      const { withApi } = await import('../connect.ts');
      await withApi(env, given, (api) => act(accountCommands, api, createOutput(given), given, argument));
    });
  const inOrganisation = (command: Command) =>
    command.option('--organisation <slug>', 'the organization; by default the first one on the server');
  const role = () => new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory();

  const users = program.command('users').description('Manage all accounts; for the operator, on the server itself');
  add(users, 'list', 'List everyone who can sign in', (accounts, api, output) => accounts.listUsers(api, output));
  add(users, 'reset <email>', 'Print a link for setting a new password', (accounts, api, output, _options, user) =>
    accounts.resetPassword(api, user, output),
  );
  add(
    users,
    'two-factor-off <email>',
    'Remove the second factor of someone who lost it',
    (accounts, api, output, _options, user) => accounts.removeTwoFactor(api, user, output),
  );
  add(users, 'remove <email>', 'Delete an account with its sessions and memberships', (accounts, api, output, _options, user) =>
    accounts.removeUser(api, user, output),
  );

  const members = program.command('members').description('The members of an organization');
  add(
    members,
    'list',
    'List the members',
    (accounts, api, output, options) => accounts.listMembers(api, options.organisation, output),
    inOrganisation,
  );
  add<AccountOptions & { role: string }>(
    members,
    'invite <email>',
    'Print an invitation link to the organization',
    (accounts, api, output, options, email) => accounts.inviteMember(api, { ...options, email }, output),
    (command) => inOrganisation(command).addOption(role()),
  );
  add<AccountOptions & { role: string }>(
    members,
    'role <email>',
    'Change the role of a member',
    (accounts, api, output, options, email) => accounts.changeRole(api, { ...options, email }, output),
    (command) => inOrganisation(command).addOption(role()),
  );
  add(
    members,
    'remove <email>',
    'End a membership',
    (accounts, api, output, options, email) => accounts.removeMember(api, options.organisation, email, output),
    inOrganisation,
  );

  const organisations = program.command('organisations').description('The organizations of the server');
  add<AccountOptions & { slug?: string }>(
    organisations,
    'create <name>',
    'Create an organization; invite its first owner afterwards',
    (accounts, api, output, options, name) => accounts.createOrganisation(api, name, options.slug, output),
    (command) => command.option('--slug <slug>', 'its identifier; derived from the name by default'),
  );
  add<AccountOptions & { plan: string }>(
    organisations,
    'plan <slug>',
    'Set the plan of an organization',
    (accounts, api, output, options, slug) => accounts.setPlan(api, slug, options.plan, output),
    (command) =>
      command.addOption(new Option('--plan <plan>', 'the plan').choices(['free', 'pro', 'enterprise']).makeOptionMandatory()),
  );
}
