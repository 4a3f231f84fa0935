import { z } from 'zod';
import { manageUsers } from '../../../services/accounts/manage-users.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging } from '../analytics/analytics-schema.ts';

const shared = { tags: ['Accounts'], security: [{ adminKey: [] }] };
const params = z.object({
  user: z
    .string()
    .max(254)
    .meta({ description: 'Id or email address of the account.', examples: ['ada@acme.example'] }),
});
const account = z
  .object({
    id: z.string().describe('Identifier of the person.'),
    name: z.string().describe('Their name.'),
    email: z.string().describe('Their email address.'),
    twoFactorEnabled: z.boolean().describe('Whether they need a second factor.'),
  })
  .meta({
    id: 'User',
    description: 'A person who can sign in.',
    examples: [{ id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST', name: 'Ada', email: 'ada@acme.example', twoFactorEnabled: false }],
  });
const note = 'Only for the local operator, on the server itself';

/** Registers the routes that `docent users` calls: all accounts, for the owner of the machine. */
export function userRoutes(app: App, deps: Deps): void {
  const { list, resetPassword, removeTwoFactor, remove } = manageUsers(deps);
  app.route({
    method: 'GET',
    url: '/v1/users',
    schema: {
      ...shared,
      operationId: 'listUsers',
      summary: 'List all accounts',
      description: `Lists everyone who can sign in. ${note}: \`docent users list\`.`,
      querystring: z.object(paging(1000, 1000)),
      response: {
        200: z.object({
          items: z.array(account).describe('The accounts, the oldest first.'),
          users: z.array(account).describe('The same as `items`, for older clients.'),
          ...pageEnd,
        }),
        ...problems(400, 401, 403),
      },
    },
    onRequest: requireActor(deps, 'users.read'),
    handler: async (request, reply) => {
      const page = await list(actorOf(request), request.query);
      return reply.send({ items: page.rows, users: page.rows, ...endOf(page) });
    },
  });
  app.route({
    method: 'POST',
    url: '/v1/users/:user/password-reset',
    schema: {
      ...shared,
      operationId: 'createPasswordReset',
      summary: 'Create a link to set a password',
      description: `Returns a link for setting a new password within an hour. ${note}: \`docent users reset\`.`,
      params,
      response: {
        201: z
          .object({ url: z.string().describe('The link. It is returned only in this response.') })
          .meta({ examples: [{ url: 'https://docs.example.com/dashboard/reset/nNQ0PC3nC5oGQd1d' }] }),
        ...problems(401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'users.write'),
    handler: async (request, reply) => {
      const url = await resetPassword(actorOf(request), request.params.user);
      return reply.code(201).header('cache-control', 'no-store').send({ url });
    },
  });
  app.route({
    method: 'DELETE',
    url: '/v1/users/:user/two-factor',
    schema: {
      ...shared,
      operationId: 'removeTwoFactor',
      summary: 'Remove the second factor of an account',
      description: `For someone who has lost the app and the recovery codes. Ends their sessions. ${note}: \`docent users two-factor-off\`.`,
      params,
      response: { 204: z.null().describe('The account now signs in with the password only.'), ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'users.write'),
    handler: async (request, reply) => {
      await removeTwoFactor(actorOf(request), request.params.user);
      return reply.code(204).send(null);
    },
  });
  app.route({
    method: 'DELETE',
    url: '/v1/users/:user',
    schema: {
      ...shared,
      operationId: 'deleteUser',
      summary: 'Delete an account',
      description: `Deletes an account with its sessions and memberships. ${note}: \`docent users remove\`.`,
      params,
      response: { 204: z.null().describe('The account is deleted.'), ...problems(401, 403, 404, 409) },
    },
    onRequest: requireActor(deps, 'users.write'),
    handler: async (request, reply) => {
      await remove(actorOf(request), request.params.user);
      return reply.code(204).send(null);
    },
  });
}
