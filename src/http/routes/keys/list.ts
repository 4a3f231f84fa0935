import { z } from 'zod';
import { listKeys } from '../../../services/access/list-keys.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging } from '../analytics/analytics-schema.ts';
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
        'Lists the API keys of your organization, newest first, revoked and expired keys included. Secrets are not shown.',
      tags: ['Keys'],
      security: [{ adminKey: [] }],
      querystring: z.object(paging(1000, 1000)),
      response: {
        200: z.object({
          items: z.array(keySchema).describe('The keys, newest first.'),
          keys: z.array(keySchema).describe('The same as `items`, for older clients.'),
          ...pageEnd,
        }),
        ...problems(400, 401, 403),
      },
    },
    onRequest: requireActor(deps, 'keys.read'),
    handler: async (request, reply) => {
      const page = await listKeys(deps, actorOf(request), request.query);
      const items = page.rows.map(keyView);
      return reply.send({ items, keys: items, ...endOf(page) });
    },
  });
}
