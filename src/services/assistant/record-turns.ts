import { createHash } from 'node:crypto';
import type { AssistantQuestion } from '../../core/assistant/chat-request.ts';
import { MESSAGE_CHARACTERS, type NewMessage } from '../../db/threads.ts';
import type { ChatTurn } from '../../ports/chat-model.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import type { LiveSite } from '../sites/live-sites.ts';
import { pagesByHref } from '../sites/pages-by-href.ts';
import { storableText } from '../storable-text.ts';
import type { Thread } from './find-thread.ts';

/** Maximum turns of a stored conversation that precede the newest question. */
const MAX_EARLIER_TURNS = 20;

/** Maximum of their total text, counted from the newest. */
const EARLIER_CHARACTERS = 64_000;

const nothingOfAModel = {
  sources: [],
  model: null,
  inputTokens: null,
  outputTokens: null,
  outcome: null,
  firstTextMs: null,
  durationMs: null,
};

export interface RecordedQuestion {
  /** The turns before it, oldest first, if the request does not contain them itself. */
  earlier: ChatTurn[];
  /** Settles when it is stored. The answer need not wait: it is always stored after its question. */
  stored: Promise<void>;
}

/**
 * Stores the reader's question at the end of its thread. A question stored before under the same message id is asked again or was
 * edited: it and everything after it are replaced.
 */
export async function recordQuestion(
  { threads, clock, threadWrites }: Pick<Deps, 'threads' | 'clock' | 'threadWrites'>,
  thread: Thread,
  question: AssistantQuestion,
  site: Pick<LiveSite, 'build'>,
): Promise<RecordedQuestion> {
  const createdAt = clock.now();
  const given = question.messageId === undefined ? undefined : storedId(thread.id, question.messageId);
  const isKnown = thread.toStore === undefined;
  const list = isKnown && question.onlyNewest;
  const earlier = list ? await threads.turns(thread.id, { limit: MAX_EARLIER_TURNS, before: given }) : [];
  const message: NewMessage = {
    ...nothingOfAModel,
    id: given ?? createUlid(createdAt),
    threadId: thread.id,
    role: 'user',
    content: storedText(question.question),
    status: 'complete',
    ...placeOf(question, site),
    caller: question.caller,
    createdAt,
  };
  const stored = threadWrites.write({
    message,
    ...(thread.toStore && { thread: thread.toStore }),
    ...(isKnown && given !== undefined && { replaces: 'message-and-rest' as const }),
  });
  return { earlier: newestWithin(earlier.map(({ role, content: text }) => ({ role, text }))), stored };
}

/** Where a question was asked: its page, with its version and language, or those that the caller requested. */
function placeOf({ currentPath, filter }: AssistantQuestion, { build }: Pick<LiveSite, 'build'>) {
  const page = currentPath === undefined ? undefined : pagesByHref(build).get(currentPath);
  const { version, language } = page ?? filter ?? {};
  return {
    ...(currentPath !== undefined && { pagePath: storableText(currentPath) }),
    ...(version !== undefined && { pageVersion: storableText(version) }),
    ...(language !== undefined && { pageLanguage: storableText(language) }),
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

/** Clients choose their message ids, so an id is only valid inside its thread. */
export function storedId(threadId: string, messageId: string): string {
  return createHash('sha256').update(`${threadId}\n${messageId}`).digest('hex').slice(0, 32);
}

export type AnswerRecord = Omit<NewMessage, 'id' | 'role' | 'createdAt'> & {
  /** The id by which the client knows the answer. */
  messageId: string;
  /** It was started by an earlier request. */
  continues: boolean;
};

/** Stores an answer, complete or not, at the end of its thread. A continued one replaces its beginning. */
export function recordAnswer(
  { clock, threadWrites }: Pick<Deps, 'clock' | 'threadWrites'>,
  { messageId, continues, ...answer }: AnswerRecord,
): Promise<void> {
  const id = storedId(answer.threadId, messageId);
  const content = storedText(answer.content);
  const sources = answer.sources.map(({ title, url }) => ({ title: storableText(title), url: storableText(url) }));
  return threadWrites.write({
    message: { ...answer, content, sources, id, role: 'assistant', createdAt: clock.now() },
    ...(continues && { replaces: 'message' as const }),
  });
}
