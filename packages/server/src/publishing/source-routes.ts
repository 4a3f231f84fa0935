import type { IncomingMessage } from 'node:http';
import { createArchiveChecker } from '@docent/compiler/source/archive-checker.ts';
import { limitsFrom } from '@docent/format/access/limits.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DEPLOYMENT_SOURCES } from '@docent/format/deployments/commit.ts';
import { type Diagnostic, otherPlacesText, placeText } from '@docent/format/diagnostics.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { problems } from '../kernel/http/problem.ts';
import { limitHeaders } from '../kernel/http/response-headers.ts';
import * as field from '../kernel/operations/described.ts';
import { pathParams, plainText } from '../kernel/operations/fields.ts';
import { actorOf, requireActor, sourceOf } from '../kernel/operations/identify.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { declareLimits, showLimit } from '../kernel/operations/rate-limits.ts';
import { addToRequestLine } from '../kernel/operations/request-line.ts';
import { commitParameters, commitSchema, commitWithFilesExample } from './commit-schema.ts';
import type { DeploymentRow } from './deployment-queries.ts';
import {
  buildReportSchema,
  deploymentFields,
  deploymentStatus,
  exampleReport,
  summaryOf,
} from './deployment-schema.ts';
import { getDeployment } from './manage-deployments.ts';
import { createUploadSlots, MAX_SOURCE_BYTES, receiveSource, tooLarge } from './receive-source.ts';
import { resumePushes, updateProject } from './start-deployment.ts';

/** The request of an operation that builds a site again. */
export const rebuildRequest = (request: FastifyRequest, reply: FastifyReply, actor: Actor) => ({
  source: sourceOf(request, actor),
  requestId: request.id,
  onCounted: showLimit(reply),
});

/** The response of operations that start a build. */
export const startedBuildSchema = field.resource(
  'StartedBuild',
  'A started build.',
  {
    statusId: field.text('Identifier of the build, for requests of its status.'),
    previewUrl: field.text.optional(
      'URL of the preview once it is built, if the build is for one.',
    ),
  },
  { statusId: '01K9Z52N4T8W6X3C1V7B9M0QRS' },
);

const statusExample = {
  _id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
  projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
  createdAt: '2026-11-21T09:00:00.000Z',
  endedAt: '2026-11-21T09:00:06.000Z',
  status: 'success',
  summary: '240 pages, 1 warning',
  waitingFor: null,
  queuePosition: null,
  logs: [
    'warning guides/start.mdx:12:4 [broken-link] There is no page /guides/instal. Link to /guides/install, or remove the link.',
  ],
  subdomain: 'acme',
  commit: commitWithFilesExample,
  source: 'cli' as const,
  report: exampleReport,
};

const statusSchema = field.resource(
  'UpdateStatus',
  'The status of a build.',
  {
    _id: field.text('Identifier of the build, the `statusId` of the request.'),
    projectId: field.text('Project id of the site.'),
    createdAt: field.time('When the build was requested.'),
    endedAt: field.time.orNull('When the build ended; `null` before.'),
    status: deploymentStatus.describe(
      '`success`: the site is live. `failure`: the site is unchanged.',
    ),
    summary: deploymentFields.summary,
    waitingFor: deploymentFields.waitingFor,
    queuePosition: deploymentFields.queuePosition,
    logs: field.texts('The build report as lines of text.'),
    subdomain: field.text("The site's identifier."),
    commit: field.orNull(
      commitSchema,
      'The commit of the source; `null` if none was sent with it.',
    ),
    source: field.choice(DEPLOYMENT_SOURCES, 'How the build was started.'),
    report: field.orNull(
      buildReportSchema,
      'The build report as data; `null` until the build has ended.',
    ),
  },
  statusExample,
);

function logLine(diagnostic: Diagnostic): string {
  const others = otherPlacesText(diagnostic);
  return `${diagnostic.severity} ${placeText(diagnostic)} [${diagnostic.code}] ${diagnostic.message} ${diagnostic.remedy}${others ? ` (${others})` : ''}`;
}

function statusView({
  id: _id,
  siteId: projectId,
  slug: subdomain,
  ...row
}: DeploymentRow): z.infer<typeof statusSchema> {
  const logs = row.report?.diagnostics.map(logLine) ?? [];
  return {
    ...row,
    summary: summaryOf(row),
    _id,
    projectId,
    subdomain,
    logs,
    source: row.source ?? 'api',
  };
}

