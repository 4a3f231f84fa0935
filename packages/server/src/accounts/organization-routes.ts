import { PLANS, ROLES } from '@docent/format/access/may.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import {
  ifMatchHeader,
  listOf,
  meetsIfMatch,
  pageOf,
  paging,
  shownName,
} from '../kernel/operations/fields.ts';
import { noteActor, noteConsequences } from '../kernel/operations/identify.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { changeRole, listMembers, readGivenAccess, removeMember } from './members.ts';
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  listAllOrganizations,
  readOrganization,
} from './organizations.ts';
import { readUsage, USAGE_LIMITS } from './usage.ts';

const plan = z.enum(PLANS);
const slug = z
  .string()
  .max(63)
  .describe('Its identifier in addresses: lower-case letters, digits and inner hyphens.');
const name = shownName(100).describe('Its name.');

const organization = field.resource(
  'Organization',
  'An organization.',
  {
    id: field.text('Identifier of the organization, which never changes.'),
    slug: field.text('Its identifier in addresses.'),
    name: field.text('Its name.'),
    plan: plan.describe('Its plan.'),
    highestPlan: plan.describe(
      'The highest plan that an owner can choose, which the operator grants.',
    ),
    twoFactorRequired: field.flag(
      'Whether members who sign in with a password need an authenticator app.',
    ),
    createdAt: field.time('When it was created.'),
    updatedAt: field.time('When it was last changed.'),
  },
  {
    id: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    slug: 'acme',
    name: 'Acme',
    plan: 'enterprise',
    highestPlan: 'enterprise',
    twoFactorRequired: false,
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
  },
);

const organizationSummary = field.resource(
  'OrganizationSummary',
  'An organization of the server, as its operator sees it.',
  {
    id: field.text('Identifier of the organization, which never changes.'),
    slug: field.text('Its identifier in addresses.'),
    name: field.text('Its name.'),
    plan: plan.describe('Its plan.'),
    members: field.int('Number of its members.'),
    sites: field.int('Number of its sites.'),
    createdAt: field.time('When it was created.'),
  },
  {
    id: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    slug: 'acme',
    name: 'Acme',
    plan: 'enterprise',
    members: 12,
    sites: 3,
    createdAt: '2026-11-21T09:00:00.000Z',
  },
);

/** The properties of an organization that one request can change. */
const changeableOf = ({ name, slug, plan, twoFactorRequired }: z.infer<typeof organization>) => ({
  name,
  slug,
  plan,
  twoFactorRequired,
});

/** Registers the routes of the organization itself. */
export function organizationRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organization';
  operation({
    route: `GET ${url}`,
    operationId: 'getOrganization',
    summary: 'Get your organization',
    description: 'Returns the organization of the key or session.',
    permission: 'organization.read',
    changeableOf,
    answer: organization,
    run: ({ actor }) => readOrganization(deps, actor),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeOrganization',
    summary: 'Change your organization',
    description:
      'Changes what the request names. It needs the role `admin`, and for the plan the role `owner`.',
    permission: 'organization.write',
    changeableOf,
    headers: ifMatchHeader,
    body: z
      .object({
        name: name.optional(),
        slug: slug.optional(),
        twoFactorRequired: field.flag.optional(
          'Whether members who sign in with a password need an authenticator app.',
        ),
        plan: field.optional(
          plan,
          'At most `highestPlan`; only the operator can choose a higher one.',
        ),
      })
      .meta({ examples: [{ name: 'Acme Inc.', twoFactorRequired: true }] }),
    answer: organization,
    refusals: [409, 412],
    run: ({ actor, headers, body }) =>
      changeOrganization(deps, actor, body, (currentOrganization) =>
        meetsIfMatch(headers['if-match'], changeableOf(currentOrganization)),
      ),
  });
  operation({
    route: `DELETE ${url}`,
    operationId: 'deleteOrganization',
    summary: 'Delete your organization',
    description:
      'Deletes the organization with everything in it: sites, builds, exports, conversations, keys, members and the audit log. Accounts of people stay. It needs the role `owner`.',
    permission: 'owners.write',
    query: z.object({
      confirm: field.optional(
        z.string().max(100),
        'Identifier of the organization, as confirmation.',
      ),
    }),
    answer: z.null().describe('The organization is deleted.'),
    run: ({ actor, query }) => deleteOrganization(deps, actor, query.confirm),
  });
  operation({
    route: 'GET /v1/organizations',
    operationId: 'listOrganizations',
    summary: 'List all organizations',
    description:
      'Lists the organizations of the server. Only for the local operator, on the server itself: `docent organizations list`.',
    permission: 'organizations.read',
    query: z.object(paging(1000, 1000)),
    answer: listOf(organizationSummary, 'The organizations, the oldest first.'),
    run: async ({ actor, query }) =>
      pageOf(await listAllOrganizations(deps, actor, query), (row) => row),
  });
  operation({
    route: 'POST /v1/organizations',
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description:
      'Creates an organization. By default only the operator may, on the command line of the server; with `DOCENT_ORGANIZATION_CREATION=members` also every member, as its owner. Owners of your organization hand on its plan; others get `free`. What one person created shares its limits and quotas.',
    permission: 'organizations.write',
    body: z
      .object({ name, slug: slug.optional() })
      .meta({ examples: [{ name: 'Acme Labs', slug: 'acme-labs' }] }),
    answer: organization,
    status: 201,
    refusals: [409, 429],
    run: ({ actor, body }) => createOrganization(deps, actor, body),
  });
}

