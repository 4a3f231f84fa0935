import { z } from 'zod';
import { requirePermission } from '../../../core/access/may.ts';
import { MAX_BATCH_BYTES } from '../../../core/analytics/reader-events.ts';
import { DocentError } from '../../../core/errors.ts';
import { authenticate } from '../../../services/access/authenticate.ts';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/sites/find-asked-site.ts';
import type { App } from '../../app-types.ts';
import { clientOf } from '../../client-of.ts';
import { callerOf } from '../../count-fetch.ts';
import { problems } from '../../problem.ts';
import { discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';

const batchExample = '{"v":1,"now":9120,"events":[{"t":"page","at":1002,"path":"/guides/start","from":"example.com"}]}';

/**
 * `POST /v1/events/{domain}`: what the pages of a bundle send, wherever it is read. `sendBeacon` sends no headers of its own, so the
 * key, which is public, stands in the address.
 */
export function bundleEventsRoute(app: App, deps: Deps): void {
  app.register(async (outer) => {
    const scope = outer as unknown as App;
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
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
            'Takes what the pages of an exported bundle send of reading them: the address for the option `analyticsUrl` of an export. The body is JSON with the type `text/plain`, which browsers send without asking first.',
          consumes: ['text/plain'],
          tags: ['Analytics'],
          security: [],
          params: domainParams,
          querystring: z.object({ key: z.string().max(200).describe('Assistant key of the site.') }),
          body: z.string().meta({ description: 'A batch of at most 20 events and 8 KB.', examples: [batchExample] }),
          response: { 204: z.null().describe('The events are taken.'), ...problems(400, 401, 403, 404, 413, 415) },
        },
        handler: async (request, reply) => {
          const { origin } = request.headers;
          const credentials = { authorization: `Bearer ${request.query.key}`, origin, ip: clientOf(deps, request) };
          const actor = await authenticate(deps, credentials, () => {});
          requirePermission(actor, 'assistant.ask');
          const site = await findAskedSite(deps, actor, request.params.domain);
          if (await deps.analytics.takeBatch(site, request.body, callerOf(deps, request))) return reply.code(204).send(null);
          throw new DocentError(
            'invalid_request',
            'The body is not a batch of events: {"v":1,"events":[…]} with 1 to 20 events.',
          );
        },
      });
    }
  });
}
