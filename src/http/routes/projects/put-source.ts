import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { createArchiveChecker } from '../../../compiler/source/archive-checker.ts';
import { limitsFrom } from '../../../core/access/limits.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import { MAX_SOURCE_BYTES, receiveSource, tooLarge } from '../../../services/publishing/receive-source.ts';
import { createUploadSlots } from '../../../services/publishing/upload-guard.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { declareLimits, showLimit } from '../../rate-limits.ts';
import { plainText } from '../fields.ts';
import { startedBuildSchema } from './build-routes.ts';
import { projectParams } from './project-schema.ts';

const MEDIA_TYPES = ['application/gzip', 'application/x-gzip', 'application/octet-stream', 'application/x-tar+gzip'];

/** For the description; the archive is read as a stream and checked there. */
const archive = z.unknown().meta({
  type: 'string',
  format: 'binary',
  description: 'A `.tar.gz` of the documentation folder.',
});

const uploadSample = `tar -czf docs.tar.gz -C docs .
curl -X PUT "$DOCENT/v1/project/acme/source" \\
  -H "Authorization: Bearer $ADMIN_KEY" \\
  -H "Content-Type: application/gzip" \\
  --data-binary @docs.tar.gz`;

/** How much of a refused upload is still read, so that the client gets to read the reason. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 5000;

/** `PUT /v1/project/{projectId}/source`: streams the archive from the connection to the store without holding it. */
export function putSourceRoute(parent: App, deps: Deps): void {
  const uploads = createUploadSlots(deps.config.publishing.uploads.perOrganisation);
  const archives = createArchiveChecker();
  parent.register(async (app: App) => {
    app.addHook('onClose', async () => archives.close());
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(MEDIA_TYPES, (_request, payload, done) => done(null, payload));
    app.route({
      method: 'PUT',
      url: '/v1/project/:projectId/source',
      schema: {
        operationId: 'putProjectSource',
        summary: 'Upload the source of a site',
        description: `Takes a documentation folder as a \`.tar.gz\` of at most ${MAX_SOURCE_BYTES / 1024 / 1024} MB, builds it and publishes the result. The archive contains \`docs.json\` at its root or in a single folder. Follow the build with \`GET /v1/project/update-status/{statusId}\`; the site changes only once the build succeeds.`,
        consumes: MEDIA_TYPES,
        'x-response-headers': limitHeaders,
        tags: ['Projects'],
        security: [{ adminKey: [] }],
        params: projectParams,
        querystring: z.object({
          preview: plainText(1, 250)
            .optional()
            .describe('Publish the result as this preview instead of live, for example the name of a branch.'),
        }),
        body: archive,
        'x-codeSamples': [{ lang: 'bash', label: 'cURL', source: uploadSample }],
        response: { 202: startedBuildSchema, ...problems(400, 401, 403, 404, 408, 413, 415, 429) },
      },
      onRequest: [
        declareLimits([limitsFrom(deps.config.limits).publishesPerOrganisation]),
        requireActor(deps, 'projects.write'),
        async (request) => {
          if (Number(request.headers['content-length']) > MAX_SOURCE_BYTES) throw tooLarge();
        },
      ],
      handler: async (request, reply) => {
        if (!request.body)
          throw new DocentError('invalid_archive', 'The body is empty; send a .tar.gz of the documentation folder.');
        try {
          const started = await receiveSource(
            { ...deps, uploads, archives },
            actorOf(request),
            request.params.projectId,
            {
              archive: withoutDestroying(request.raw),
              expectedBytes: Number(request.headers['content-length']) || 0,
              preview: request.query.preview,
            },
            showLimit(reply),
          );
          return reply.code(202).send(started);
        } catch (error) {
          if (request.raw.errored)
            throw new DocentError('invalid_archive', 'The upload ended before it was complete.', { cause: error });
          // A stalled upload sends nothing to read.
          if (!(error instanceof DocentError && error.kind === 'timeout')) await drain(request.raw);
          reply.header('connection', 'close');
          throw error;
        }
      },
    });
  });
}

/** Stopping early must not close the connection, which still has to carry the response. */
function withoutDestroying(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) };
}

async function drain(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, DRAIN_MS);
  let sizeBytes = 0;
  request.on('data', (chunk: Uint8Array) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > DRAIN_BYTES) resolve();
  });
  for (const event of ['end', 'close', 'error']) request.once(event, () => resolve());
  if (request.readableEnded || request.destroyed) resolve();
  request.resume();
  await promise;
  clearTimeout(timer);
}
