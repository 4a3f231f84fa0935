import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { getBundleLink } from '../../../services/get-bundle-link.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';

const answer = z.object({
  jobId: z.string(),
  bundleUrl: z.string().describe('Works without any header until `expiresAt`.'),
  sizeBytes: z.int().min(0),
  expiresAt: z.iso.datetime(),
  sha256: z.string().describe('Of the bundle, lower-case hexadecimal.'),
  signature: z.string().optional().describe('Text of a `.minisig` file for the bundle, where the operator signs bundles.'),
});

/** `POST /v1/static-export/jobs/{jobId}/bundle` */
export function getBundleRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/static-export/jobs/:jobId/bundle',
    schema: {
      operationId: 'getStaticExportBundle',
      summary: 'Get a fresh link to the bundle',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: z.object({ jobId: z.string() }),
      response: { 200: answer, ...problems(401, 403, 404, 409, 410) },
    },
    onRequest: requireActor(deps, 'exports.write'),
    handler: async (request, reply) => {
      const { signature, expiresAt, ...link } = await getBundleLink(deps, actorOf(request), request.params.jobId);
      return reply
        .header('cache-control', 'no-store')
        .send({ ...link, expiresAt: expiresAt.toISOString(), ...(signature !== null && { signature }) });
    },
  });
}
