import type { FastifyRequest } from 'fastify';
import type { NamedLimit } from '../../../core/access/limits.ts';
import { type Batch, readBatch } from '../../../core/analytics/reader-events.ts';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import { takeFeedback } from '../../../services/feedback/take-feedback.ts';
import type { LiveSite } from '../../../services/sites/live-sites.ts';
import { callerOf } from '../../count-fetch.ts';
import { countAddress } from '../../rate-limits.ts';

/** Feedback of one address in an hour: far more than a reader gives. */
export const FEEDBACK_PER_IP: NamedLimit = {
  name: 'feedback-ip',
  points: 120,
  windowSeconds: 3600,
  whose: 'An IP address',
  does: 'send',
  things: 'messages of feedback',
};

/**
 * Takes what a page sent: feedback, which readers sent on purpose, is stored for sites and previews alike; the rest is counted
 * where the site counts, and never for a preview.
 * @throws DocentError `invalid_request` for a body that is no batch, `rate_limited` for too much feedback
 */
export async function takeEvents(
  deps: Pick<Deps, 'analytics' | 'config' | 'database' | 'clock' | 'limiter'>,
  request: FastifyRequest,
  site: LiveSite,
): Promise<void> {
  const batch = readEvents(request);
  for (const { event } of batch.events) {
    if (event.t !== 'feedback') continue;
    await countAddress(deps, request, FEEDBACK_PER_IP);
    const { id, helpful, reason, comment, path } = event;
    const isStored = await takeFeedback(deps, site, { id, href: path, helpful, reason, comment });
    if (!isStored) throw new DocentError('page_not_found', `The site has no page at ${path}.`);
  }
  if (!site.preview) await deps.analytics.takeBatch(site, batch, callerOf(deps, request));
}

/** What a page sent. @throws DocentError `invalid_request` for a body that is no batch */
export function readEvents(request: FastifyRequest): Batch {
  const batch = readBatch(typeof request.body === 'string' ? request.body : '');
  if (batch) return batch;
  throw new DocentError('invalid_request', 'The body is not a batch of events: {"v":1,"events":[…]} with 1 to 20 events.');
}
