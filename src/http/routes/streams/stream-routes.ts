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

/** Registers the routes of `/v1/projects/{projectId}/analytics-streams`. */
export function streamRoutes(app: App, deps: Deps): void {
  const view = (shown: Parameters<typeof streamView>[0]) => streamView(shown, deps.clock.now());
  app.route({
    method: 'GET',
    url: BASE,
    schema: {
      ...shared,
      operationId: 'listAnalyticsStreams',
      summary: 'List streams of analytics',
      description: 'Lists the analytics streams of a site, with their deliveries and failures.',
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
        'Streams the analytics events of a site in batches of NDJSON: to a webhook, signed according to Standard Webhooks, or into a bucket of S3-compatible storage. Set either `webhook` or `s3`. Only this response contains the secret of a webhook; store it.',
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
      description: 'Returns a stream, with its deliveries and failures.',
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
      description: 'Changes the given fields and keeps the others. A failed delivery is retried immediately.',
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
      description: 'Creates a new secret for a webhook. For one day, deliveries are also signed with the previous secret.',
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
      description: 'Sends a batch with one event of the kind `test` now, even if the stream is off, and returns the result.',
      params: streamParams,
      response: {
        200: z
          .object({
            delivered: z.boolean().describe('Whether the receiver accepted the batch.'),
            error: z.string().nullable().describe('Why the receiver did not accept it.'),
          })
          .meta({ examples: [{ delivered: false, error: 'The receiver returned status 500.' }] }),
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
      description: 'Deletes a stream. Pending events are not delivered.',
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
