import { z } from 'zod';
import { PASSWORD_LENGTH } from '../../../ports/accounts.ts';
import { setUp } from '../../../services/accounts/setup.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { noteActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { requirePlatformOrigin } from '../../same-origin.ts';
import { startSession } from '../../sessions.ts';
import { plainText } from '../fields.ts';
import { countTry } from './sign-in-limits.ts';

/** The usual form of an email address; only delivery proves it. */
export const emailAddress = z
  .email()
  .max(254)
  .meta({ description: 'Email address.', examples: ['ada@acme.example'] });

export const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `must have at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `must have at most ${PASSWORD_LENGTH.max} characters`)
  .describe(`Password, ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`);

export const personName = plainText(1, 100).describe('Name of the person.');

const body = z
  .object({
    token: z.string().max(200).describe('The token of the link that the server printed when it started.'),
    name: personName,
    email: emailAddress,
    password: newPassword,
    organisation: z
      .object({
        name: plainText(1, 100).describe('Name of the organization.'),
        slug: z.string().max(63).optional().describe('Its identifier in addresses; derived from the name by default.'),
      })
      .describe('The existing organization of the server; it receives this name, and you own it.'),
  })
  .meta({
    examples: [
      {
        token: 'nNQ0PC3nC5oGQd1dZ0m2q6a4yV9sT8rX',
        name: 'Ada Lovelace',
        email: 'ada@acme.example',
        password: 'a long passphrase',
        organisation: { name: 'Acme', slug: 'acme' },
      },
    ],
  });

/** `POST /v1/setup` */
export function setupRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/setup',
    schema: {
      operationId: 'setUp',
      summary: 'Set up the server',
      description:
        'Creates the first account with the one-time token of the link that the server prints when it starts, and signs in. Afterwards the link is no longer valid.',
      tags: ['Accounts'],
      security: [],
      body,
      response: {
        201: z
          .object({
            organisation: z.object({ slug: z.string().describe('Its identifier.') }).describe('The organization that you own.'),
          })
          .meta({ examples: [{ organisation: { slug: 'acme' } }] }),
        ...problems(400, 403, 409, 413, 415, 429),
      },
    },
    onRequest: async (request) => {
      requirePlatformOrigin(deps.config, request);
      await countTry(deps, request);
    },
    handler: async (request, reply) => {
      const { email, password } = request.body;
      const { user, organisationId, slug } = await setUp(deps, request.body);
      const signedIn = {
        kind: 'member',
        userId: user.id,
        sessionId: '',
        role: 'owner',
        organisationId,
        plan: 'enterprise',
      } as const;
      noteActor(request, signedIn, 'owners.write');
      await startSession(deps, request, reply, { email, password });
      return reply.code(201).send({ organisation: { slug } });
    },
  });
}
