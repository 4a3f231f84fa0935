import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_BATCH_BYTES } from '../../../core/analytics/reader-events.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { requireOwnOrigin } from '../../same-origin.ts';
import { takeEvents } from './take-events.ts';

/**
 * `POST /_docent/events` and `/_docent/feedback` of each site: what its pages send of reading them, and what readers say of them
 * (`core/analytics/reader-events.ts`). It takes no key, because it takes pages of the site's own origin alone, and what a program can
 * send besides is bounded for each client. Blockers may know the first address; what readers send on purpose has the second.
 */
export function siteEventsRoute(app: App, deps: Deps): void {
  app.register(async (scope) => {
    // `sendBeacon` sends text, so that browsers ask nothing first.
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    for (const name of ['events', 'feedback']) {
      scope.route({
        method: 'POST',
        url: `/sites/:slug/_docent/${name}`,
        bodyLimit: MAX_BATCH_BYTES,
        onRequest: [requireOwnOrigin(async () => [], { acceptsPrograms: true })],
        schema: { hide: true },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const { slug } = request.params as { slug: string };
          const site = await deps.liveSites.findShown(slug);
          if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
          await takeEvents(deps, request, site);
          return reply.code(204).send();
        },
      });
    }
  });
}
