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
  for (const name of ['events', 'feedback'])
    eventsRoute(app, `/sites/:slug/_docent/${name}`, async (request) => {
      const { slug } = request.params as { slug: string };
      const site = await deps.liveSites.findShown(slug);
      if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
      await takeEvents(deps, request, site);
    });
}

/** An address that takes events of the pages of its own origin. */
export function eventsRoute(app: App, url: string, take: (request: FastifyRequest) => Promise<void>): void {
  app.register(async (scope) => {
    // `sendBeacon` sends text, so that browsers ask nothing first.
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url,
      bodyLimit: MAX_BATCH_BYTES,
      onRequest: [requireOwnOrigin(async () => [], { acceptsPrograms: true })],
      schema: { hide: true },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        await take(request);
        return reply.code(204).send();
      },
    });
  });
}