/** `POST /v1/project/update/{projectId}` and `GET /v1/project/update-status/{statusId}` */
export function buildRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'POST /v1/project/update/:projectId',
    operationId: 'updateProject',
    summary: 'Deploy a site again',
    description:
      'Deploys what the branch of the Git source of the site has now. Without a Git source, builds the last uploaded source again. Follow the build with `GET /v1/project/update-status/{statusId}`.',
    permission: 'projects.write',
    limit: limitsFrom(deps.config.limits).publishesPerOrganization,
    answer: startedBuildSchema,
    status: 202,
    refusals: [409],
    run: async ({ actor, params, request, reply }) => {
      const rebuild = rebuildRequest(request, reply, actor);
      const statusId = await updateProject(deps, actor, params.projectId, rebuild);
      addToRequestLine(request, { deploymentId: statusId });
      return { statusId };
    },
  });
  operation({
    route: 'POST /v1/projects/:projectId/sources/resume',
    operationId: 'resumeGitSource',
    summary: 'Publish pushes again',
    description:
      'After an earlier deployment was made live, deploys what the branch has now, and publishes pushes from then on.',
    permission: 'projects.write',
    limit: limitsFrom(deps.config.limits).publishesPerOrganization,
    answer: startedBuildSchema,
    status: 202,
    refusals: [400],
    run: async ({ actor, params, request, reply }) => {
      const rebuild = rebuildRequest(request, reply, actor);
      const statusId = await resumePushes(deps, actor, params.projectId, rebuild);
      addToRequestLine(request, { deploymentId: statusId });
      return { statusId };
    },
  });
  operation({
    route: 'GET /v1/project/update-status/:statusId',
    operationId: 'getUpdateStatus',
    summary: 'Get the status of a build',
    description:
      'Returns the status of a build, and its report once it has ended. Poll it until `status` is `success` or `failure`.',
    permission: 'projects.read',
    answer: statusSchema,
    run: async ({ actor, params }) => statusView(await getDeployment(deps, actor, params.statusId)),
  });
}

const MEDIA_TYPES = [
  'application/gzip',
  'application/x-gzip',
  'application/octet-stream',
  'application/x-tar+gzip',
];

/** For the description; the archive is read as a stream and checked there. */
const archive = z.unknown().meta({
  type: 'string',
  format: 'binary',
  description: 'A `.tar.gz` of the documentation folder.',
});

const uploadSample = `tar -czf docs.tar.gz -C docs .
curl -X PUT "$DOCENT/v1/project/acme/source?sha=$(git rev-parse HEAD)&ref=main" \\
  -H "Authorization: Bearer $ADMIN_KEY" \\
  -H "Content-Type: application/gzip" \\
  --data-binary @docs.tar.gz`;

/** How much of a refused upload is still read, so that the client gets to read the reason. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 5000;

/**
 * `PUT /v1/project/{projectId}/source`: streams the archive from the connection to the store without holding it.
 */
export function putSourceRoute(parent: App, deps: Deps): void {
  const uploads = createUploadSlots(deps.config.publishing.uploads.perOrganization);
  const archives = createArchiveChecker();
  parent.register(async (app: App) => {
    app.addHook('onClose', async () => archives.close());
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(MEDIA_TYPES, (_request, payload, done) => done(null, payload));
    const url = '/v1/project/:projectId/source';
    app.route({
      method: 'PUT',
      url,
      config: { streamsBody: true },
      schema: {
        operationId: 'putProjectSource',
        summary: 'Upload the source of a site',
        description: `Takes a documentation folder as a \`.tar.gz\` of at most ${MAX_SOURCE_BYTES / 1024 / 1024} MB, builds it and publishes the result. The archive contains \`docs.json\` at its root or in a single folder. Follow the build with \`GET /v1/project/update-status/{statusId}\`; the site changes only once the build succeeds.`,
        consumes: MEDIA_TYPES,
        'x-response-headers': limitHeaders,
        tags: ['Projects'],
        security: [{ adminKey: [] }],
        params: pathParams(url),
        querystring: z.object({
          preview: field.optional(
            plainText(1, 250),
            'Publish the result as this preview instead of live, for example the name of a branch.',
          ),
          ...commitParameters,
        }),
        body: archive,
        'x-codeSamples': [{ lang: 'bash', label: 'cURL', source: uploadSample }],
        response: { 202: startedBuildSchema, ...problems(400, 401, 403, 404, 408, 413, 415, 429) },
      },
      onRequest: [
        declareLimits([limitsFrom(deps.config.limits).publishesPerOrganization]),
        requireActor(deps, 'projects.write'),
        async (request) => {
          if (Number(request.headers['content-length']) > MAX_SOURCE_BYTES) throw tooLarge();
        },
      ],
      handler: async (request, reply) => {
        if (!request.body)
          throw new DocentError(
            'invalid_archive',
            'The body is empty; send a .tar.gz of the documentation folder.',
          );
        const actor = actorOf(request);
        const { preview, ...commit } = request.query;
        try {
          const started = await receiveSource(
            { ...deps, uploads, archives },
            actor,
            request.params.projectId,
            {
              archive: withoutDestroying(request.raw),
              expectedBytes: Number(request.headers['content-length']) || 0,
              preview,
              commit,
              source: sourceOf(request, actor),
              requestId: request.id,
            },
            showLimit(reply),
          );
          addToRequestLine(request, { deploymentId: started.statusId });
          return reply.code(202).send(started);
        } catch (error) {
          if (request.raw.errored)
            throw new DocentError('invalid_archive', 'The upload ended before it was complete.', {
              cause: error,
            });
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
