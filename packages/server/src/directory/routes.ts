import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { DIRECTORY_ROLES } from '../ports/people/directory-tables.ts';
import {
  changeDirectory,
  createDirectoryToken,
  deleteDirectoryToken,
  readDirectory,
} from './manage-directory.ts';
import { SCIM_PATH } from './scim-routes.ts';

const defaultRole = field.choice(
  DIRECTORY_ROLES,
  'Role of people in no group with a role. Owners are made by owners alone.',
);
const groupRoles = z
  .array(
    field.resource('GroupRole', 'A group of the directory with a role.', {
      group: z.string().min(1).max(300).describe('Name of the group, as the directory sends it.'),
      role: field.choice(DIRECTORY_ROLES, 'Role of its people; the highest counts.'),
    }),
  )
  .max(100)
  .describe(
    'Roles of groups. While there are any, the groups decide the roles of members; owners stay owners.',
  );

const directory = field.resource(
  'Directory',
  'The directory that sends the people of an organization.',
  {
    url: field.text('Address that the directory sends people to (SCIM 2.0).'),
    token: field.partOrNull('The token of the directory; `null`: none, so nothing is accepted.', {
      createdAt: field.time('When it was created.'),
      usedAt: field.time.orNull('When it was last used, by the minute.'),
    }),
    defaultRole,
    groupRoles,
    groups: field.texts('Names of the groups that the directory has sent.'),
  },
  {
    url: 'https://docs.acme.example/scim/v2',
    token: { createdAt: '2026-11-29T09:00:00.000Z', usedAt: '2026-11-29T10:30:00.000Z' },
    defaultRole: 'viewer' as const,
    groupRoles: [{ group: 'Docs team', role: 'editor' as const }],
    groups: ['Docs team', 'Support'],
  },
);

/** Registers the routes of `/v1/organization/directory`. */
export function directoryRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organization/directory';
  const viewOf = ({
    tokenCreatedAt: createdAt,
    tokenUsedAt: usedAt,
    defaultRole,
    groupRoles,
    groups,
  }: Awaited<ReturnType<typeof readDirectory>>) => ({
    url: deps.config.publicUrl + SCIM_PATH,
    token: createdAt && { createdAt, usedAt },
    defaultRole,
    groupRoles,
    groups,
  });
  operation({
    route: `GET ${url}`,
    operationId: 'getDirectory',
    summary: 'Get the directory',
    description:
      'Returns how the directory of your company sends people by SCIM. It needs the role `admin`.',
    permission: 'sign-in.read',
    answer: directory,
    run: async ({ actor }) => viewOf(await readDirectory(deps, actor)),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeDirectory',
    summary: 'Change the roles of the directory',
    description:
      'Changes what the request names. Members keep their role until the directory sends them, or one of their groups, again. It needs the role `owner`.',
    permission: 'owners.write',
    body: z
      .object({ defaultRole: defaultRole.optional(), groupRoles: groupRoles.optional() })
      .meta({ examples: [{ groupRoles: [{ group: 'Docs team', role: 'editor' }] }] }),
    answer: directory,
    run: async ({ actor, body }) => viewOf(await changeDirectory(deps, actor, body)),
  });
  operation({
    route: `POST ${url}/token`,
    operationId: 'createDirectoryToken',
    summary: 'Create the token of the directory',
    description:
      'Returns a token that the directory sends, once; it replaces an earlier one at once. It can do nothing but send people and groups of your organization. It needs the role `owner`.',
    permission: 'owners.write',
    answer: z
      .object({ token: field.text('The token. It is not stored and not shown again.') })
      .meta({ examples: [{ token: 'scim_4gT8dXrW1q…' }] }),
    status: 201,
    run: async ({ actor }) => ({ token: await createDirectoryToken(deps, actor) }),
  });
  operation({
    route: `DELETE ${url}/token`,
    operationId: 'deleteDirectoryToken',
    summary: 'Delete the token of the directory',
    description:
      'The directory is no longer accepted. Members stay, and so do the invitations of who has not joined. It needs the role `owner`.',
    permission: 'owners.write',
    answer: z.null().describe('The token is deleted.'),
    run: ({ actor }) => deleteDirectoryToken(deps, actor),
  });
}
