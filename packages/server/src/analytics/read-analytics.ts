import type { StoredOutcome } from '@docent/assistant/chat/answer-event.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { DAY_MS, isoDayOf } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { pageFacts } from '@docent/format/navigation/page-facts.ts';
import { countRows } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import { isUlid } from '../kernel/ids.ts';
import {
  allRows,
  byCreation,
  type ListPage,
  type PageRequest,
  readPage,
} from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { publicUrlOf } from '../kernel/sites/site-address.ts';
import { pagesByHref } from '../kernel/sites/site-pages.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import {
  type AnswerRow,
  type ConversationScope,
  type CountedAnswer,
  countCallers,
  deleteThread,
  listAnswers,
  listCountedAnswers,
  listThreads,
  type MessageRow,
  outcomeOf,
  readThread,
  type ThreadSummaryRow,
} from './conversation-queries.ts';
import { distinctiveWords, groupQuestions } from './group-questions.ts';
import type { ReportQuery } from './read-reports.ts';

type AnalyticsDeps = Pick<Deps, 'database' | 'clock' | 'assistantSettings' | 'config'>;

type ListQuery = ReportQuery & PageRequest & { outcome?: StoredOutcome | undefined };

/** People read conversations; this bounds what a program can make of one. */
const THREAD_LIMITS = { maxMessages: 1000, maxCharacters: 1_000_000 };

async function open(
  deps: AnalyticsDeps,
  actor: Actor,
  { projectId, from, to, path, version, language }: ReportQuery,
) {
  const site = await findPermittedSite(deps, actor, 'analytics.read', projectId);
  const { retentionDays } = await deps.assistantSettings.of(site.id);
  const keptSince = new Date(deps.clock.now().getTime() - retentionDays * DAY_MS);
  const scope: ConversationScope = {
    siteId: site.id,
    keptSince,
    from,
    to,
    path,
    version,
    language,
  };
  return { site, scope, publicUrl: publicUrlOf(site, deps.config) };
}

/**
 * Returns questions with their answers, newest first, and the base URL of the site's pages.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listConversations(
  deps: AnalyticsDeps & Pick<Deps, 'liveSites'>,
  actor: Actor,
  query: ListQuery,
): Promise<ListPage<AnswerRow & { subject: string | null }> & { publicUrl: string }> {
  const { site, scope, publicUrl } = await open(deps, actor, query);
  const { outcome } = query;
  const page = await readPage(
    query,
    (slice) => listAnswers(deps.database.queries, scope, { outcome, ...slice }),
    byCreation,
  );
  const live = (await deps.liveSites.find(site.slug))?.as('owner');
  const subjectOf = live && subjectReader(live);
  const rows = page.rows.map((row) => ({
    ...row,
    subject: subjectOf?.(row.sources[0]?.url ?? '')?.name ?? null,
  }));
  return { ...page, rows, publicUrl };
}

const EXPORTED_PAGE = 500;

/**
 * Yields all questions with their answers, newest first, for exports. @throws DocentError
 * `site_not_found`
 */
export async function* conversationRows(
  deps: AnalyticsDeps & Pick<Deps, 'liveSites'>,
  actor: Actor,
  query: ReportQuery & { outcome?: StoredOutcome | undefined },
) {
  const rows = allRows(EXPORTED_PAGE, (page) =>
    listConversations(deps, actor, { ...query, ...page }),
  );
  for await (const { createdAt, sources, ...row } of rows)
    yield { createdAt, ...row, sources: sources.map(({ url }) => url).join(' ') };
}

/**
 * Returns the threads of a site, most recently started first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listSiteThreads(
  deps: AnalyticsDeps,
  actor: Actor,
  query: ListQuery,
): Promise<ListPage<ThreadSummaryRow>> {
  const { scope } = await open(deps, actor, query);
  const { outcome } = query;
  return readPage(
    query,
    (slice) => listThreads(deps.database.queries, scope, { outcome, ...slice }),
    byCreation,
  );
}

/**
 * Returns a thread with its messages.
 * @throws DocentError `site_not_found`; `thread_not_found`, also for one of another site
 */
export async function readSiteThread(
  deps: AnalyticsDeps,
  actor: Actor,
  query: ReportQuery & { threadId: string },
): Promise<{ createdAt: Date; hasEarlier: boolean; messages: MessageRow[] }> {
  const { scope } = await open(deps, actor, query);
  const { threadId } = query;
  const thread = isUlid(threadId)
    ? await readThread(deps.database.queries, scope, { threadId, ...THREAD_LIMITS })
    : undefined;
  if (!thread) throw threadNotFound();
  return thread;
}

