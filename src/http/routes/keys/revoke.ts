import { z } from 'zod';
import { revokeKey } from '../../../services/access/revoke-key.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';

/** `DELETE /v1/keys/{keyId}` */
export function revokeKeyRoute(app: App, deps: Deps): void {
  app.route({
    method: 'DELETE',
    url: '/v1/keys/:keyId',
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description:
        'Revokes a key permanently. It is refused immediately, or within five seconds if several processes serve. Keys created with it are revoked too.',
      tags: ['Keys'],
      security: [{ adminKey: [] }],
      params: z.object({
        keyId: z.string().meta({ description: 'Identifier of the key.', examples: ['01K9Z4C8M2R7X5V1B3N6P9Q0ST'] }),
      }),
      response: { 204: z.null().describe('Key revoked.'), ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'keys.write'),
    handler: async (request, reply) => {
      await revokeKey(deps, actorOf(request), request.params.keyId);
      return reply.code(204).send(null);
    },
  });
}
