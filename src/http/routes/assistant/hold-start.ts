import type { AnswerEvent, AnswerListener, TellAnswer } from '../../../core/assistant/answer-event.ts';
import { DocentError } from '../../../core/errors.ts';

/** The reader of a slow model sees after so long what was found, and waits for the words alone. */
const MOST_HOLD_MS = 1000;
/** When a model that fails may be well again. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Waits for the first sign of the model, a second at most, so that one which fails at once is a status that clients, proxies and
 * monitors understand, and not the bad end of a stream that began well.
 * @returns the same answer, all of it
 * @throws DocentError `model_failed`
 */
export async function holdStart(tellAnswer: TellAnswer): Promise<TellAnswer> {
  const held: AnswerEvent[] = [];
  const signOrTimeout = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  let pass: AnswerListener | undefined;
  const told = tellAnswer((event) => {
    if (pass) return pass(event);
    const isSign = isOfModel(event, held);
    held.push(event);
    if (!isSign) return undefined;
    signOrTimeout.resolve();
    return passed.promise;
  });
  const timer = setTimeout(signOrTimeout.resolve, MOST_HOLD_MS);
  // A fault is the last that is told, so the answer has put itself in order before it is thrown here.
  await Promise.race([signOrTimeout.promise, told]).finally(() => clearTimeout(timer));
  const last = held.at(-1);
  if (last?.type === 'error') throw new DocentError('model_failed', last.message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return async (listener) => {
    // Let go of once it was told, because the pages that were found are much of what an answer keeps in memory.
    for (let event = held.shift(); event; event = held.shift()) await listener(event);
    pass = listener;
    passed.resolve();
    await told;
  };
}

/** The first search is ours, before the model is asked; all that it says or wants comes after. */
function isOfModel({ type }: AnswerEvent, before: readonly AnswerEvent[]): boolean {
  if (type === 'tool-call') return before.some((event) => event.type === 'tool-result');
  return type === 'text' || type === 'reasoning' || type === 'finish';
}
