import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { PLANS, ROLES } from '../../../core/access/may.ts';
import { findSignInWays, hasUsers, listMemberships } from '../../../db/members.ts';
import { SSO_PROVIDER } from '../../../ports/accounts.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { findSignedIn } from '../../sessions.ts';

const answer = z
  .object({
    setupRequired: z
      .boolean()
      .describe('Whether there is no account yet: the link that the server printed creates the first one.'),
    user: z
      .object({
        id: z.string().describe('Identifier of the person.'),
        name: z.string().describe('Their name.'),
        email: z.string().describe('Their email address.'),
        twoFactorEnabled: z.boolean().describe('Whether they need a second factor to sign in.'),
        hasPassword: z.boolean().describe('Whether they can sign in with a password.'),
        hasSso: z.boolean().describe('Whether they can sign in with the identity provider.'),
      })
      .nullable()
      .describe('The signed-in person; `null` if nobody is signed in.'),
    organisations: z
      .array(
        z.object({
          id: z.string().describe('Identifier of the organization.'),
          slug: z.string().describe('Its identifier in addresses, and in `Docent-Organisation`.'),
          name: z.string().describe('Its name.'),
          role: z.enum(ROLES).describe('The role of the person.'),
          plan: z.enum(PLANS).describe('Its plan.'),
          twoFactorRequired: z.boolean().describe('Whether its members need two-factor authentication.'),
        }),
      )
      .describe('The organizations of the person, the oldest membership first.'),
    signIn: z
      .object({
        password: z.boolean().describe('Whether people sign in with a password.'),
        sso: z
          .array(
            z.object({ id: z.string().describe('For `provider`.'), name: z.string().describe('Name on the sign-in button.') }),
          )
          .describe('Identity providers to sign in with.'),
      })
      .describe('Available ways to sign in.'),
    mail: z.boolean().describe('Whether the server sends mail: invitations and links to set a password.'),
    version: z.string().describe('Version of the server.'),
  })
  .meta({
    id: 'Session',
    description: 'The signed-in person, and the settings for signing in.',
    examples: [
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
        organisations: [
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
        mail: false,
        version: '0.1.0',
      },
    ],
  });

/** `GET /v1/session` */
export function sessionRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/session',
    schema: {
      operationId: 'getSession',
      summary: 'Get your session',
      description: 'Returns the signed-in person, their organizations, and the ways to sign in. It needs no session.',
      tags: ['Accounts'],
      security: [],
      response: { 200: answer, ...problems(400) },
    },
    handler: async (request, reply) => {
      const { queries } = deps.database;
      const { sso, mail, passwords } = deps.config;
      const user = (await findSignedIn(deps, request, reply)) ?? null;
      const ways = user ? await findSignInWays(queries, user.id) : { hasPassword: false, hasSso: false };
      const memberships = user ? await listMemberships(queries, user.id) : [];
      return reply.send({
        setupRequired: user === null && !(await hasUsers(queries)),
        user: user && { ...user, ...ways, hasPassword: ways.hasPassword && passwords },
        organisations: memberships.map(({ organisationId: id, ...membership }) => ({ id, ...membership })),
        signIn: { password: passwords, sso: sso ? [{ id: SSO_PROVIDER, name: sso.name }] : [] },
        mail: mail !== undefined,
        version: manifest.version,
      });
    },
  });
}
