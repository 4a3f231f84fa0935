import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import {
  changeStream,
  createStream,
  getStream,
  listSiteStreams,
  removeStream,
  rotateStreamSecret,
  testStream,
} from '../../../services/streams/manage-streams.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd } from '../analytics/analytics-schema.ts';
import { projectParams } from '../projects/project-params.ts';
import { newStream, streamChanges, streamExample, streamSchema, streamView } from './stream-schema.ts';

const BASE = '/v1/projects/:projectId/analytics-streams';
const shared = { tags: ['Analytics'], security: [{ adminKey: [] }] };
const streamParams = projectParams.extend({
  streamId: z.string().meta({ description: 'Id of the stream.', examples: [streamExample.id] }),
});
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const secretOf = z.string().describe('Secret that signs deliveries. It is shown only in this response.');
const created = streamSchema
  .extend({
    secret: secretOf
      .nullable()
      .describe('Secret that signs the deliveries of a webhook, shown only in this response; `null` for a bucket.'),
  })
  .meta({
    id: 'NewAnalyticsStream',
    description: 'A stream with its secret.',
    examples: [{ ...streamExample, secret: exampleSecret }],
  });
const rotated = streamSchema.extend({ secret: secretOf }).meta({
  id: 'RotatedAnalyticsStream',
  description: 'A stream with its new secret.',
  examples: [{ ...streamExample, secret: exampleSecret }],
});

/** What belongs to `/v1/projects/{projectId}/analytics-streams`. */
export function streamRoutes(app: App, deps: Deps): void {
  const view = (shown: Parameters<typeof streamView>[0]) => streamView(shown, deps.clock.now());
  app.route({
    method: 'GET',
    url: BASE,
    schema: {
      ...shared,
      operationId: 'listAnalyticsStreams',
      summary: 'List streams of analytics',
      description: 'Lists where the analytics events of a site are sent, with what was delivered and what failed.',
      params: projectParams,
      response: {
        200: z.object({ items: z.array(streamSchema).describe('The streams, oldest first, all on one page.'), ...pageEnd }),
        ...problems(401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'streams.read'),
    handler: async (request, reply) => {
      const found = await listSiteStreams(deps, actorOf(request), request.params.projectId);
      return reply.send({ items: found.map(view), ...endOf({ nextCursor: null }) });
    },
  });
  app.route({
    method: 'POST',
    url: BASE,
    schema: {
      ...shared,
      operationId: 'createAnalyticsStream',
      summary: 'Create a stream of analytics',
      description:
        'Sends the analytics events of a site on, in batches of NDJSON: to a webhook, signed as Standard Webhooks says, or into a bucket of storage that speaks S3. Name either `webhook` or `s3`. The response is the only one that holds the secret of a webhook; store it.',
      params: projectParams,
      body: newStream,
      response: { 201: created, ...problems(400, 401, 403, 404, 413, 415) },
    },
    onRequest: requireActor(deps, 'streams.write'),
    handler: async (request, reply) => {
      const { secret, ...shown } = await createStream(deps, actorOf(request), request.params.projectId, request.body);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...view(shown), secret });
    },
  });
  app.route({
    method: 'GET',
    url: `${BASE}/:streamId`,
    schema: {
      ...shared,
      operationId: 'getAnalyticsStream',
      summary: 'Get a stream of analytics',
      description: 'Returns a stream, with what was delivered and what failed.',
      params: streamParams,
      response: { 200: streamSchema, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'streams.read'),
    handler: async (request, reply) => {
      const { projectId, streamId } = request.params;
      return reply.send(view(await getStream(deps, actorOf(request), projectId, streamId)));
    },
  });
  app.route({
    method: 'PATCH',
    url: `${BASE}/:streamId`,
    schema: {
      ...shared,
      operationId: 'changeAnalyticsStream',
      summary: 'Change a stream of analytics',
      description: 'Changes what the request names and keeps the rest. A failed delivery is tried again at once.',
      params: streamParams,
      body: streamChanges,
      response: { 200: streamSchema, ...problems(400, 401, 403, 404, 413, 415) },
    },
    onRequest: requireActor(deps, 'streams.write'),
    handler: async (request, reply) => {
      const { projectId, streamId: id } = request.params;
      return reply.send(view(await changeStream(deps, actorOf(request), projectId, { id, changes: request.body })));
    },
  });
  app.route({
    method: 'POST',
    url: `${BASE}/:streamId/rotate-secret`,
    schema: {
      ...shared,
      operationId: 'rotateAnalyticsStreamSecret',
      summary: 'Rotate the secret of a webhook',
      description: 'Gives a webhook a new secret. For a day deliveries are signed with the former secret too.',
      params: streamParams,
      response: { 200: rotated, ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'streams.write'),
    handler: async (request, reply) => {
      const { projectId, streamId } = request.params;
      const { secret, ...shown } = await rotateStreamSecret(deps, actorOf(request), projectId, streamId);
      return reply.header('cache-control', 'no-store').send({ ...view(shown), secret });
    },
  });
  app.route({
    method: 'POST',
    url: `${BASE}/:streamId/test`,
    schema: {
      ...shared,
      operationId: 'testAnalyticsStream',
      summary: 'Test a stream of analytics',
      description:
        'Sends a batch with one event of the kind `test` now, also where the stream is off, and returns what became of it.',
      params: streamParams,
      response: {
        200: z
          .object({
            delivered: z.boolean().describe('Whether the batch was taken.'),
            error: z.string().nullable().describe('Why it was not taken.'),
          })
          .meta({ examples: [{ delivered: false, error: 'The receiver answered with status 500.' }] }),
        ...problems(401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'streams.write'),
    handler: async (request, reply) => {
      const { projectId, streamId } = request.params;
      const error = await testStream(deps, actorOf(request), projectId, streamId);
      return reply.send({ delivered: error === null, error });
    },
  });
  app.route({
    method: 'DELETE',
    url: `${BASE}/:streamId`,
    schema: {
      ...shared,
      operationId: 'deleteAnalyticsStream',
      summary: 'Delete a stream of analytics',
      description: 'Ends a stream. What it has not delivered yet is not delivered.',
      params: streamParams,
      response: { 204: z.null().describe('The stream is deleted.'), ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'streams.write'),
    handler: async (request, reply) => {
      const { projectId, streamId } = request.params;
      await removeStream(deps, actorOf(request), projectId, streamId);
      return reply.code(204).send(null);
    },
  });
}
