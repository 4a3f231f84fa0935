import type { AnswerEvent } from '../answer-event.ts';

/** Encodes one answer in the protocol of its client. Stateful, so each answer has its own. */
export interface AnswerWire {
  /** Names the protocol in metrics. */
  protocol: string;
  headers: Record<string, string>;
  /** A keep-alive that clients ignore, sent while there is no output. */
  keepalive: string;
  /** Returns whole lines or events for one event of the answer; empty if the protocol has no counterpart. */
  encode(event: AnswerEvent): string;
}
