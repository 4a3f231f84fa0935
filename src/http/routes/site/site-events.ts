import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_BATCH_BYTES } from '../../../core/analytics/reader-events.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { callerOf } from '../../count-fetch.ts';
import { requireOwnOrigin } from '../../same-origin.ts';

/**
 * `POST /_docent/events` of each site: what its pages send of reading them (`core/analytics/reader-events.ts`). It takes no key,
 * because it takes pages of the site's own origin alone, and what a program can send besides is bounded for each client.
 */
export function siteEventsRoute(app: App, deps: Deps): void {
  app.register(async (scope) => {
    // `sendBeacon` sends text, so that browsers ask nothing first.
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url: '/sites/:slug/_docent/events',
      bodyLimit: MAX_BATCH_BYTES,
      onRequest: [requireOwnOrigin(async () => [], { acceptsPrograms: true })],
      schema: { hide: true },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { slug } = request.params as { slug: string };
        const site = await deps.liveSites.find(slug);
        if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
        const body = typeof request.body === 'string' ? request.body : '';
        if (await deps.analytics.takeBatch(site, body, callerOf(deps, request))) return reply.code(204).send();
        throw new DocentError('invalid_request', 'The body is not a batch of events: {"v":1,"events":[…]} with 1 to 20 events.');
      },
    });
  });
}