/**
 * Deletes a thread with its messages and their ratings, for example because a reader asked for it.
 * @throws DocentError `site_not_found`, `thread_not_found`
 */
export async function deleteSiteThread(
  deps: AnalyticsDeps,
  actor: Actor,
  { projectId, threadId }: { projectId: string; threadId: string },
): Promise<void> {
  const { id } = await findPermittedSite(deps, actor, 'projects.write', projectId);
  const { queries } = deps.database;
  if (!(isUlid(threadId) && (await deleteThread(queries, id, threadId)))) throw threadNotFound();
}

function threadNotFound(): DocentError {
  return new DocentError('thread_not_found', 'The site has no such thread; it may have expired.');
}

/** Maximum number of newest answers that are counted by subject. */
const MAX_COUNTED = 5000;

/**
 * Returns the questions by subject, most frequent first, and how often an answer was found.
 * @throws DocentError `site_not_found`
 */
export async function readQuestionSubjects(
  deps: AnalyticsDeps & Pick<Deps, 'liveSites'>,
  actor: Actor,
  { limit, offset, ...query }: ReportQuery & { limit: number; offset: number },
) {
  const { site, scope } = await open(deps, actor, query);
  const answers = await listCountedAnswers(deps.database.queries, scope, MAX_COUNTED);
  const live = (await deps.liveSites.find(site.slug))?.as('owner');
  const { totals, days, subjects } = countSubjects(answers, live && subjectReader(live));
  return {
    totals,
    days,
    subjects: subjects.slice(offset, offset + limit),
    hasMore: subjects.length > offset + limit,
  };
}

/** Which questions to list. */
export const QUESTION_LISTS = ['all', 'not_in_docs', 'not_helpful'] as const;

/**
 * Returns what was asked, most frequent first, with near-identical questions as one.
 * @throws DocentError `site_not_found`
 */
export async function readAskedQuestions(
  deps: AnalyticsDeps,
  actor: Actor,
  {
    limit,
    offset,
    only,
    ...query
  }: ReportQuery & { limit: number; offset: number; only: (typeof QUESTION_LISTS)[number] },
) {
  const { scope } = await open(deps, actor, query);
  const answers = await listCountedAnswers(deps.database.queries, scope, MAX_COUNTED);
  const questions = groupQuestions(answers).filter(
    ({ notInDocs, notHelpful }) =>
      only === 'all' || (only === 'not_in_docs' ? notInDocs : notHelpful) > 0,
  );
  return {
    questions: questions.slice(offset, offset + limit),
    hasMore: questions.length > offset + limit,
  };
}

/**
 * Returns the number of questions from web pages, from programs, and of unknown origin.
 * @throws DocentError `site_not_found`
 */
export async function countQuestionsByCaller(
  deps: AnalyticsDeps,
  actor: Actor,
  query: ReportQuery,
): Promise<{ web: number; api: number; other: number; total: number }> {
  const { scope } = await open(deps, actor, query);
  const counts = { web: 0, api: 0, other: 0, total: 0 };
  for (const { caller, count } of await countCallers(deps.database.queries, scope)) {
    counts[caller ?? 'other'] += count;
    counts.total += count;
  }
  return counts;
}

/**
 * The subject of questions: a part of the navigation, a page outside of it, or a word that they
 * share.
 */
export interface Subject {
  name: string;
  kind: 'group' | 'page' | 'word';
}

/** Of the newest questions, each once. */
const MAX_EXAMPLES = 3;
/**
 * Finds the subject of an answer's main source page: its group in the navigation, otherwise its
 * title.
 */