const member = field.resource(
  'Member',
  'A member of an organization.',
  {
    userId: field.text('Identifier of the person.'),
    name: field.text('Their name.'),
    email: field.text('Their email address.'),
    role: field.choice(ROLES, 'What they may do in the organization.'),
    twoFactorEnabled: field.flag('Whether they need a second factor to sign in.'),
    createdAt: field.time('When they became a member.'),
  },
  {
    userId: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
    name: 'Ada Lovelace',
    email: 'ada@acme.example',
    role: 'owner',
    twoFactorEnabled: true,
    createdAt: '2026-11-21T09:00:00.000Z',
  },
);

const givenAccess = field.optional(
  z.enum(['revoke', 'keep']),
  'What becomes of keys and open invitations that the member created: `revoke` by default, or `keep`.',
);

const named = {
  id: field.text('Its identifier.'),
  name: field.text('Its name.'),
};
const memberAccess = field.resource(
  'MemberAccess',
  'The access that a member gave to people and programs.',
  {
    keys: field.list(
      z.object({ ...named, masked: field.text('Prefix and last four characters.') }),
      'Keys in use. Keys that were created with them are revoked too.',
    ),
    invitations: field.list(
      z.object({
        id: named.id,
        email: field.text('Email address of the invited person.'),
        role: field.choice(ROLES, 'Their future role.'),
      }),
      'Open invitations.',
    ),
    streams: field.list(
      z.object({ ...named, site: field.text('Name of its site.') }),
      'Streams of analytics, which are never revoked, but taken over.',
    ),
  },
  {
    keys: [{ id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST', name: 'Pipeline', masked: 'svc_…h7Kq' }],
    invitations: [
      {
        id: '01K9Z5D0G4H8J2K6M1N3P5Q7RT',
        email: 'grace@acme.example',
        role: 'editor' as const,
      },
    ],
    streams: [{ id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD', name: 'Warehouse', site: 'Acme' }],
  },
);

/** Registers the routes of `/v1/organization/members`. */
export function memberRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Organization');
  const url = '/v1/organization/members';
  operation({
    route: `GET ${url}`,
    operationId: 'listMembers',
    summary: 'List the members',
    description: 'Lists the members of the organization in the order in which they joined.',
    permission: 'organization.read',
    query: z.object(paging(1000, 100)),
    answer: listOf(member, 'The members.'),
    run: async ({ actor, query }) =>
      pageOf(await listMembers(deps, actor, query), (memberRow) => memberRow),
  });
  operation({
    route: `GET ${url}/:userId/access`,
    operationId: 'getMemberAccess',
    summary: 'Get the access that a member gave',
    description:
      'Returns the keys, open invitations and streams that a member created: what is revoked or taken over when they leave. It needs the role `admin`.',
    permission: 'members.read',
    query: z.object({
      role: field.optional(z.enum(ROLES), 'Only what they could not give with this role.'),
    }),
    answer: memberAccess,
    run: async ({ actor, params, query }) => {
      const { keys, invitations, streams } = await readGivenAccess(
        deps,
        actor,
        params.userId,
        query.role ?? null,
      );
      return {
        keys: keys.map(({ id, name, masked }) => ({ id, name, masked })),
        invitations: invitations.map(({ id, email, role }) => ({ id, email, role })),
        streams: streams.map(({ id, name, siteName }) => ({ id, name, site: siteName })),
      };
    },
  });
  operation({
    route: `PATCH ${url}/:userId`,
    operationId: 'changeMember',
    summary: 'Change the role of a member',
    description:
      'It needs the role `admin`. Only owners can add or remove owners; the last owner cannot be removed. Keys and open invitations that the member created, and could not create with the new role, are revoked, or kept with you as who created them.',
    permission: 'members.write',
    body: z
      .object({ role: field.choice(ROLES, 'The new role.'), access: givenAccess })
      .meta({ examples: [{ role: 'editor' }] }),
    answer: z.null().describe('The role was changed.'),
    refusals: [409],
    run: async ({ actor, params, body, request }) =>
      noteConsequences(request, await changeRole(deps, actor, params.userId, body)),
  });
  operation({
    route: `DELETE ${url}/:userId`,
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Ends a membership at once; the account stays. You can leave yourself. Keys and open invitations that the member created are revoked, or kept with you as who created them. You take over their streams of analytics; of somebody who leaves, an owner does.',
    permission: 'organization.read',
    query: z.object({ access: givenAccess }),
    answer: z.null().describe('The member was removed.'),
    refusals: [409],
    run: async ({ actor, params, query, request }) => {
      // The required role depends on the member in question, but it is always a change.
      noteActor(request, actor, 'members.write');
      noteConsequences(request, await removeMember(deps, actor, params.userId, query.access));
    },
  });
}

const limitUsage = field.resource('LimitUsage', 'What an organization used of a limit.', {
  name: field.choice(
    USAGE_LIMITS,
    'What is limited: `questions` and `searches` of readers, `publishes`, `exports`, new `keys` and `invitations`.',
  ),
  used: field.int('How many were counted in the current window.'),
  limit: field.int('Maximum number in a window.'),
  unit: z.literal('requests').describe('What `used` and `limit` count.'),
  windowSeconds: field.int('Length of the window, in seconds. It starts with the first request.'),
  resetsAt: field.time.orNull('When the count starts anew; `null` while nothing is counted.'),
});

const usage = field.resource(
  'Usage',
  'Usage and limits of an organization.',
  {
    sites: field.part('Sites of the organization.', {
      used: field.int('Number of sites.'),
      limit: field.int(
        'Maximum number of sites: the quota without those of other organizations of the same person.',
      ),
    }),
    storedBytes: field.part('Storage of the organization.', {
      used: field.number('Number of stored bytes: the sum of sources, builds and bundles.'),
      limit: field.number(
        'Maximum number of bytes: the quota without what other organizations of the same person store.',
      ),
      sources: field.number('Uploaded archives. The newest one of each site is kept.'),
      builds: field.number('Files of builds. Files that builds of one site share count once.'),
      bundles: field.number('Bundles of exports.'),
      spare: field.number(
        'Part of `builds` that is deleted first: earlier builds, kept while there is space.',
      ),
    }),
    members: field.part('Members of the organization.', {
      used: field.int('Number of members. They are not limited.'),
    }),
    month: field.part('What happened on the sites of the organization in this month.', {
      from: field.time('Start of the month, in UTC.'),
      views: field.number(
        'Page views of readers on all sites since then, without those of machines, as far as they are counted.',
      ),
      questions: field.int(
        'Questions to the assistant of all sites since then, as far as they are stored.',
      ),
    }),
    limits: field.list(
      limitUsage,
      'What was used of each limit. Organizations that one person created share their limits. The local operator is not limited and not counted.',
    ),
  },
  {
    sites: { used: 3, limit: 1000 },
    storedBytes: {
      used: 104_857_600,
      limit: 107_374_182_400,
      sources: 20_971_520,
      builds: 62_914_560,
      bundles: 20_971_520,
      spare: 10_485_760,
    },
    members: { used: 4 },
    month: { from: '2026-11-01T00:00:00.000Z', views: 48_210, questions: 312 },
    limits: [
      {
        name: 'publishes' as const,
        used: 3,
        limit: 60,
        unit: 'requests' as const,
        windowSeconds: 3600,
        resetsAt: '2026-11-21T09:47:00.000Z',
      },
    ],
  },
);

/** `GET /v1/organization/usage` */
export function usageRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'GET /v1/organization/usage',
    operationId: 'getUsage',
    summary: 'Get the usage of your organization',
    description:
      'Returns how many sites and members your organization has, how much it stores, what happened on its sites this month, and what it used of each limit.',
    permission: 'projects.read',
    answer: usage,
    run: async ({ actor }) => {
      const { members, limits, ...usage } = await readUsage(deps, actor);
      return {
        ...usage,
        members: { used: members },
        limits: limits.map((state) => ({ ...state, unit: 'requests' as const })),
      };
    },
  });
}
