import type { AnswerEvent, AnswerWire } from '@docent/assistant/chat/answer-event.ts';
import type { FastifyReply } from 'fastify';
import type { AnswerMetrics } from '../kernel/http/metrics.ts';
import { isEnding, openStream } from '../kernel/http/streams.ts';
import type { StartedAnswer } from './answer-question.ts';

/**
 * Clients render the page again for every piece of text, so pieces that arrive faster than this are
 * merged. It is faster than any change that a reader would notice.
 */
const JOIN_MS = 25;
/** A piece this close to the interval is sent at once: a timer would not be more accurate. */
const TIMER_MS = 2;
const RESTARTING = 'The server is being restarted; ask again in a moment.';

/**
 * Streams an answer to its client in the client's protocol. Sends the first piece of text at once,
 * later ones at most every 25 ms. A slow reader slows the answer down; nothing is written after the
 * client has disconnected.
 */
export async function sendAnswer(
  reply: FastifyReply,
  events: AsyncIterable<AnswerEvent>,
  wire: AnswerWire,
): Promise<void> {
  const stream = openStream(reply, wire);
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let lastSentAt = 0;
  let hasEnded = false;

  function flush(isLast = true): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    // Half of a surrogate pair cannot be sent alone; the other half comes with the next piece.
    const kept = !isLast && /[\ud800-\udbff]$/.test(waiting) ? waiting.slice(-1) : '';
    stream.write(
      wire.encode({ type: 'text', text: waiting.slice(0, waiting.length - kept.length) }),
    );
    waiting = kept;
    lastSentAt = performance.now();
  }

  function join(text: string): void {
    waiting += text;
    if (timer !== undefined) return;
    const waitMs = lastSentAt + JOIN_MS - performance.now();
    if (waitMs <= TIMER_MS) flush(false);
    else timer = setTimeout(flush, waitMs, false);
  }

  try {
    for await (const event of events) {
      if (event.type === 'text') join(event.text);
      else {
        flush();
        stream.write(wire.encode(event));
        hasEnded = event.type === 'finish' || event.type === 'error';
      }
      const isReady = stream.ready();
      if (isReady) await isReady;
    }
    flush();
    if (!hasEnded && isEnding(reply))
      stream.write(wire.encode({ type: 'error', message: RESTARTING }));
  } finally {
    flush();
    stream.end();
  }
}

/** Sends a started answer, with its thread where clients expect it. */
export async function respondWithAnswer(
  reply: FastifyReply,
  answer: StartedAnswer,
  wire: AnswerWire,
  metrics: Pick<AnswerMetrics, 'openStream'>,
): Promise<void> {
  reply.header('x-thread-id', answer.threadId);
  if (answer.newThreadKey !== undefined) reply.header('x-thread-key', answer.newThreadKey);
  const closeStream = metrics.openStream(wire.protocol);
  try {
    await sendAnswer(reply, answer.events, wire);
  } finally {
    closeStream();
  }
}
