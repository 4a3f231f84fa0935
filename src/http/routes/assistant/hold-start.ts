import type { AnswerEvent } from '../../../core/assistant/answer-event.ts';
import { DocentError } from '../../../core/errors.ts';

/** The reader of a slow model sees after so long what was found, and waits for the words alone. */
const MOST_HOLD_MS = 1000;
/** When a model that fails may be well again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Waits for the first sign of the model, a second at most, so that one which fails at once is a status that clients, proxies and
 * monitors understand, and not the bad end of a stream that began well.
 * @returns the same events, all of them
 * @throws DocentError `model_failed`
 */
export async function holdStart(events: AsyncIterable<AnswerEvent>): Promise<AsyncIterable<AnswerEvent>> {
  const source = events[Symbol.asyncIterator]();
  const held: AnswerEvent[] = [];
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MOST_HOLD_MS);
  try {
    while (true) {
      const coming = source.next();
      const next = await Promise.race([coming, isOver]);
      if (!next || next.done || isOfModel(next.value, held)) return resume(held, coming, source);
      if (next.value.type === 'error') {
        // Ended properly, so that what the answer left is put in order.
        await source.return?.();
        throw new DocentError('model_failed', next.value.message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      held.push(next.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The first search is ours, before the model is asked; all that it says or wants comes after. */
function isOfModel({ type }: AnswerEvent, before: readonly AnswerEvent[]): boolean {
  if (type === 'tool-call') return before.some((event) => event.type === 'tool-result');
  return type === 'text' || type === 'reasoning' || type === 'finish';
}

/**
 * What was held, then the rest as it comes: no generator, because thousands of answers pass here piece by piece. What was given is
 * let go of, because the pages that were found are much of what an answer keeps in memory.
 */
function resume(
  held: AnswerEvent[],
  coming: Promise<IteratorResult<AnswerEvent>>,
  source: AsyncIterator<AnswerEvent>,
): AsyncIterable<AnswerEvent> {
  let isComing = true;
  const next = async (): Promise<IteratorResult<AnswerEvent>> => {
    const value = held.shift();
    if (value !== undefined) return { value, done: false };
    isComing = false;
    return coming;
  };
  const iterator: AsyncIterator<AnswerEvent> = {
    next: () => (isComing ? next() : source.next()),
    return: async () => (await source.return?.()) ?? { value: undefined, done: true },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
