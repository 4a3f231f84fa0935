import { z } from 'zod';
import { KEY_SCOPES } from '../../../core/access/keys.ts';
import { limitsFrom } from '../../../core/access/limits.ts';
import { createKey } from '../../../services/access/create-key.ts';
import type { Deps } from '../../../services/deps.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { declareLimits, showLimit } from '../../rate-limits.ts';
import { plainText } from '../plain-text.ts';
import { keyExample, keySchema, keyView } from './key-schema.ts';

const body = z
  .object({
    kind: z.enum(['assistant', 'admin']).describe('`assistant`: public, for one site; `admin`: secret, for the organization.'),
    name: plainText(1, 100).describe('A name that identifies the key.'),
    site: z
      .string()
      .optional()
      .describe('Identifier, project id or hostname of the site. Assistant keys need it; admin keys have none.'),
    expiresInDays: z
      .union([z.literal([7, 30, 60, 90]), z.null()], 'must be 7, 30, 60, 90, or null for never')
      .optional()
      .describe(
        'Days until the key expires; `null` if it never expires. By default 90, or the rest of the lifetime of the creating key.',
      ),
    scopes: z
      .array(z.enum(KEY_SCOPES))
      .max(KEY_SCOPES.length)
      .optional()
      .describe(
        'Scopes of an admin key: `read` for GET and HEAD, `write` also for changes, `keys` to create and revoke keys. Each includes `read`; empty means all. By default those of the creating key.',
      ),
    ipAllowlist: z
      .array(z.string().max(64))
      .max(100)
      .optional()
      .describe(
        'IPv4 and IPv6 addresses and CIDR ranges that may use the key. Empty: every address. By default those of the creating key.',
      ),
    originAllowlist: z
      .array(z.string().max(300))
      .max(100)
      .default([])
      .describe('Web origins that may use an assistant key. Empty: every origin.'),
  })
  .meta({
    examples: [
      { kind: 'assistant', name: 'Website chat', site: 'acme', expiresInDays: 90, originAllowlist: ['https://acme.example'] },
    ],
  });

const answer = keySchema.extend({ key: z.string().describe('The key itself. It is returned only in this response.') }).meta({
  id: 'NewApiKey',
  description: 'An API key with its secret.',
  examples: [{ ...keyExample, lastUsedAt: null, key: 'svc_dsc_2mVxQ8sT4nB7cD1fG5hJ9kL3pR6wY0zAh7Kq' }],
});

/** `POST /v1/keys` */
export function createKeyRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/keys',
    schema: {
      operationId: 'createKey',
      summary: 'Create a key',
      description:
        'Creates an API key. Only this response contains the key itself; store it. Options cannot be changed later. It needs the scope `keys`. A key can only create keys within its own scopes, addresses and expiry.',
      'x-response-headers': limitHeaders,
      tags: ['Keys'],
      security: [{ adminKey: [] }],
      body,
      response: { 201: answer, ...problems(400, 401, 403, 404, 413, 415, 429) },
    },
    onRequest: [declareLimits([limitsFrom(deps.config.limits).keysPerOrganisation]), requireActor(deps, 'keys.write')],
    handler: async (request, reply) => {
      const created = await createKey(deps, actorOf(request), request.body, showLimit(reply));
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(created), key: created.key });
    },
  });
}
