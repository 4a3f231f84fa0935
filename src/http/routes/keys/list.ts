import { z } from 'zod';
import { listKeys } from '../../../services/access/list-keys.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { keySchema, keyView } from './key-schema.ts';

/** `GET /v1/keys` */
export function listKeysRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    schema: {
      operationId: 'listKeys',
      summary: 'List keys',
      description:
        'Lists the API keys of your organisation, newest first, revoked and expired keys included. Secrets are not shown.',
      tags: ['Keys'],
      security: [{ adminKey: [] }],
      response: { 200: z.object({ keys: z.array(keySchema).describe('The keys, newest first.') }), ...problems(401, 403) },
    },
    onRequest: requireActor(deps, 'keys.read'),
    handler: async (request, reply) => {
      const keys = await listKeys(deps, actorOf(request));
      return reply.send({ keys: keys.map(keyView) });
    },
  });
}
