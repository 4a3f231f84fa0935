import { z } from 'zod';
import { requirePermission } from '../../../core/access/may.ts';
import { MAX_BATCH_BYTES } from '../../../core/analytics/reader-events.ts';
import { authenticate } from '../../../services/access/authenticate.ts';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/sites/find-asked-site.ts';
import type { App } from '../../app-types.ts';
import { clientOf } from '../../client-of.ts';
import { problems } from '../../problem.ts';
import { discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { takeEvents } from '../site/take-events.ts';

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
            'Takes what the pages of an exported bundle send of reading them, and what readers say of them: the address for the option `analyticsUrl` of an export. The body is JSON with the type `text/plain`, which browsers send without asking first.',
          consumes: ['text/plain'],
          tags: ['Analytics'],
          security: [],
          params: domainParams,
          querystring: z.object({ key: z.string().max(200).describe('Assistant key of the site.') }),
          body: z.string().meta({ description: 'A batch of at most 20 events and 8 KB.', examples: [batchExample] }),
          response: { 204: z.null().describe('The events are taken.'), ...problems(400, 401, 403, 404, 413, 415, 429) },
        },
        handler: async (request, reply) => {
          const { origin } = request.headers;
          const credentials = { authorization: `Bearer ${request.query.key}`, origin, ip: clientOf(deps, request) };
          const actor = await authenticate(deps, credentials, () => {});
          requirePermission(actor, 'assistant.ask');
          const site = await findAskedSite(deps, actor, request.params.domain);
          await takeEvents(deps, request, site);
          // Pages that say whether feedback was sent read the answer; the key is in the address, so there is nothing to protect.
          return reply.header('access-control-allow-origin', '*').code(204).send(null);
        },
      });
    }
  });
}
