import { type NamedLimit, pastLimit } from '../../core/access/limits.ts';
import type { FeedbackReason } from '../../core/analytics/feedback.ts';
import { putFeedback } from '../../db/feedback.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { storableText } from '../storable-text.ts';

/** Far more than the readers of a site send in a day, so that nobody can fill the disk with it. */
const PER_SITE: NamedLimit = {
  name: 'feedback-site',
  points: 10_000,
  windowSeconds: 86_400,
  whose: 'A site',
  does: 'receive',
  things: 'messages of feedback',
};

export interface PageOpinion {
  /** Chosen by a reader's page; agents have none. */
  id?: string | undefined;
  /** Site path of the page. */
  href: string;
  helpful?: boolean | undefined;
  reason?: FeedbackReason | undefined;
  comment?: string | undefined;
  isByAgent?: boolean;
}

/**
 * Stores feedback of a reader or an agent about a page. Their identity is not stored.
 * @returns false if the site has no such page
 * @throws DocentError `rate_limited` if the site received too much in a day
 */
export async function takeFeedback(
  { database, clock, limiter }: Pick<Deps, 'database' | 'clock' | 'limiter'>,
  site: LiveSite,
  opinion: PageOpinion,
): Promise<boolean> {
  const page = site.build.pages.find(({ href, externalUrl }) => href === opinion.href && !externalUrl);
  if (!page) return false;
  const state = await limiter.consume(PER_SITE, site.siteId);
  if (!state.allowed) throw pastLimit(PER_SITE, state.resetSeconds);
  const now = clock.now();
  const comment = storableText(opinion.comment ?? '').trim() || null;
  const withWords = comment !== null || opinion.reason !== undefined;
  await putFeedback(database.queries, {
    siteId: site.siteId,
    id: opinion.id ?? createUlid(now),
    previewId: site.preview?.id ?? null,
    source: opinion.isByAgent ? 'agent' : withWords ? 'contextual' : 'thumbs_only',
    path: page.href,
    version: page.version ?? '',
    language: page.language ?? '',
    helpful: opinion.helpful ?? null,
    reason: opinion.reason ?? null,
    comment,
    createdAt: now,
  });
  return true;
}
