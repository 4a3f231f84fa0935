import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { emailAddress, listOf, pageOf, paging } from '../kernel/operations/fields.ts';
import { noteConsequences } from '../kernel/operations/identify.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { manageUsers } from './members.ts';

const account = field.resource(
  'User',
  'A person who can sign in.',
  {
    id: field.text('Identifier of the person.'),
    name: field.text('Their name.'),
    email: field.text('Their email address.'),
    twoFactorEnabled: field.flag('Whether they need a second factor.'),
  },
  {
    id: '01K9Z4C8M2R7X5V1B3N6P9Q0ST',
    name: 'Ada',
    email: 'ada@acme.example',
    twoFactorEnabled: false,
  },
);
const note = 'Only for the local operator, on the server itself';

/** Registers the routes that `docent users` calls: all accounts, for the owner of the machine. */
export function userRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Accounts');
  const { list, changeEmail, resetPassword, unlock, removeTwoFactor, remove } = manageUsers(deps);
  operation({
    route: 'GET /v1/users',
    operationId: 'listUsers',
    summary: 'List all accounts',
    description: `Lists everyone who can sign in. ${note}: \`docent users list\`.`,
    permission: 'users.read',
    query: z.object(paging(1000, 1000)),
    answer: listOf(account, 'The accounts, the oldest first.', 'users'),
    run: async ({ actor, query }) => pageOf(await list(actor, query), (user) => user, 'users'),
  });
  operation({
    route: 'PATCH /v1/users/:user',
    operationId: 'changeUser',
    summary: 'Change the email address of an account',
    description: `Changes the address that someone signs in with. Their sessions stay; links to set a password that were sent to the former address are void. ${note}: \`docent users email\`.`,
    permission: 'users.write',
    body: z.object({ email: emailAddress }).meta({ examples: [{ email: 'ada@new.example' }] }),
    answer: z.null().describe('The address is changed.'),
    refusals: [409],
    run: ({ actor, params, body }) => changeEmail(actor, params.user, body.email),
  });
  operation({
    route: 'POST /v1/users/:user/password-reset',
    operationId: 'createPasswordReset',
    summary: 'Create a link to set a password',
    description: `Returns a link for setting a new password within an hour. ${note}: \`docent users reset\`.`,
    permission: 'users.write',
    answer: z
      .object({ url: field.text('The link. It is returned only in this response.') })
      .meta({ examples: [{ url: 'https://docs.example.com/dashboard/reset/nNQ0PC3nC5oGQd1d' }] }),
    status: 201,
    run: async ({ actor, params }) => ({ url: await resetPassword(actor, params.user) }),
  });
  operation({
    route: 'POST /v1/users/:user/unlock',
    operationId: 'unlockUser',
    summary: 'Unlock the sign-in of an account',
    description: `For someone who tried too many passwords: failed sign-ins until now no longer count. ${note}: \`docent users unlock\`.`,
    permission: 'users.write',
    answer: z.null().describe('They may try again.'),
    run: ({ actor, params }) => unlock(actor, params.user),
  });
  operation({
    route: 'DELETE /v1/users/:user/two-factor',
    operationId: 'removeTwoFactor',
    summary: 'Remove the second factor of an account',
    description: `For someone who has lost the app and the recovery codes. Ends their sessions. ${note}: \`docent users two-factor-off\`.`,
    permission: 'users.write',
    answer: z.null().describe('The account now signs in with the password only.'),
    run: ({ actor, params }) => removeTwoFactor(actor, params.user),
  });
  operation({
    route: 'DELETE /v1/users/:user',
    operationId: 'deleteUser',
    summary: 'Delete an account',
    description: `Deletes an account with its sessions and memberships, and revokes the keys and open invitations that it created. ${note}: \`docent users remove\`.`,
    permission: 'users.write',
    answer: z.null().describe('The account is deleted.'),
    refusals: [409],
    run: async ({ actor, params, request }) =>
      noteConsequences(request, await remove(actor, params.user)),
  });
}
