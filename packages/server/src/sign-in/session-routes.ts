import { PLANS, ROLES } from '@docent/format/access/may.ts';
import * as z from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { setUp } from '../accounts/organizations.ts';
import { findSignInWays, hasUsers, listMemberships } from '../kernel/access/member-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { countPlatformTry } from '../kernel/operations/count-sign-ins.ts';
import * as field from '../kernel/operations/described.ts';
import { emailAddress, newPassword, personName, shownName } from '../kernel/operations/fields.ts';
import { findKeptSession, noteActor, startSession } from '../kernel/operations/identify.ts';
import { openOperationsOf } from '../kernel/operations/operation.ts';
import { SSO_PROVIDER } from '../ports/accounts.ts';

const sessionSchema = field.resource(
  'Session',
  'The signed-in person, and the settings for signing in.',
  {
    setupRequired: field.flag(
      'Whether there is no account yet: the link that the server printed creates the first one.',
    ),
    user: field.partOrNull('The signed-in person; `null` if nobody is signed in.', {
      id: field.text('Identifier of the person.'),
      name: field.text('Their name.'),
      email: field.text('Their email address.'),
      twoFactorEnabled: field.flag('Whether they need a second factor to sign in.'),
      hasPassword: field.flag('Whether they can sign in with a password.'),
      hasSso: field.flag('Whether they can sign in with the identity provider.'),
    }),
    organizations: field.list(
      z.object({
        id: field.text('Identifier of the organization.'),
        slug: field.text('Its identifier in addresses, and in `Docent-Organization`.'),
        name: field.text('Its name.'),
        role: field.choice(ROLES, 'The role of the person.'),
        plan: field.choice(PLANS, 'Its plan.'),
        twoFactorRequired: field.flag('Whether its members need two-factor authentication.'),
      }),
      'The organizations of the person, the oldest membership first; after a sign-in with the provider of an organization only that.',
    ),
    signIn: field.part('Available ways to sign in.', {
      password: field.flag('Whether people sign in with a password.'),
      sso: field.list(
        z.object({
          id: field.text('For `provider`.'),
          name: field.text('Name on the sign-in button.'),
        }),
        'Identity providers to sign in with.',
      ),
    }),
    organizationCreation: field.choice(
      ['operator', 'members'],
      'Who creates organizations: only the operator, or members of any organization too.',
    ),
    mail: field.flag('Whether the server sends mail: invitations and links to set a password.'),
    version: field.text('Version of the server.'),
  },
  {
    setupRequired: false,
    user: {
      id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
      name: 'Ada Lovelace',
      email: 'ada@acme.example',
      twoFactorEnabled: true,
      hasPassword: true,
      hasSso: false,
    },
    organizations: [
      {
        id: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
        slug: 'acme',
        name: 'Acme',
        role: 'owner',
        plan: 'enterprise',
        twoFactorRequired: false,
      },
    ],
    signIn: { password: true, sso: [] },
    organizationCreation: 'operator' as const,
    mail: false,
    version: '0.1.0',
  },
);

/** `GET /v1/session` */
export function sessionRoute(app: App, deps: Deps): void {
  const operation = openOperationsOf(app, 'Accounts');
  operation({
    route: 'GET /v1/session',
    operationId: 'getSession',
    summary: 'Get your session',
    description:
      'Returns the signed-in person, their organizations, and the ways to sign in. It needs no session.',
    answer: sessionSchema,
    refusals: [400],
    run: async ({ request, reply }) => {
      const { queries } = deps.database;
      const { sso, mail, passwords } = deps.config;
      const session = await findKeptSession(deps, request, reply);
      const user = session?.user ?? null;
      const ways = user
        ? await findSignInWays(queries, user.id)
        : { hasPassword: false, hasSso: false };
      const scope = session?.organizationId ?? null;
      const memberships = (user ? await listMemberships(queries, user.id) : []).filter(
        ({ organizationId }) => scope === null || organizationId === scope,
      );
      return {
        setupRequired: user === null && !(await hasUsers(queries)),
        user: user && { ...user, ...ways, hasPassword: ways.hasPassword && passwords },
        organizations: memberships.map(({ organizationId: id, ...membership }) => ({
          id,
          ...membership,
        })),
        signIn: { password: passwords, sso: sso ? [{ id: SSO_PROVIDER, name: sso.name }] : [] },
        organizationCreation: deps.config.organizationCreation,
        mail: mail !== undefined,
        version: manifest.version,
      };
    },
  });
}

const setupBody = z
  .object({
    token: z
      .string()
      .max(200)
      .describe('The token of the link that the server printed when it started.'),
    name: personName,
    email: emailAddress,
    password: newPassword,
    organization: field.part(
      'The existing organization of the server; it receives this name, and you own it.',
      {
        name: shownName(100).describe('Name of the organization.'),
        slug: field.optional(
          z.string().max(63),
          'Its identifier in addresses; derived from the name by default.',
        ),
      },
    ),
  })
  .meta({
    examples: [
      {
        token: 'nNQ0PC3nC5oGQd1dZ0m2q6a4yV9sT8rX',
        name: 'Ada Lovelace',
        email: 'ada@acme.example',
        password: 'a long passphrase',
        organization: { name: 'Acme', slug: 'acme' },
      },
    ],
  });

/** `POST /v1/setup` */
export function setupRoute(app: App, deps: Deps): void {
  const operation = openOperationsOf(app, 'Accounts');
  operation({
    route: 'POST /v1/setup',
    operationId: 'setUp',
    summary: 'Set up the server',
    description:
      'Creates the first account with the one-time token of the link that the server prints when it starts, and signs in. Afterwards the link is no longer valid.',
    onRequest: (request) => countPlatformTry(deps, request),
    body: setupBody,
    answer: z
      .object({
        organization: field.part('The organization that you own.', {
          slug: field.text('Its identifier.'),
        }),
      })
      .meta({ examples: [{ organization: { slug: 'acme' } }] }),
    status: 201,
    refusals: [403, 409, 429],
    run: async ({ body, request, reply }) => {
      const { email, password } = body;
      const { user, organizationId, slug } = await setUp(deps, body);
      noteActor(
        request,
        {
          kind: 'member',
          userId: user.id,
          sessionId: '',
          role: 'owner',
          organizationId,
          plan: 'enterprise',
        },
        'owners.write',
      );
      await startSession(deps, request, reply, { email, password });
      return { organization: { slug } };
    },
  });
}
