import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import { isSessionKept } from '../../../db/members.ts';
import { SSO_PROVIDER } from '../../../ports/accounts.ts';
import { disconnectSingleSignOn } from '../../../services/accounts/single-sign-on.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { noteAccountChange } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { requirePlatformOrigin } from '../../same-origin.ts';
import { findSession } from '../../sessions.ts';
import { done } from './auth-operations.ts';

/** `POST /v1/auth/unlink-social` */
export function disconnectSsoRoute(app: App, deps: Deps): void {
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
      const session = await findSession(deps, request, reply);
      if (!session || !(await isSessionKept(deps.database.queries, session.sessionId)))
        throw new DocentError('unauthenticated', 'You are not signed in, or the session has ended; sign in again.');
      noteAccountChange(request, session.user.id);
      await disconnectSingleSignOn(deps, session.user.id);
      return reply.header('cache-control', 'no-store').send({ success: true });
    },
  });
}
