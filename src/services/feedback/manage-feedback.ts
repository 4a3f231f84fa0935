import { type Actor, actorId, requirePermission } from '../../core/access/may.ts';
import type { FeedbackSource, FeedbackStatus } from '../../core/analytics/feedback.ts';
import { DocentError } from '../../core/errors.ts';
import {
  countFeedbackByPage,
  type FeedbackFilter,
  type FeedbackRow,
  listFeedback,
  type PageRatings,
  updateFeedback,
} from '../../db/feedback.ts';
import type { Deps } from '../deps.ts';
import { allRows, byCreation, type ListPage, type PageRequest, readPage } from '../list-pages.ts';
import { findActorSite } from '../sites/find-actor-site.ts';
import { storableText } from '../storable-text.ts';

type FeedbackDeps = Pick<Deps, 'database' | 'clock' | 'assistantSettings' | 'config'>;

export interface FeedbackQuery extends Omit<FeedbackFilter, 'siteId' | 'keptSince' | 'source' | 'status'> {
  projectId: string;
  source?: readonly FeedbackSource[] | undefined;
  status?: readonly FeedbackStatus[] | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Ids of answers are ULIDs or hashes; ids of page feedback are chosen by the page. */
const isFeedbackId = (id: string): boolean => /^[\w-]{1,64}$/.test(id);

async function filterOf(deps: FeedbackDeps, actor: Actor, { projectId, ...filter }: FeedbackQuery): Promise<FeedbackFilter> {
  const site = await findActorSite(deps, actor, projectId);
  const { retentionDays } = await deps.assistantSettings.of(site.id);
  return { ...filter, siteId: site.id, keptSince: new Date(deps.clock.now().getTime() - retentionDays * DAY_MS) };
}

/**
 * Returns feedback of readers and agents about pages, and of readers about answers, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not create
 */
export async function listSiteFeedback(
  deps: FeedbackDeps,
  actor: Actor,
  { cursor, limit, ...query }: FeedbackQuery & PageRequest,
): Promise<ListPage<FeedbackRow>> {
  requirePermission(actor, 'analytics.read');
  const filter = await filterOf(deps, actor, query);
  return readPage(
    { cursor, limit },
    {
      isId: isFeedbackId,
      placeOf: byCreation,
      read: (slice) => listFeedback(deps.database.queries, { ...filter, ...slice }),
    },
  );
}

/**
 * Returns the amount of feedback per page, highest first.
 * @throws DocentError `site_not_found`
 */
export async function summarizeFeedback(
  deps: FeedbackDeps,
  actor: Actor,
  { limit, ...query }: FeedbackQuery & { limit: number },
): Promise<{ pages: PageRatings[]; hasMore: boolean }> {
  requirePermission(actor, 'analytics.read');
  const filter = await filterOf(deps, actor, query);
  const found = await countFeedbackByPage(deps.database.queries, { ...filter, limit: limit + 1 });
  return { pages: found.slice(0, limit), hasMore: found.length > limit };
}

/**
 * Sets status or note of feedback, and keeps omitted ones.
 * @throws DocentError `site_not_found`, `feedback_not_found`
 */
export async function changeFeedback(
  deps: FeedbackDeps,
  actor: Actor,
  { projectId, feedbackId, ...changes }: { projectId: string; feedbackId: string; status?: FeedbackStatus; note?: string | null },
): Promise<FeedbackRow> {
  requirePermission(actor, 'feedback.write');
  const { siteId, keptSince } = await filterOf(deps, actor, { projectId });
  const note = typeof changes.note === 'string' ? storableText(changes.note).trim() || null : changes.note;
  const written = {
    siteId,
    id: feedbackId,
    handledBy: actorId(actor),
    ...(changes.status !== undefined && { status: changes.status }),
    ...(note !== undefined && { note }),
  };
  const { queries } = deps.database;
  const wasFound = isFeedbackId(feedbackId) && (await updateFeedback(queries, written));
  const wanted = { siteId, keptSince, id: feedbackId, limit: 1 };
  const row =
    wasFound && ((await listFeedback(queries, wanted))[0] ?? (await listFeedback(queries, { ...wanted, isOfPreviews: true }))[0]);
  if (!row) throw new DocentError('feedback_not_found', 'The site has no such feedback; it may have expired.');
  return row;
}

const PAGE = 1000;

/** Yields all feedback as rows of text, newest first, for exports. @throws DocentError `site_not_found` */
export async function* feedbackRows(
  deps: FeedbackDeps,
  actor: Actor,
  query: FeedbackQuery,
): AsyncGenerator<Record<string, string>> {
  for await (const { createdAt, ...row } of allRows(PAGE, (page) => listSiteFeedback(deps, actor, { ...query, ...page }))) {
    const texts = Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)] as const);
    yield { createdAt: createdAt.toISOString(), ...Object.fromEntries(texts) };
  }
}
