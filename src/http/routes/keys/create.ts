import { z } from 'zod';
import { createKey } from '../../../services/create-key.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { plainText } from '../plain-text.ts';
import { keySchema, keyView } from './key-schema.ts';

const body = z.object({
  kind: z.enum(['assistant', 'admin']),
  name: plainText(1, 100),
  site: z.string().optional().describe('Identifier, project id or hostname of the site; of assistant keys only.'),
  expiresInDays: z
    .union([z.literal([7, 30, 60, 90]), z.null()], 'must be 7, 30, 60, 90, or null for never')
    .default(90)
    .describe('`null` for never.'),
  scopes: z
    .array(z.enum(['read', 'write']))
    .max(2)
    .default([])
    .describe('Of admin keys only; none allows everything, `write` includes `read`.'),
  ipAllowlist: z.array(z.string().max(64)).max(100).default([]).describe('Addresses and CIDR ranges.'),
  originAllowlist: z.array(z.string().max(300)).max(100).default([]).describe('Web origins; of assistant keys only.'),
});

const answer = keySchema.extend({ key: z.string().describe('The key itself; it is not shown again.') }).meta({ id: 'NewApiKey' });

/** `POST /v1/keys` */
export function createKeyRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/keys',
    schema: {
      operationId: 'createKey',
      summary: 'Create a key',
      tags: ['Keys'],
      security: [{ adminKey: [] }],
      body,
      response: { 201: answer, ...problems(400, 401, 403, 404, 413, 415, 429) },
    },
    onRequest: requireActor(deps, 'keys.write'),
    handler: async (request, reply) => {
      const created = await createKey(deps, actorOf(request), request.body);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(created), key: created.key });
    },
  });
}
