import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { getBundleLink } from '../../../services/exports/get-bundle-link.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { jobParams } from './export-job-schema.ts';

/** Properties of a finished bundle. */
export const bundleFields = {
  bundleUrl: z.string().describe('Presigned link to the `.tar.gz`. Works without any header until `expiresAt`.'),
  sizeBytes: z.int().min(0).describe('Size of the archive in bytes.'),
  expiresAt: z.iso.datetime().describe('When the link stops working.'),
  sha256: z.string().describe('SHA-256 of the archive, in lower-case hexadecimal.'),
  signature: z.string().optional().describe('Text of a `.minisig` file for the archive, if the operator signs bundles.'),
};

export const bundleExample = {
  bundleUrl:
    'https://docs.example.com/blobs/bundles/se_3f9a2c1b8e7d4a06.tar.gz?expires=1795338012&filename=acme-export-2026-11-21.tar.gz&signature=Zk1…',
  sizeBytes: 1893201,
  expiresAt: '2026-11-22T09:00:12.000Z',
  sha256: '9c1e5b0d8f4a7b3c2d6e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c',
};

const answer = z
  .object({ jobId: z.string().describe('Identifier of the job.'), ...bundleFields })
  .meta({ examples: [{ jobId: 'se_3f9a2c1b8e7d4a06', ...bundleExample }] });

/** `POST /v1/static-export/jobs/{jobId}/bundle` */
export function getBundleRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/static-export/jobs/:jobId/bundle',
    schema: {
      operationId: 'getStaticExportBundle',
      summary: 'Get a link to the bundle',
      description:
        'Returns a presigned link to the archive of a completed job. Request a new link at any time; the bytes, and so `sha256`, stay the same.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: jobParams,
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
