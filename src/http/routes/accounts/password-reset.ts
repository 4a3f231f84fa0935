import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import { sendMailJob } from '../../../jobs.ts';
import { requirePasswords } from '../../../services/accounts/single-sign-on.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { noteAccountChange } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { requirePlatformOrigin } from '../../same-origin.ts';
import { startSession } from '../../sessions.ts';
import { done, signedIn } from './auth-operations.ts';
import { emailAddress, newPassword } from './setup.ts';
import { countReset, countTry } from './sign-in-limits.ts';

const passwordSet = done
  .extend(signedIn.shape)
  .meta({ id: 'PasswordSet', description: 'The password is set.', examples: [{ success: true }] });

/** `POST /v1/auth/request-password-reset`, `POST /v1/auth/reset-password` */
export function passwordResetRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Accounts'], security: [], response: { 200: done, ...problems(400, 403, 413, 415, 429) } };
  const onRequest: Parameters<typeof app.route>[0]['onRequest'] = async (request) => {
    requirePlatformOrigin(deps.config, request);
    await countTry(deps, request);
  };
  app.route({
    method: 'POST',
    url: '/v1/auth/request-password-reset',
    schema: {
      ...shared,
      operationId: 'requestPasswordReset',
      summary: 'Ask for a new password',
      description:
        'Sends a link to set a password, where the server sends mail and the address has an account. The response is always the same.',
      body: z.object({ email: emailAddress }).meta({ examples: [{ email: 'ada@acme.example' }] }),
    },
    onRequest,
    handler: async (request, reply) => {
      requirePasswords(deps.config);
      if (!deps.config.mail)
        throw new DocentError('invalid_request', 'This server sends no mail; ask its operator for a link (docent users reset).');
      const { email } = request.body;
      await countReset(deps, email);
      // Whether the address has an account is looked up later, so that neither the response nor its timing reveals it.
      await deps.jobs.enqueue(sendMailJob, { kind: 'password-reset', email });
      return reply.send({ success: true });
    },
  });
  app.route({
    method: 'POST',
    url: '/v1/auth/reset-password',
    schema: {
      ...shared,
      response: { ...shared.response, 200: passwordSet },
      operationId: 'resetPassword',
      summary: 'Set a new password',
      description:
        'Sets a password with the token of a link from a mail or from the operator, and ends all sessions. If passwords are turned off, it signs in.',
      body: z
        .object({ token: z.string().max(200).describe('The token of the link.'), newPassword })
        .meta({ examples: [{ token: 'nNQ0PC3nC5oGQd1d', newPassword: 'another long passphrase' }] }),
    },
    onRequest,
    handler: async (request, reply) => {
      const user = await deps.accounts.resetPassword(request.body.token, request.body.newPassword);
      noteAccountChange(request, user.id);
      if (deps.config.passwords) return reply.send({ success: true });
      // The way in while the identity provider is unavailable: only its link leads here, so the password need not be entered
      // again.
      const begun = await startSession(deps, request, reply, { email: user.email, password: request.body.newPassword });
      return reply.send({ success: true, ...signedIn.parse(begun.body) });
    },
  });
}
