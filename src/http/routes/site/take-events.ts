import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { NamedLimit } from '../../../core/access/limits.ts';
import { type Batch, readBatch } from '../../../core/analytics/reader-events.ts';
import { DocentError } from '../../../core/errors.ts';
import type { RateLimiter } from '../../../ports/rate-limiter.ts';
import type { EventCollector } from '../../../services/analytics/analytics.ts';
import type { PageOpinion } from '../../../services/feedback/take-feedback.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import { callerOf } from '../../count-fetch.ts';
import { countAddress } from '../../rate-limits.ts';

/** Stores feedback about a page. @returns false if the site has no such page */
export type TakeFeedback = (site: LiveSite, said: PageOpinion) => Promise<boolean>;

export interface EventsDeps {
  analytics: Pick<EventCollector, 'takeBatch'>;
  takeFeedback: TakeFeedback;
  config: Pick<Config, 'trustedProxies'>;
  limiter: RateLimiter;
}

/** Feedback per address and hour: far more than a reader gives. */
export const FEEDBACK_PER_IP: NamedLimit = {
  name: 'feedback-ip',
  points: 120,
  windowSeconds: 3600,
  whose: 'An IP address',
  does: 'send',
  things: 'messages of feedback',
};

/**
 * Processes what a page sent: feedback, which readers sent on purpose, is stored for sites and previews alike; other events are
 * counted if analytics are on, and never for a preview.
 * @throws DocentError `invalid_request` for an invalid batch, `rate_limited` for too much feedback
 */
export async function takeEvents(deps: EventsDeps, request: FastifyRequest, site: LiveSite): Promise<void> {
  const batch = readEvents(request);
  for (const { event } of batch.events) {
    if (event.t !== 'feedback') continue;
    await countAddress(deps, request, FEEDBACK_PER_IP);
    const { id, helpful, reason, comment, path } = event;
    if (!(await deps.takeFeedback(site, { id, href: path, helpful, reason, comment })))
      throw new DocentError('page_not_found', `The site has no page at ${path}.`);
  }
  if (!site.preview) await deps.analytics.takeBatch(site, batch, callerOf(deps, request));
}

/** Parses the body that a page sent. @throws DocentError `invalid_request` for an invalid batch */
function readEvents(request: FastifyRequest): Batch {
  const batch = readBatch(typeof request.body === 'string' ? request.body : '');
  if (batch) return batch;
  throw new DocentError('invalid_request', 'The body is not a batch of events: {"v":1,"events":[…]} with 1 to 20 events.');
}
