import { DocentError } from '../../core/errors.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { storableText } from '../storable-text.ts';
import { storedId } from './record-turns.ts';

export interface AnswerRating {
  siteId: string;
  threadId: string;
  /** The answer's id in its stream; defaults to the newest answer of the thread. */
  messageId?: string | undefined;
  /** Null withdraws the rating. */
  helpful: boolean | null;
  comment?: string | undefined;
}

/**
 * Stores a reader's rating of an answer. Only its reader knows the thread's id, so no key is required.
 * @throws DocentError `thread_not_found`, also if the thread has no such answer
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
