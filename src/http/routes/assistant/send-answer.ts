import type { FastifyReply } from 'fastify';
import type { EmitAnswer } from '../../../core/assistant/answer-event.ts';
import type { AnswerWire } from '../../../core/assistant/wire/answer-wire.ts';
import { openStream } from '../../streams.ts';

/**
 * Readers draw the page again for every piece of text, so pieces that come faster than this are joined. It is more often
 * than a screen can show a change that anybody would notice.
 */
const JOIN_MS = 25;
/** A piece that comes so little early goes out at once: a timer would be no sooner. */
const TIMER_MS = 2;

/**
 * Streams an answer to its client in the client's protocol. The first piece of text goes out at once; later ones at most
 * every 25 ms. A slow reader slows the answer down; nothing is written after the client has gone.
 */
export async function sendAnswer(reply: FastifyReply, emitAnswer: EmitAnswer, wire: AnswerWire): Promise<void> {
  const stream = openStream(reply, wire);
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let lastSentAt = 0;

  function flush(isLast = true): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    // Half of a pair of surrogates cannot be sent alone; the other half comes with the next piece.
    const kept = !isLast && endsInHalfPair(waiting) ? waiting.slice(-1) : '';
    stream.write(wire.encode({ type: 'text', text: waiting.slice(0, waiting.length - kept.length) }));
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
    await emitAnswer((event) => {
      if (event.type === 'text') join(event.text);
      else {
        flush();
        stream.write(wire.encode(event));
      }
      return stream.ready();
    });
  } finally {
    flush();
    stream.end();
  }
}

function endsInHalfPair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
