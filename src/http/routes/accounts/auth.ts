import { z } from 'zod';
import type { AccountAnswer } from '../../../ports/accounts.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { requirePlatformOrigin } from '../../same-origin.ts';
import { accountRequestOf, setCookies } from '../../sessions.ts';
import { type AuthOperation, authOperations } from './auth-operations.ts';
import { countAccount, countTry } from './sign-in-limits.ts';

/** What belongs to `/v1/auth`. */
export function authRoutes(app: App, deps: Deps): void {
  for (const operation of authOperations) authRoute(app, deps, operation);
}

function authRoute(app: App, deps: Deps, operation: AuthOperation): void {
  const { method, path, operationId, summary, description, needsSession, body, answer } = operation;
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
      if (!needsSession) await countTry(deps, request);
    },
    handler: async (request, reply) => {
      const sent = z
        .looseObject({ email: z.string().optional() })
        .optional()
        .parse(request.body ?? undefined);
      if (sent?.email !== undefined) await countAccount(deps, sent.email);
      const done = await deps.accounts.perform({ ...accountRequestOf(deps, request), method, path, body: sent });
      setCookies(reply, done.cookies);
      return reply.header('cache-control', 'no-store').send(viewOf(done, answer));
    },
  });
}

/** What the API promises of an answer; nothing else of it leaves, tokens above all. */
function viewOf({ body }: AccountAnswer, answer: z.ZodType): unknown {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? { success: true, ...body } : (body ?? {});
  return answer.parse(given);
}
