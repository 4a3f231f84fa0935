import { DocentError } from '../../core/errors.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { storableText } from '../storable-text.ts';
import { storedId } from './record-turns.ts';

/** What a reader says of an answer. */
export interface AnswerRating {
  siteId: string;
  threadId: string;
  /** The answer's id in its stream; without it the newest answer of the thread is meant. */
  messageId?: string | undefined;
  /** Null takes back what was said. */
  helpful: boolean | null;
  /** What the reader writes with it. */
  comment?: string | undefined;
}

/**
 * Stores what a reader says of an answer. The thread's id is known to its reader alone, so it needs no key.
 * @throws DocentError `thread_not_found`, also where the thread has no such answer
 */
export async function rateAnswer({ threads, clock }: Pick<Deps, 'threads' | 'clock'>, rating: AnswerRating): Promise<void> {
  const { siteId, threadId, helpful } = rating;
  const thread = isUlid(threadId) ? await threads.find(siteId, threadId) : undefined;
  const messageId = rating.messageId === undefined ? undefined : storedId(threadId, rating.messageId);
  const comment = storableText(rating.comment?.trim() ?? '') || null;
  const found =
    thread !== undefined && (await threads.setHelpful({ threadId, messageId, helpful, comment, ratedAt: clock.now() }));
  if (!found) throw new DocentError('thread_not_found', 'There is no such answer; its thread may have been deleted.');
}
