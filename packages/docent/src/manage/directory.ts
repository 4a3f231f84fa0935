import { DocentError } from '@docent/format/errors.ts';
import type { Schema } from '../kernel/api-client.ts';
import type { Commands } from '../kernel/commands.ts';
import { dayOf, formatTable } from '../kernel/output.ts';

interface RolesOptions {
  default?: string;
  group?: string[];
}

const PATH = '/v1/organization/directory';

/** `docent directory …` */
export function addDirectoryCommands({ program, addForOrganization }: Commands): void {
  const parent = program
    .command('directory')
    .description('The directory that sends the people of an organization by SCIM');
  addForOrganization(
    parent,
    'show',
    'Show the address, the token and the roles of the directory',
  ).run(async (api, output) => {
    const directory = await api.get<Schema<'Directory'>>(PATH);
    output.result(textOf(directory), directory);
  });
  addForOrganization(
    parent,
    'token',
    'Print a new token for the directory, which replaces the former one',
  ).run(async (api, output) => {
    const created = await api.post<{ token: string }>(`${PATH}/token`);
    output.result(created.token, created, 'It is not shown again. The former one has ended.');
  });
  addForOrganization(
    parent,
    'remove-token',
    'No longer accept people from the directory; members stay',
  ).run(async (api, output) => {
    await api.delete(`${PATH}/token`);
    output.result('The directory has no token now.', { removed: true });
  });
  addForOrganization(parent, 'roles', 'Set the roles of groups, in place of the former ones')
    .option('--default <role>', 'role of people in no group with a role')
    .option('--group <name=role...>', 'role of a group, for example "Docs team=editor"')
    .run(async (api, output, { default: defaultRole, group }: RolesOptions) => {
      const body = { defaultRole, groupRoles: (group ?? []).map(readGroupRole) };
      const directory = await api.patch<Schema<'Directory'>>(PATH, body);
      output.result(textOf(directory), directory);
    });
}

/** Reads `name=role`; the name may contain `=`. @throws DocentError `invalid_request` */
export function readGroupRole(text: string): { group: string; role: string } {
  const end = text.lastIndexOf('=');
  if (end > 0) return { group: text.slice(0, end), role: text.slice(end + 1) };
  throw new DocentError(
    'invalid_request',
    `"${text}" is not a group with a role; write it as "Docs team=editor".`,
  );
}

function textOf({ url, token, defaultRole, groupRoles, groups }: Schema<'Directory'>): string {
  const used = token?.usedAt ? `, last used on ${dayOf(token.usedAt)}` : '';
  return formatTable([
    ['Address', url],
    ['Token', token ? `created on ${dayOf(token.createdAt)}${used}` : 'none'],
    ['Default role', defaultRole],
    ...groupRoles.map(({ group, role }) => [`Group "${group}"`, role]),
    ['Groups', groups.join(', ') || '-'],
  ]);
}
