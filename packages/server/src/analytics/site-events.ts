import { addressLimit, HOUR_SECONDS } from '@docent/format/access/limits.ts';
import { MAX_BATCH_BYTES, readBatch } from '@docent/format/analytics/reader-events.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { ownOriginsOf, shownSite } from '../kernel/http/asked-site.ts';
import type { App } from '../kernel/http/base-app.ts';
import { requireOwnOrigin } from '../kernel/http/browser-origins.ts';
import { callerOf } from '../kernel/http/count-fetch.ts';
import { type ReaderDeps, readerSessionOf } from '../kernel/http/reader-of.ts';
import { SITE_ROUTE } from '../kernel/http/site-route.ts';
import { countAddress } from '../kernel/operations/rate-limits.ts';
import type { EventCollector } from '../kernel/process-state.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { RateLimiter } from '../ports/rate-limiter.ts';
import type { PageOpinion } from './feedback.ts';

/**
 * `POST /_docent/events` and `/_docent/feedback` of each site: reading events of its pages, and readers' feedback about them
 * (`format/analytics/reader-events.ts`). Requires no key, because it only accepts pages of the
 * site's own origin, and what programs can send anyway is limited per client. Blockers may block
 * the first URL; what readers send on purpose uses the second.
 */
export function siteEventsRoute(app: App, deps: EventsDeps & Pick<Deps, 'liveSites'>): void {
  app.register(async (scope) => {
    // `sendBeacon` sends text, so that browsers send no preflight request.
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    for (const name of ['events', 'feedback']) {
      scope.route({
        method: 'POST',
        url: `${SITE_ROUTE}/_docent/${name}`,
        bodyLimit: MAX_BATCH_BYTES,
        onRequest: [
          requireOwnOrigin(async (request) => ownOriginsOf(await shownSite(deps, request)), {
            acceptsPrograms: true,
          }),
        ],
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          await takeEvents(deps, request, await shownSite(deps, request));
          return reply.code(204).send();
        },
      });
    }
  });
}

/** Stores feedback about a page. @returns false if the site has no such page */
export type TakeFeedback = (site: LiveSite, opinion: PageOpinion) => Promise<boolean>;

interface EventsDeps extends ReaderDeps {
  analytics: Pick<EventCollector, 'takeBatch'>;
  takeFeedback: TakeFeedback;
  config: Pick<Config, 'trustedProxies'>;
  limiter: RateLimiter;
}

/** Feedback per address and hour: far more than a reader gives. */
export const FEEDBACK_PER_IP = addressLimit('feedback', 120, HOUR_SECONDS, 'messages of feedback');

/**
 * Processes what a page sent: feedback, which readers sent on purpose, is stored for sites and
 * previews alike; other events are counted if analytics are on, and never for a preview or a view.
 * @throws DocentError `invalid_request` for an invalid batch, `rate_limited` for too much feedback
 */
export async function takeEvents(
  deps: EventsDeps,
  request: FastifyRequest,
  site: LiveSite,
): Promise<void> {
  const batch = readBatch(typeof request.body === 'string' ? request.body : '');
  if (!batch)
    throw new DocentError(
      'invalid_request',
      'The body is not a batch of events: {"v":1,"events":[…]} with 1 to 20 events.',
    );
  for (const { event } of batch) {
    if (event.t !== 'feedback') continue;
    await countAddress(deps, request, FEEDBACK_PER_IP);
    const { id, helpful, reason, comment, path } = event;
    if (!(await deps.takeFeedback(site, { id, href: path, helpful, reason, comment })))
      throw new DocentError('page_not_found', `The site has no page at ${path}.`);
  }
  // An admin who sees the site as a reader does not read it.
  const session = await readerSessionOf(deps, request, site);
  if (!site.preview && session?.method !== 'view')
    await deps.analytics.takeBatch(site, batch, {
      ...callerOf(deps, request),
      groups: session?.reader.groups,
    });
}
