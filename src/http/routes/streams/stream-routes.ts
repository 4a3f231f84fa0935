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
import { endOf, listOf } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams } from '../projects/project-schema.ts';
import { newStream, streamChanges, streamExample, streamSchema, streamView } from './stream-schema.ts';

const BASE = '/v1/projects/:projectId/analytics-streams';
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
  const operation = operationsOf(app, deps, 'Analytics');
  const view = (shown: Parameters<typeof streamView>[0]) => streamView(shown, deps.clock.now());
  operation({
    route: `GET ${BASE}`,
    operationId: 'listAnalyticsStreams',
    summary: 'List streams of analytics',
    description: 'Lists the analytics streams of a site, with their deliveries and failures.',
    permission: 'streams.read',
    params: projectParams,
    answer: listOf(streamSchema, 'The streams, oldest first, all on one page.'),
    run: async ({ actor, params }) => {
      const found = await listSiteStreams(deps, actor, params.projectId);
      return { items: found.map(view), ...endOf({ nextCursor: null }) };
    },
  });
  operation({
    route: `POST ${BASE}`,
    operationId: 'createAnalyticsStream',
    summary: 'Create a stream of analytics',
    description:
      'Streams the analytics events of a site in batches of NDJSON: to a webhook, signed according to Standard Webhooks, or into a bucket of S3-compatible storage. Set either `webhook` or `s3`. Only this response contains the secret of a webhook; store it.',
    permission: 'streams.write',
    params: projectParams,
    body: newStream,
    answer: created,
    status: 201,
    run: async ({ actor, params, body }) => {
      const { secret, ...shown } = await createStream(deps, actor, params.projectId, body);
      return { ...view(shown), secret };
    },
  });
  operation({
    route: `GET ${BASE}/:streamId`,
    operationId: 'getAnalyticsStream',
    summary: 'Get a stream of analytics',
    description: 'Returns a stream, with its deliveries and failures.',
    permission: 'streams.read',
    params: streamParams,
    answer: streamSchema,
    run: async ({ actor, params }) => view(await getStream(deps, actor, params.projectId, params.streamId)),
  });
  operation({
    route: `PATCH ${BASE}/:streamId`,
    operationId: 'changeAnalyticsStream',
    summary: 'Change a stream of analytics',
    description: 'Changes the given fields and keeps the others. A failed delivery is retried immediately.',
    permission: 'streams.write',
    params: streamParams,
    body: streamChanges,
    answer: streamSchema,
    run: async ({ actor, params, body }) => {
      const { projectId, streamId: id } = params;
      return view(await changeStream(deps, actor, projectId, { id, changes: body }));
    },
  });
  operation({
    route: `POST ${BASE}/:streamId/rotate-secret`,
    operationId: 'rotateAnalyticsStreamSecret',
    summary: 'Rotate the secret of a webhook',
    description: 'Creates a new secret for a webhook. For one day, deliveries are also signed with the previous secret.',
    permission: 'streams.write',
    params: streamParams,
    answer: rotated,
    refusals: [400],
    run: async ({ actor, params }) => {
      const { projectId, streamId } = params;
      const { secret, ...shown } = await rotateStreamSecret(deps, actor, projectId, streamId);
      return { ...view(shown), secret };
    },
  });
  operation({
    route: `POST ${BASE}/:streamId/test`,
    operationId: 'testAnalyticsStream',
    summary: 'Test a stream of analytics',
    description: 'Sends a batch with one event of the kind `test` now, even if the stream is off, and returns the result.',
    permission: 'streams.write',
    params: streamParams,
    answer: z
      .object({
        delivered: z.boolean().describe('Whether the receiver accepted the batch.'),
        error: z.string().nullable().describe('Why the receiver did not accept it.'),
      })
      .meta({ examples: [{ delivered: false, error: 'The receiver returned status 500.' }] }),
    run: async ({ actor, params }) => {
      const { projectId, streamId } = params;
      const error = await testStream(deps, actor, projectId, streamId);
      return { delivered: error === null, error };
    },
  });
  operation({
    route: `DELETE ${BASE}/:streamId`,
    operationId: 'deleteAnalyticsStream',
    summary: 'Delete a stream of analytics',
    description: 'Deletes a stream. Pending events are not delivered.',
    permission: 'streams.write',
    params: streamParams,
    answer: z.null().describe('The stream is deleted.'),
    run: ({ actor, params }) => removeStream(deps, actor, params.projectId, params.streamId),
  });
}
