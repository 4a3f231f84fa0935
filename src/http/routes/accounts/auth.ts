import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import { type AccountAnswer, SSO_PROVIDER } from '../../../ports/accounts.ts';
import { disconnectSingleSignOn, requirePasswords } from '../../../services/accounts/single-sign-on.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { noteAccountChange } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { requirePlatformOrigin } from '../../same-origin.ts';
import { accountRequestOf, findSession, findSignedIn, setCookies } from '../../sessions.ts';
import { type AuthOperation, authOperations, done } from './auth-operations.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { countAccount, countTry } from './sign-in-limits.ts';

/** Registers the routes of `/v1/auth`. */
export function authRoutes(app: App, deps: Deps): void {
  for (const operation of authOperations) authRoute(app, deps, operation);
  callbackRoute(app, deps);
  disconnectSsoRoute(app, deps);
  passwordResetRoutes(app, deps);
}

/** Where the identity provider redirects people; its query comes from the provider and is checked by the accounts adapter. */
function callbackRoute(app: App, deps: Deps): void {
  const path = `/callback/${SSO_PROVIDER}`;
  app.route({
    method: 'GET',
    url: `/v1/auth${path}`,
    schema: { hide: true },
    onRequest: (request) => countTry(deps, request),
    handler: async (request, reply) => {
      const query = new URL(request.url, deps.config.publicUrl).search;
      const done = await deps.accounts.perform({ ...accountRequestOf(deps, request), method: 'GET', path, query });
      setCookies(reply, done.cookies);
      return reply.redirect(done.location ?? '/dashboard', 302);
    },
  });
}

function authRoute(app: App, deps: Deps, operation: AuthOperation): void {
  const { method, path, operationId, summary, description, needsSession, takesPassword, body, fixed, audit, answer } = operation;
  app.route({
    method,
    url: `/v1/auth${path}`,
    schema: {
      operationId,
      summary,
      description,
      tags: ['Accounts'],
      security: needsSession ? [{ session: [] }] : [],
      ...(body && { body }),
      response: { 200: answer, ...problems(400, 401, 403, 413, 415, 429) },
    },
    onRequest: async (request) => {
      requirePlatformOrigin(deps.config, request);
      if (takesPassword) requirePasswords(deps.config);
      if (!needsSession) await countTry(deps, request);
    },
    handler: async (request, reply) => {
      const sent = z
        .looseObject({ email: z.string().optional() })
        .optional()
        .parse(request.body ?? undefined);
      if (sent?.email !== undefined) await countAccount(deps, sent.email);
      const session = audit === undefined ? undefined : await findSession(deps, request, reply);
      if (session) noteAccountChange(request, session.user.id, audit);
      const done = await deps.accounts.perform({ ...accountRequestOf(deps, request), method, path, body: { ...sent, ...fixed } });
      setCookies(reply, done.cookies);
      return reply.send(viewOf(done, answer));
    },
  });
}

/** The response as the API promises it; nothing else of it is returned, tokens above all. */
function viewOf({ body }: AccountAnswer, answer: z.ZodType): unknown {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? { success: true, ...body } : (body ?? {});
  return answer.parse(given);
}

/** `POST /v1/auth/unlink-social` */
function disconnectSsoRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/auth/unlink-social',
    schema: {
      operationId: 'disconnectSingleSignOn',
      summary: 'Disconnect an identity provider',
      description:
        'Afterwards you sign in with your password only. Your last way to sign in cannot be disconnected. Sessions stay as they are.',
      tags: ['Accounts'],
      security: [{ session: [] }],
      body: z
        .object({ provider: z.literal(SSO_PROVIDER).describe('The provider: `id` of `signIn.sso` in `GET /v1/session`.') })
        .meta({ examples: [{ provider: SSO_PROVIDER }] }),
      response: { 200: done, ...problems(400, 401, 403, 413, 415) },
    },
    onRequest: async (request) => requirePlatformOrigin(deps.config, request),
    handler: async (request, reply) => {
      const user = await findSignedIn(deps, request, reply);
      if (!user) throw new DocentError('unauthenticated', 'You are not signed in, or the session has ended; sign in again.');
      noteAccountChange(request, user.id);
      await disconnectSingleSignOn(deps, user.id);
      return reply.send({ success: true });
    },
  });
}
