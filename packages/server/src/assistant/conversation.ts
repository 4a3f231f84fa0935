import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AssistantQuestion } from '@docent/assistant/chat/chat-request.ts';
import { DocentError } from '@docent/format/errors.ts';
import { isHiddenFrom } from '../audience/hidden-address.ts';
import {
  MESSAGE_CHARACTERS,
  type NewMessage,
  type NewThread,
  type Rating,
  type ThreadRow,
} from '../kernel/db/conversation-rows.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, hashSecret, isUlid, storedMessageId } from '../kernel/ids.ts';
import { pagesByHref } from '../kernel/sites/site-pages.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { ChatTurn } from '../ports/chat-model.ts';
import type { LiveSite } from '../ports/live-sites.ts';

/** Maximum turns of a stored conversation that precede the newest question. */
const MAX_EARLIER_TURNS = 20;

/** Maximum of their total text, counted from the newest. */
const EARLIER_CHARACTERS = 64_000;

/**
 * Stores the reader's question at the end of its thread. A question stored before under the same
 * message id is asked again or was edited: it and everything after it are replaced.
 * @returns `earlier`: the turns before it, oldest first, if the request does not contain them
 *   itself; `stored` settles when it is stored: the answer need not wait, since it is always stored
 *   after its question
 */
export async function recordQuestion(
  { threads, clock, threadWrites }: Pick<Deps, 'threads' | 'clock' | 'threadWrites'>,
  thread: Thread,
  question: AssistantQuestion,
  site: Pick<LiveSite, 'build' | 'publicUrl' | 'as'>,
): Promise<{ earlier: ChatTurn[]; stored: Promise<void> }> {
  const createdAt = clock.now();
  const messageId =
    question.messageId === undefined ? undefined : storedMessageId(thread.id, question.messageId);
  const isKnown = thread.toStore === undefined;
  const list = isKnown && question.onlyNewest;
  const earlier = list
    ? await threads.turns(thread.id, { limit: MAX_EARLIER_TURNS, before: messageId })
    : [];
  const message: NewMessage = {
    id: messageId ?? createUlid(createdAt),
    threadId: thread.id,
    role: 'user',
    content: storedText(question.question),
    sources: [],
    status: 'complete',
    ...placeOf(question, site),
    caller: question.caller,
    createdAt,
  };
  const replaces = isKnown && messageId !== undefined ? 'message-and-rest' : undefined;
  const stored = threadWrites.write({ message, thread: thread.toStore, replaces });
  return {
    earlier: newestWithin(
      earlier
        .filter(({ sources }) => !sources.some(({ url }) => isOfHiddenPage(site, url)))
        .map(({ role, content: text }) => ({ role, text })),
    ),
    stored,
  };
}

/**
 * Returns whether an answer cites a page that the reader may not see: the reader had other groups
 * when it was written.
 */