function subjectReader({
  build,
  publicUrl,
}: Pick<LiveSite, 'build' | 'publicUrl'>): (address: string) => Subject | undefined {
  const pages = pagesByHref(build);
  const facts = pageFacts(build.navigation);
  return (address) => {
    if (!address.startsWith(publicUrl)) return undefined;
    const page = pages.get(address.slice(publicUrl.length).replace(/[?#].*$/s, '') || '/');
    if (!page) return undefined;
    const group = facts.get(page.path)?.trail.at(-1);
    return group === undefined
      ? { name: page.title, kind: 'page' }
      : { name: group, kind: 'group' };
  };
}

/** Counts answers by how they ended. */
function countOutcomes(answers: readonly CountedAnswer[]) {
  const countOf = (outcome: StoredOutcome) =>
    answers.filter((answer) => answer.outcome === outcome).length;
  return {
    questions: answers.length,
    answered: countOf('answered'),
    partly: countOf('partly'),
    notInDocs: countOf('not_in_docs'),
    refused: countOf('refused'),
    failed: countOf('failed'),
    unknown: countOf('unknown'),
  };
}

/**
 * Counts answers by subject. Questions without a source are grouped by the word that most of them
 * share, because missing documentation has no group in the navigation.
 * @param answers newest first
 */
export function countSubjects(
  answers: readonly CountedAnswer[],
  subjectOf: (address: string) => Subject | undefined = () => undefined,
) {
  const sourceSubjects = answers.map(({ sources: [source] }) => source && subjectOf(source.url));
  const words = sharedWords(
    answers.flatMap(({ question }, index) =>
      sourceSubjects[index] || !question ? [] : [question],
    ),
  );
  const answersWithSubject = answers.map((answer, index) => {
    const { name, kind } = sourceSubjects[index] ?? {
      name: answer.question ? words(answer.question) : '',
      kind: 'word' as const,
    };
    return { ...answer, name, kind };
  });
  const subjects = [
    ...Map.groupBy(answersWithSubject, ({ kind, name }) => `${kind} ${name}`).values(),
  ].map((some) => {
    const [{ name, kind, createdAt: lastAskedAt }] = some as [(typeof answersWithSubject)[number]];
    const notHelpful = some.filter(({ helpful }) => helpful === false).length;
    const examples = [...new Set(some.flatMap(({ question }) => question || []))].slice(
      0,
      MAX_EXAMPLES,
    );
    return { name, kind, ...countOutcomes(some), notHelpful, lastAskedAt, examples };
  });
  const days = [...Map.groupBy(answers, ({ createdAt }) => isoDayOf(createdAt))].map(
    ([day, some]) => {
      const { questions, answered } = countOutcomes(some);
      return { day, questions, answered };
    },
  );
  return {
    totals: countOutcomes(answers),
    days: days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    subjects: subjects.sort((a, b) => b.questions - a.questions || (a.name < b.name ? -1 : 1)),
  };
}

/**
 * Returns the word of a question that most of these questions contain; empty if it has no
 * meaningful one.
 */
function sharedWords(questions: readonly string[]): (question: string) => string {
  const counts = new Map<string, { word: string; questions: number }>();
  for (const question of questions)
    for (const [stemmed, word] of distinctiveWords(question)) {
      const tally = counts.get(stemmed) ?? { word, questions: 0 };
      counts.set(stemmed, { ...tally, questions: tally.questions + 1 });
    }
  return (question) => {
    const candidates = [...distinctiveWords(question).keys()].flatMap(
      (stemmed) => counts.get(stemmed) ?? [],
    );
    return candidates.sort((a, b) => b.questions - a.questions)[0]?.word ?? '';
  };
}

/** Returns how the newest answers of a site ended, what they cost, and how they were rated. */
export async function listOutcomes(
  queries: QueryRunner,
  siteId: string,
  from: Date,
  limit: number,
) {
  return queries
    .selectFrom('messages as answer')
    .innerJoin('threads', 'threads.id', 'answer.thread_id')
    .leftJoin('feedback as rating', 'rating.message_id', 'answer.id')
    .where('answer.role', '=', 'assistant')
    .where('threads.site_id', '=', siteId)
    .where('answer.created_at', '>=', from)
    .select([
      'answer.thread_id as threadId',
      outcomeOf('answer').as('outcome'),
      'answer.model',
      'answer.input_tokens as inputTokens',
      'answer.output_tokens as outputTokens',
      'rating.helpful',
    ])
    .orderBy('answer.created_at', 'desc')
    .limit(limit)
    .execute();
}

export type OutcomeRow = Awaited<ReturnType<typeof listOutcomes>>[number];
/** Returns how many questions the sites of an organization were asked since a time. */
export async function countQuestions(
  queries: QueryRunner,
  organizationId: string,
  from: Date,
): Promise<number> {
  return countRows(
    queries
      .selectFrom('messages')
      .innerJoin('threads', 'threads.id', 'messages.thread_id')
      .innerJoin('sites', 'sites.id', 'threads.site_id')
      .where('sites.organization_id', '=', organizationId)
      .where('messages.role', '=', 'user')
      .where('messages.created_at', '>=', from),
  );
}
