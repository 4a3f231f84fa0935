import type { AnswerEvent } from '../answer-event.ts';

/** One answer in the protocol of its client. An object for each answer: encoding may remember what was written. */
export interface AnswerWire {
  /** Names the protocol in metrics. */
  protocol: string;
  headers: Record<string, string>;
  /** What a reader of the protocol passes over; sent while nothing is said. */
  keepalive: string;
  /** Whole lines or events for one event of the answer; empty where the protocol has nothing for it. */
  encode(event: AnswerEvent): string;
}