function isOfHiddenPage(site: Pick<LiveSite, 'build' | 'publicUrl' | 'as'>, url: string): boolean {
  const address = url.replace(/[?#].*$/s, '');
  return (
    address.startsWith(`${site.publicUrl}/`) &&
    isHiddenFrom(site, address.slice(site.publicUrl.length))
  );
}

/**
 * Where a question was asked: its page, with its version and language, or those that the caller
 * requested.
 */
function placeOf({ currentPath, filter }: AssistantQuestion, { build }: Pick<LiveSite, 'build'>) {
  const page = currentPath === undefined ? undefined : pagesByHref(build).get(currentPath);
  const { version, language } = page ?? filter ?? {};
  const stored = (text: string | undefined) =>
    text === undefined ? undefined : storableText(text);
  return {
    pagePath: stored(currentPath),
    pageVersion: stored(version),
    pageLanguage: stored(language),
  };
}

/** Returns as much of a text as is stored. */
function storedText(text: string): string {
  return storableText(text.slice(0, MESSAGE_CHARACTERS).toWellFormed());
}

/** Returns the newest turns within the total limit; the oldest of them may be truncated. */
function newestWithin(turns: ChatTurn[]): ChatTurn[] {
  const kept: ChatTurn[] = [];
  let left = EARLIER_CHARACTERS;
  for (const turn of turns.toReversed()) {
    if (left === 0) break;
    const text = turn.text.slice(0, left).toWellFormed();
    left -= text.length;
    kept.unshift({ ...turn, text });
  }
  return kept;
}

export type AnswerRecord = Omit<NewMessage, 'id' | 'role' | 'createdAt'> & {
  /** The id by which the client knows the answer. */
  messageId: string;
  /** It was started by an earlier request. */
  continues: boolean;
};

/**
 * Stores an answer, complete or not, at the end of its thread. A continued one replaces its
 * beginning.
 */
export function recordAnswer(
  { clock, threadWrites }: Pick<Deps, 'clock' | 'threadWrites'>,
  { messageId, continues, ...answer }: AnswerRecord,
): Promise<void> {
  const id = storedMessageId(answer.threadId, messageId);
  const content = storedText(answer.content);
  const sources = answer.sources.map(({ title, url }) => ({
    title: storableText(title),
    url: storableText(url),
  }));
  return threadWrites.write({
    message: { ...answer, content, sources, id, role: 'assistant', createdAt: clock.now() },
    replaces: continues ? 'message' : undefined,
  });
}

interface ThreadClaim extends Pick<AssistantQuestion, 'fp' | 'threadId' | 'threadKey'> {
  siteId: string;
  /** The site requires the thread's key to continue a thread. */
  requireKey?: boolean;
}

interface Thread {
  id: string;
  /** The thread's secret, known only if it is new. */
  newKey?: string;
  /** What to store of a new one, with its first message. */
  toStore?: NewThread;
}

/**
 * Returns the thread that a request continues, or a new one. An id that does not belong to a thread
 * of the site, or belongs to another reader's thread without its key, starts a new thread, and
 * nothing is revealed about the other.
 * @throws DocentError `thread_not_found` if a key is sent that is not the thread's, or the site
 *   requires one and none is sent
 */
export async function findOrBeginThread(
  { threads, clock, threadWrites }: Pick<Deps, 'threads' | 'clock' | 'threadWrites'>,
  claim: ThreadClaim,
): Promise<Thread> {
  const { siteId, threadId } = claim;
  const fp = storableText(claim.fp);
  // The reader may have stopped an answer whose thread is still being stored.
  if (threadId !== undefined) await threadWrites.settled(threadId);
  const existingThread =
    threadId !== undefined && isUlid(threadId) ? await threads.find(siteId, threadId) : undefined;
  if (existingThread && mayContinue(existingThread, fp, claim)) return { id: existingThread.id };
  const createdAt = clock.now();
  const id = createUlid(createdAt);
  const newKey = randomBytes(24).toString('base64url');
  return { id, newKey, toStore: { id, siteId, fp, keyHash: hashSecret(newKey), createdAt } };
}

function mayContinue(
  thread: ThreadRow,
  fp: string,
  { threadKey, requireKey }: ThreadClaim,
): boolean {
  if (threadKey === undefined && requireKey) throw notFound();
  if (threadKey === undefined) return thread.fp === fp;
  const matches = timingSafeEqual(Buffer.from(thread.keyHash), Buffer.from(hashSecret(threadKey)));
  if (!matches) throw notFound();
  return true;
}

function notFound(): DocentError {
  return new DocentError(
    'thread_not_found',
    'There is no such thread, or the threadKey does not belong to it.',
  );
}

interface AnswerRating extends Pick<Rating, 'threadId' | 'helpful'> {
  siteId: string;
  /** The answer's id in its stream; defaults to the newest answer of the thread. */
  messageId?: string | undefined;
  comment?: string | undefined;
}

/**
 * Stores a reader's rating of an answer. Only its reader knows the thread's id, so no key is
 * required.
 * @throws DocentError `thread_not_found`, also if the thread has no such answer
 */
export async function rateAnswer(
  { threads, clock }: Pick<Deps, 'threads' | 'clock'>,
  rating: AnswerRating,
): Promise<void> {
  const { siteId, threadId, helpful } = rating;
  const thread = isUlid(threadId) ? await threads.find(siteId, threadId) : undefined;
  const messageId =
    rating.messageId === undefined ? undefined : storedMessageId(threadId, rating.messageId);
  const comment = storableText(rating.comment?.trim() ?? '') || null;
  const isRated =
    thread !== undefined &&
    (await threads.setHelpful({ threadId, messageId, helpful, comment, ratedAt: clock.now() }));
  if (!isRated)
    throw new DocentError(
      'thread_not_found',
      'There is no such answer; its thread may have been deleted.',
    );
}
