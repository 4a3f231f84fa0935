import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DocentError } from '../../core/errors.ts';
import type { NewThread, ThreadRow } from '../../db/threads.ts';
import type { Deps } from '../deps.ts';
import { createUlid, hashSecret, isUlid } from '../ids.ts';
import { storableText } from '../storable-text.ts';

export interface ThreadClaim {
  siteId: string;
  fp: string;
  threadId?: string;
  threadKey?: string;
  /** The site requires the thread's key to continue a thread. */
  requireKey?: boolean;
}

export interface Thread {
  id: string;
  /** The thread's secret, known only if it is new. */
  newKey?: string;
  /** What to store of a new one, with its first message. */
  toStore?: NewThread;
}

/**
 * Returns the thread that a request continues, or a new one. An id that does not belong to a thread of the site, or belongs to
 * another reader's thread without its key, starts a new thread, and nothing is revealed about the other.
 * @throws DocentError `thread_not_found` if a key is sent that is not the thread's, or the site requires one and none is sent
 */
export async function findOrBeginThread(
  { threads, clock, threadWrites }: Pick<Deps, 'threads' | 'clock' | 'threadWrites'>,
  claim: ThreadClaim,
): Promise<Thread> {
  const { siteId, threadId } = claim;
  const fp = storableText(claim.fp);
  // The reader may have stopped an answer whose thread is still being stored.
  if (threadId !== undefined) await threadWrites.settled(threadId);
  const known = threadId !== undefined && isUlid(threadId) ? await threads.find(siteId, threadId) : undefined;
  if (known && mayContinue(known, fp, claim)) return { id: known.id };
  const createdAt = clock.now();
  const id = createUlid(createdAt);
  const newKey = randomBytes(24).toString('base64url');
  return { id, newKey, toStore: { id, siteId, fp, keyHash: hashSecret(newKey), createdAt } };
}

function mayContinue(thread: ThreadRow, fp: string, { threadKey, requireKey }: ThreadClaim): boolean {
  if (threadKey === undefined && requireKey) throw notFound();
  if (threadKey === undefined) return thread.fp === fp;
  const matches = timingSafeEqual(Buffer.from(thread.keyHash), Buffer.from(hashSecret(threadKey)));
  if (!matches) throw notFound();
  return true;
}

function notFound(): DocentError {
  return new DocentError('thread_not_found', 'There is no such thread, or the threadKey does not belong to it.');
}
