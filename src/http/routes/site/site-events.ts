import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_BATCH_BYTES } from '../../../core/analytics/reader-events.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { requireOwnOrigin } from '../../same-origin.ts';
import { SITE_ROUTE, shownSite } from './asked-site.ts';
import { type EventsDeps, takeEvents } from './take-events.ts';

/**
 * `POST /_docent/events` and `/_docent/feedback` of each site: reading events of its pages, and readers' feedback about them
 * (`core/analytics/reader-events.ts`). Requires no key, because it only accepts pages of the site's own origin, and what programs
 * can send anyway is limited per client. Blockers may block the first URL; what readers send on purpose uses the second.
 */
export function siteEventsRoute(app: App, deps: EventsDeps & Pick<Deps, 'liveSites'>): void {
  app.register(async (scope) => {
    // `sendBeacon` sends text, so that browsers send no preflight request.
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    for (const name of ['events', 'feedback']) {
      scope.route({
        method: 'POST',
        url: `${SITE_ROUTE}/_docent/${name}`,
        bodyLimit: MAX_BATCH_BYTES,
        onRequest: [requireOwnOrigin(async () => [], { acceptsPrograms: true })],
        schema: { hide: true },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          await takeEvents(deps, request, await shownSite(deps, request));
          return reply.code(204).send();
        },
      });
    }
  });
}
