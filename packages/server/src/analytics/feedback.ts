import { type NamedLimit, pastLimit } from '@docent/format/access/limits.ts';
import { type Action, type Actor, actorId } from '@docent/format/access/may.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import type {
  FeedbackReason,
  FeedbackSource,
  FeedbackStatus,
} from '@docent/format/analytics/feedback.ts';
import { oneLine } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import {
  allRows,
  byCreation,
  type ListPage,
  type PageRequest,
  readPage,
} from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { type EmitDeps, emitEvent } from '../webhooks-out/emit/emit-event.ts';
import {
  countFeedbackByPage,
  deleteFeedbackOf,
  type FeedbackFilter,
  type FeedbackRow,
  listFeedback,
  type PageRatings,
  putFeedback,
  updateFeedback,
} from './feedback-queries.ts';

type FeedbackDeps = Pick<Deps, 'database' | 'clock' | 'assistantSettings' | 'config'>;

interface FeedbackQuery
  extends Omit<FeedbackFilter, 'siteId' | 'keptSince' | 'source' | 'status' | 'isOfPreviews'> {
  projectId: string;
  previews?: boolean | undefined;
  source?: readonly FeedbackSource[] | undefined;
  status?: readonly FeedbackStatus[] | undefined;
}

/** Ids of answers are ULIDs or hashes; ids of page feedback are chosen by the page. */
const isFeedbackId = (id: string): boolean => /^[\w-]{1,64}$/.test(id);

async function filterOf(
  deps: FeedbackDeps,
  actor: Actor,
  permission: Action,
  { projectId, previews, ...filter }: FeedbackQuery,
): Promise<FeedbackFilter> {
  const site = await findPermittedSite(deps, actor, permission, projectId);
  const { retentionDays } = await deps.assistantSettings.of(site.id);
  const keptSince = new Date(deps.clock.now().getTime() - retentionDays * DAY_MS);
  return { ...filter, siteId: site.id, keptSince, isOfPreviews: previews };
}

/**
 * Returns feedback of readers and agents about pages, and of readers about answers, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listSiteFeedback(
  deps: FeedbackDeps,
  actor: Actor,
  { cursor, limit, ...query }: FeedbackQuery & PageRequest,
): Promise<ListPage<FeedbackRow>> {
  const filter = await filterOf(deps, actor, 'analytics.read', query);
  return readPage(
    { cursor, limit },
    (slice) => listFeedback(deps.database.queries, { ...filter, ...slice }),
    byCreation,
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
  const filter = await filterOf(deps, actor, 'analytics.read', query);
  const pages = await countFeedbackByPage(deps.database.queries, { ...filter, limit: limit + 1 });
  return { pages: pages.slice(0, limit), hasMore: pages.length > limit };
}

/**
 * Sets status or note of feedback, and keeps omitted ones.
 * @throws DocentError `site_not_found`, `feedback_not_found`
 */
export async function changeFeedback(
  deps: FeedbackDeps,
  actor: Actor,
  {
    projectId,
    feedbackId,
    ...changes
  }: { projectId: string; feedbackId: string; status?: FeedbackStatus; note?: string | null },
): Promise<FeedbackRow> {
  const { siteId, keptSince } = await filterOf(deps, actor, 'feedback.write', { projectId });
  const note =
    changes.note === undefined ? undefined : storableText(changes.note ?? '').trim() || null;
  const written = {
    siteId,
    id: feedbackId,
    handledBy: actorId(actor),
    status: changes.status,
    note,
  };
  const { queries } = deps.database;
  const wasFound = isFeedbackId(feedbackId) && (await updateFeedback(queries, written));
  const feedbackFilter = { siteId, keptSince, id: feedbackId, limit: 1 };
  const row =
    wasFound &&
    ((await listFeedback(queries, feedbackFilter))[0] ??
      (await listFeedback(queries, { ...feedbackFilter, isOfPreviews: true }))[0]);
  if (!row) throw notFound();
  return row;
}

/**
 * Deletes one piece of feedback, for example because it names a person.
 * @throws DocentError `site_not_found`, `feedback_not_found`
 */
export async function deleteFeedback(
  deps: FeedbackDeps,
  actor: Actor,
  { projectId, feedbackId }: { projectId: string; feedbackId: string },
): Promise<void> {
  const { siteId } = await filterOf(deps, actor, 'projects.write', { projectId });
  const { queries } = deps.database;
  if (!(isFeedbackId(feedbackId) && (await deleteFeedbackOf(queries, siteId, feedbackId))))
    throw notFound();
}

function notFound(): DocentError {
  return new DocentError(
    'feedback_not_found',
    'The site has no such feedback; it may have expired.',
  );
}

const PAGE = 1000;

/** Yields all feedback, newest first, for exports. @throws DocentError `site_not_found` */
export async function* feedbackRows(deps: FeedbackDeps, actor: Actor, query: FeedbackQuery) {
  const rows = allRows(PAGE, (page) => listSiteFeedback(deps, actor, { ...query, ...page }));
  for await (const { createdAt, ...row } of rows) yield { createdAt, ...row };
}

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
  deps: EmitDeps & Pick<Deps, 'database' | 'limiter'>,
  site: LiveSite,
  opinion: PageOpinion,
): Promise<boolean> {
  const { database, clock, limiter } = deps;
  const page = site.build.pages.find(
    ({ href, externalUrl }) => href === opinion.href && !externalUrl,
  );
  if (!page) return false;
  const state = await limiter.consume(PER_SITE, site.siteId);
  if (!state.allowed) throw pastLimit(PER_SITE, state.resetSeconds);
  const now = clock.now();
  const comment = storableText(opinion.comment ?? '').trim() || null;
  const withWords = comment !== null || opinion.reason !== undefined;
  const { siteId } = site;
  const id = opinion.id ?? createUlid(now);
  const feedback = {
    siteId,
    id,
    previewId: site.preview?.id ?? null,
    source: opinion.isByAgent ? 'agent' : withWords ? 'contextual' : 'thumbs_only',
    path: page.href,
    version: page.version ?? '',
    language: page.language ?? '',
    helpful: opinion.helpful ?? null,
    reason: opinion.reason ?? null,
    comment,
    createdAt: now,
  } as const;
  const { helpful, reason, path } = feedback;
  await database.queries.transaction().execute(async (transaction) => {
    await putFeedback(transaction, feedback);
    // Readers change their mind while they write; only words are news.
    if (comment !== null)
      await emitEvent(deps, transaction, {
        type: 'feedback.created',
        siteId,
        title: oneLine(comment, 100),
        path: 'feedback',
        details: { feedbackId: id, path, helpful, reason, comment },
      });
  });
  return true;
}
