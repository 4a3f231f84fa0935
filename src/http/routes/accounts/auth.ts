import { z } from 'zod';
import { type AccountAnswer, SSO_PROVIDER } from '../../../ports/accounts.ts';
import { requirePasswords } from '../../../services/accounts/single-sign-on.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { noteAccountChange } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { requirePlatformOrigin } from '../../same-origin.ts';
import { accountRequestOf, findSession, setCookies } from '../../sessions.ts';
import { type AuthOperation, authOperations } from './auth-operations.ts';
import { disconnectSsoRoute } from './disconnect-sso.ts';
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
      return reply.header('cache-control', 'no-store').redirect(done.location ?? '/dashboard', 302);
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
      return reply.header('cache-control', 'no-store').send(viewOf(done, answer));
    },
  });
}

/** The response as the API promises it; nothing else of it is returned, tokens above all. */
function viewOf({ body }: AccountAnswer, answer: z.ZodType): unknown {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? { success: true, ...body } : (body ?? {});
  return answer.parse(given);
}
