import { type Actor, requirePermission } from '../../core/access/may.ts';
import type { AnswerOutcome } from '../../core/assistant/answer-event.ts';
import { DocentError } from '../../core/errors.ts';
import {
  type AnswerRow,
  type ConversationScope,
  countCallers,
  listAnswers,
  listThreads,
  type MessageRow,
  readThread,
  type ThreadSummaryRow,
} from '../../db/conversations.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { type ListPage, pageOf, readCursor } from '../list-cursor.ts';
import { findActorSite } from '../sites/find-actor-site.ts';
import { publicUrlOf } from '../sites/site-address.ts';

type AnalyticsDeps = Pick<Deps, 'database' | 'clock' | 'assistantSettings' | 'config'>;

/** A site of the actor's organisation, and a time; without one everything that is kept. */
export interface AnalyticsQuery {
  projectId: string;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  /** Only what was asked on this page. */
  path?: string | undefined;
}

type ListQuery = AnalyticsQuery & { cursor?: string | undefined; limit: number };

const DAY_MS = 24 * 60 * 60 * 1000;
/** A conversation is read by people; this bounds what a program can make of one. */
const THREAD_LIMITS = { maxMessages: 1000, maxCharacters: 1_000_000 };

/** Ids of messages are ULIDs or hashes. */
const isMessageId = (id: string): boolean => /^[0-9A-Za-z]{1,32}$/.test(id);
const afterOf = (cursor: string | undefined, isId = isMessageId) => (cursor === undefined ? undefined : readCursor(cursor, isId));

async function open(deps: AnalyticsDeps, actor: Actor, { projectId, from, to, path }: AnalyticsQuery) {
  requirePermission(actor, 'analytics.read');
  const site = await findActorSite(deps, actor, projectId);
  const { retentionDays } = await deps.assistantSettings.of(site.id);
  const keptSince = new Date(deps.clock.now().getTime() - retentionDays * DAY_MS);
  const scope: ConversationScope = { siteId: site.id, keptSince, from, to, path };
  return { scope, publicUrl: publicUrlOf(site, deps.config) };
}

/**
 * Questions with their answers, the newest first, and the address under which the pages of the site are.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not give
 */
export async function listConversations(
  deps: AnalyticsDeps,
  actor: Actor,
  query: ListQuery & { outcome?: AnswerOutcome | undefined },
): Promise<ListPage<AnswerRow> & { publicUrl: string }> {
  const { scope, publicUrl } = await open(deps, actor, query);
  const { outcome, cursor, limit } = query;
  const found = await listAnswers(deps.database.queries, scope, { outcome, after: afterOf(cursor), limit: limit + 1 });
  return { ...pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id })), publicUrl };
}

/**
 * The threads of a site, the last begun first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not give
 */
export async function listSiteThreads(
  deps: AnalyticsDeps,
  actor: Actor,
  query: ListQuery & { outcome?: AnswerOutcome | undefined },
): Promise<ListPage<ThreadSummaryRow>> {
  const { scope } = await open(deps, actor, query);
  const { outcome, cursor, limit } = query;
  const filter = { outcome, after: afterOf(cursor, isUlid), limit: limit + 1 };
  const found = await listThreads(deps.database.queries, scope, filter);
  return pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/**
 * A thread with what was said in it.
 * @throws DocentError `site_not_found`; `thread_not_found`, also for one of another site
 */
export async function readSiteThread(
  deps: AnalyticsDeps,
  actor: Actor,
  query: AnalyticsQuery & { threadId: string },
): Promise<{ createdAt: Date; hasEarlier: boolean; messages: MessageRow[] }> {
  const { scope } = await open(deps, actor, query);
  const { threadId } = query;
  const found = isUlid(threadId) ? await readThread(deps.database.queries, scope, { threadId, ...THREAD_LIMITS }) : undefined;
  if (!found) throw new DocentError('thread_not_found', 'The site has no such thread; it may have been deleted with its age.');
  return found;
}

/**
 * How many questions came from web pages, from programs, and from where it is not known.
 * @throws DocentError `site_not_found`
 */
export async function countQuestionsByCaller(
  deps: AnalyticsDeps,
  actor: Actor,
  query: AnalyticsQuery,
): Promise<{ web: number; api: number; other: number; total: number }> {
  const { scope } = await open(deps, actor, query);
  const counts = { web: 0, api: 0, other: 0, total: 0 };
  for (const { caller, count } of await countCallers(deps.database.queries, scope)) {
    counts[caller ?? 'other'] += count;
    counts.total += count;
  }
  return counts;
}
