import { AUDIT_KINDS } from '@docent/format/access/audit-words.ts';
import { PLANS } from '@docent/format/access/may.ts';
import { Option } from 'commander';
import type { Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type PageOptions,
  printPage,
  type Texts,
  withPaging,
  withQuery,
} from '../kernel/commands.ts';
import { dayOf, formatTable, makerName, onOrOff } from '../kernel/output.ts';
import { addMemberCommands } from './members.ts';

/**
 * `docent keys …`, `docent users …`, `docent members …`, `docent organizations …` and `docent audit`
 */
export function addAccessCommands(commands: Commands): void {
  addKeyCommands(commands);
  addUserCommands(commands);
  addMemberCommands(commands);
  addOrganizationCommands(commands);
  addAuditCommand(commands);
}

interface KeyOptions {
  kind: 'assistant' | 'admin';
  name: string;
  site?: string;
  onlySite?: string[];
  expiresInDays?: string;
  scope?: string[];
  ip?: string[];
  origin?: string[];
}

function addKeyCommands({ program, add }: Commands): void {
  const keys = program.command('keys').description('Create, list, change and revoke API keys');
  add(keys, 'create', 'Create a key and print it; it is shown this once')
    .addOption(
      new Option('--kind <kind>', 'the purpose of the key')
        .choices(['assistant', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--site <slug>', 'site of an assistant key')
    .option('--only-site <slug...>', 'sites that an admin key is bound to; by default all')
    .option('--name <name>', 'name shown in lists', 'created on the command line')
    .choice('--expires-in-days <days>', '90 by default', ['7', '30', '60', '90', 'never'])
    .option('--scope <scope...>', 'read, write or keys; for admin keys')
    .option('--ip <address...>', 'addresses or CIDR ranges that may use the key')
    .option('--origin <origin...>', 'web origins that may use the key; for assistant keys')
    .run(
      async (
        api,
        output,
        { kind, name, expiresInDays: days, site, onlySite, scope, ip, origin }: KeyOptions,
      ) => {
        const expiresInDays = days === 'never' ? null : days && Number(days);
        const bounds = {
          siteIds: onlySite,
          scopes: scope,
          ipAllowlist: ip,
          originAllowlist: origin,
        };
        const body = { kind, name, expiresInDays, site, ...bounds };
        const created = await api.post<{ key: string } & Schema<'ApiKey'>>('/v1/keys', body);
        const expiry =
          created.expiresAt === null
            ? 'It never expires.'
            : `It expires on ${dayOf(created.expiresAt)}.`;
        output.result(created.key, created, expiry);
      },
    );
  add(keys, 'list', 'List the keys of the organization, masked').run(async (api, output) => {
    const answer = await api.get<{ keys: Schema<'ApiKey'>[] }>('/v1/keys');
    const head = [
      'ID',
      'KIND',
      'SITE',
      'SCOPES',
      'KEY',
      'CREATED',
      'BY',
      'EXPIRES',
      'LAST USED',
      'NAME',
    ];
    output.result(formatTable([head, ...answer.keys.map(keyCells)]), answer);
  });
  add(keys, 'change <id>', 'Change the name of a key, or the origins of an assistant key')
    .option('--name <name>', 'name shown in lists')
    .option('--origin <origin...>', 'web origins that may use the key, in place of the former')
    .option('--any-origin', 'let pages of every origin use the key')
    .run(
      async (
        api,
        output,
        id: string,
        { name, origin, anyOrigin }: Partial<KeyOptions> & { anyOrigin?: true },
      ) => {
        const originAllowlist = anyOrigin ? [] : origin;
        const changed = await api.patch<Schema<'ApiKey'>>(apiPath`/v1/keys/${id}`, {
          name,
          originAllowlist,
        });
        const origins = changed.originAllowlist.join(', ') || 'every origin';
        const use = changed.kind === 'assistant' ? `; ${origins} may use it` : '';
        output.result(`Changed ${changed.name}${use}.`, changed);
      },
    );
  add(
    keys,
    'revoke <id>',
    'Revoke a key at once, and the keys and invitations that it created',
  ).run(async (api, output, id: string) => {
    await api.delete(apiPath`/v1/keys/${id}`);
    output.result(`Revoked ${id} and the keys and invitations that it created.`, {
      id,
      revoked: true,
    });
  });
}

/** A key that was bound to sites stays bound when these are deleted. */
function sitesOf({ kind, site, siteIds, sites }: Schema<'ApiKey'>): string {
  if (kind === 'assistant') return site ?? '-';
  return siteIds.length === 0 ? 'all' : sites.join(',') || '-';
}

function keyCells(key: Schema<'ApiKey'>): string[] {
  const scopes = key.kind === 'assistant' ? '-' : key.scopes.join(',') || 'all';
  const expiry = key.expiresAt === null ? 'never' : dayOf(key.expiresAt);
  const expires = key.revokedAt === null ? expiry : 'revoked';
  const lastUsed = key.lastUsedAt === null ? 'never' : dayOf(key.lastUsedAt);
  return [
    key.id,
    key.kind,
    sitesOf(key),
    scopes,
    key.masked,
    dayOf(key.createdAt),
    makerName(key.createdBy),
    expires,
    lastUsed,
    key.name,
  ];
}

function addUserCommands({ program, add }: Commands): void {
  const users = program
    .command('users')
    .description('Manage all accounts; for the operator, on the server itself');
  add(users, 'list', 'List everyone who can sign in').run(async (api, output) => {
    const answer = await api.get<{ users: Schema<'User'>[] }>('/v1/users');
    const rows = answer.users.map(({ id, email, name, twoFactorEnabled }) => [
      id,
      email,
      onOrOff(twoFactorEnabled),
      name,
    ]);
    output.result(formatTable([['ID', 'EMAIL', 'TWO-FACTOR', 'NAME'], ...rows]), answer);
  });
  add(users, 'email <email> <new-email>', 'Change the address that someone signs in with').run(
    async (api, output, user: string, email: string) => {
      await api.patch(apiPath`/v1/users/${user}`, { email });
      output.result(`${user} now signs in as ${email}.`, { user, email });
    },
  );
  add(users, 'reset <email>', 'Print a link for setting a new password').run(
    async (api, output, user: string) => {
      const created = await api.post<{ url: string }>(apiPath`/v1/users/${user}/password-reset`);
      output.result(created.url, created, 'The link sets a new password once, within an hour.');
    },
  );
  add(users, 'unlock <email>', 'Let someone who tried too many passwords sign in again').run(
    async (api, output, user: string) => {
      await api.post(apiPath`/v1/users/${user}/unlock`);
      output.result(`${user} may try to sign in again.`, { user, unlocked: true });
    },
  );
  add(users, 'sign-out <email>', 'End all sessions of someone').run(
    async (api, output, user: string) => {
      await api.delete(apiPath`/v1/users/${user}/sessions`);
      output.result(`${user} is signed out everywhere.`, { user, signedOut: true });
    },
  );
  add(users, 'two-factor-off <email>', 'Remove the second factor of someone who lost it').run(
    async (api, output, user: string) => {
      await api.delete(apiPath`/v1/users/${user}/two-factor`);
      output.result(`${user} now signs in with the password only.`, {
        user,
        twoFactorEnabled: false,
      });
    },
  );
  add(users, 'remove <email>', 'Delete an account with its sessions and memberships').run(
    async (api, output, user: string) => {
      await api.delete(apiPath`/v1/users/${user}`);
      output.result(`Deleted the account ${user}.`, { user, deleted: true });
    },
  );
}

function addOrganizationCommands({ program, add }: Commands): void {
  const organizations = program
    .command('organizations')
    .description('The organizations of the server');
  add(organizations, 'create <name>', 'Create an organization; invite its first owner afterwards')
    .option('--slug <slug>', 'its identifier; derived from the name by default')
    .run(async (api, output, name: string, { slug }: Texts<'slug'>) => {
      const created = await api.post<Schema<'Organization'>>('/v1/organizations', {
        name,
        slug,
      });
      output.result(
        `Created ${created.slug}. Invite its owner: docent members invite <email> --role owner --organization ${created.slug}`,
        created,
      );
    });
  add(organizations, 'list', 'List the organizations of the server').run(async (api, output) => {
    const answer = await api.request<{ items: Schema<'OrganizationSummary'>[] }>(
      'GET',
      '/v1/organizations',
    );
    const rows = answer.items.map(({ slug, plan, members, sites, createdAt, name }) => [
      slug,
      plan,
      String(members),
      String(sites),
      dayOf(createdAt),
      name,
    ]);
    const head = ['IDENTIFIER', 'PLAN', 'MEMBERS', 'SITES', 'CREATED', 'NAME'];
    output.result(formatTable([head, ...rows]), answer);
  });
  add(
    organizations,
    'change <slug>',
    'Change the name or the identifier of an organization; its former identifier still leads to it',
  )
    .option('--name <name>', 'its name')
    .option('--slug <slug>', 'its identifier')
    .run(async (api, output, organization: string, { name, slug }: Texts<'name' | 'slug'>) => {
      const changes = { name, slug };
      const changed = await api.patch<Schema<'Organization'>>('/v1/organization', changes, {
        organization,
      });
      output.result(`${changed.slug} is "${changed.name}".`, changed);
    });
  add(organizations, 'delete <slug>', 'Delete an organization with everything in it')
    .requiredOption('--confirm <slug>', 'its identifier again, as confirmation')
    .run(async (api, output, organization: string, { confirm }: { confirm: string }) => {
      const route = apiPath`/v1/organization?confirm=${confirm}`;
      await api.request('DELETE', route, undefined, { organization });
      output.result(`Deleted ${organization} with everything in it.`, {
        organization,
        deleted: true,
      });
    });
  add(
    organizations,
    'plan <slug>',
    'Set the plan of an organization, which is the highest that its owners can choose',
  )
    .addOption(new Option('--plan <plan>', 'the plan').choices(PLANS).makeOptionMandatory())
    .run(async (api, output, organization: string, { plan }: { plan: string }) => {
      const changed = await api.patch<Schema<'Organization'>>(
        '/v1/organization',
        { plan },
        { organization },
      );
      output.result(`The plan of ${changed.slug} is ${changed.plan}.`, changed);
    });
}

type AuditOptions = PageOptions &
  Texts<'actor' | 'action' | 'thing' | 'site' | 'kind' | 'outcome' | 'search' | 'from' | 'to'>;

function addAuditCommand({ program, add }: Commands): void {
  const audit = add(program, 'audit', 'Show who changed what in the organization, newest first')
    .option(
      '--actor <id>',
      'only actions of this person or key; "operator" for commands on the server',
    )
    .option('--action <operation>', 'only this operation, for example createKey')
    .option('--thing <id>', 'only actions on this site, key or job')
    .option('--site <site>', 'only actions on this site and what belongs to it')
    .choice('--kind <kind>', 'only changes of this kind', Object.keys(AUDIT_KINDS))
    .choice('--outcome <outcome>', 'only with this outcome', ['done', 'refused', 'failed'])
    .option('--search <words>', 'only entries that contain these words')
    .option('--from <time>', 'from this date or time on')
    .option('--to <time>', 'up to this date or time');
  withPaging(audit, 1000, 50, 'maximum number of entries').run(
    async (api, output, options: AuditOptions) => {
      const { site: siteId, search: q, from: dateFrom, to: dateTo } = options;
      const { actor, action, thing, kind, outcome, limit, cursor } = options;
      const named = { actor, action, thing, kind, outcome, limit, cursor };
      const path = withQuery('/v1/audit-log', { ...named, siteId, q, dateFrom, dateTo });
      const page = await api.get<{ items: Schema<'AuditEntry'>[]; nextCursor: string | null }>(
        path,
      );
      printPage(output, page, [
        ['TIME', 'WHAT', 'ADDRESS', 'OUTCOME'],
        ...page.items.map(auditCells),
      ]);
    },
  );
}

function auditCells({ time, sentence, address, outcome, code }: Schema<'AuditEntry'>): string[] {
  return [time, sentence, address ?? '-', code === null ? outcome : `${outcome} (${code})`];
}
