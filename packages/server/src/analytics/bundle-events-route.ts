import { requirePermission } from '@docent/format/access/may.ts';
import { MAX_BATCH_BYTES } from '@docent/format/analytics/reader-events.ts';
import * as z from 'zod';
import { authenticate } from '../kernel/access/authenticate.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { clientOf } from '../kernel/http/client-of.ts';
import { problems } from '../kernel/http/problem.ts';
import { discoveryPrefixes } from '../kernel/operations/discovery-operation.ts';
import { pathParams } from '../kernel/operations/fields.ts';
import { findRequestedSite } from '../kernel/sites/find-site.ts';
import { takeFeedback } from './feedback.ts';
import { takeEvents } from './site-events.ts';

const batchExample =
  '{"v":1,"now":9120,"events":[{"t":"page","at":1002,"path":"/guides/start","from":"example.com"}]}';

/**
 * `POST /v1/events/{domain}`: receives the events of a bundle's pages, wherever it is served. `sendBeacon` cannot send custom
 * headers, so the key, which is public, is in the URL.
 */
export function bundleEventsRoute(app: App, deps: Deps): void {
  app.register(async (scope: App) => {
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    for (const { prefix, hide } of discoveryPrefixes) {
      scope.route({
        method: 'POST',
        url: `${prefix}/v1/events/:domain`,
        bodyLimit: MAX_BATCH_BYTES,
        schema: {
          hide,
          operationId: 'sendEvents',
          summary: 'Send events',
          description:
            'Accepts analytics events and feedback from the pages of an exported bundle: the URL for the option `analyticsUrl` of an export. The body is JSON with the type `text/plain`, which browsers send without a preflight request.',
          consumes: ['text/plain'],
          tags: ['Analytics'],
          security: [],
          params: pathParams('/:domain'),
          querystring: z.object({
            key: z.string().max(200).describe('Assistant key of the site.'),
          }),
          body: z.string().meta({
            description: 'A batch of at most 20 events and 8 KB.',
            examples: [batchExample],
          }),
          response: {
            204: z.null().describe('The events were accepted.'),
            ...problems(400, 401, 403, 404, 413, 415, 429),
          },
        },
        handler: async (request, reply) => {
          const { origin } = request.headers;
          const credentials = {
            authorization: `Bearer ${request.query.key}`,
            origin,
            ip: clientOf(deps, request),
          };
          const actor = await authenticate(deps, credentials, () => {});
          requirePermission(actor, 'assistant.ask');
          const site = await findRequestedSite(deps, actor, request.params.domain);
          await takeEvents(
            { ...deps, takeFeedback: (...said) => takeFeedback(deps, ...said) },
            request,
            site,
          );
          // Pages that report whether feedback was sent read the response; the key is in the URL,
          // so there is nothing to protect.
          return reply.header('access-control-allow-origin', '*').code(204).send(null);
        },
      });
    }
  });
}
