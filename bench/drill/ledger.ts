import { setTimeout as wait } from 'node:timers/promises';
import { print, printTable } from '../measure.ts';
import type { Fleet } from './fleet.ts';

const ANSWER_WITHIN_MS = 90_000;

/** What became of a request: `refused` is 503 with `Retry-After`; `cut` had its process killed. */
type Outcome = 'ok' | 'refused' | 'cut' | 'other';

/** Counts what became of every request, and of what was accepted. */
export class Ledger {
  readonly #fleet: Fleet;
  #counts = new Map<string, number>();
  readonly #others = new Map<string, number>();
  readonly lost: string[] = [];
  accepted = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  #count(what: string, outcome: Outcome, detail = ''): void {
    const name = `${what === 'page' ? 'page' : 'request'} ${outcome}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (outcome === 'other')
      this.#others.set(`${what}: ${detail}`, (this.#others.get(`${what}: ${detail}`) ?? 0) + 1);
  }

  /**
   * Sends a request and counts what becomes of it.
   * @param isWhole says whether the text of a successful answer is complete
   * @returns the answer if it succeeded
   */
  async attempt(
    what: string,
    send: (signal: AbortSignal) => Promise<Response>,
    isWhole: (text: string) => boolean = () => true,
  ): Promise<{ answer: Response; text: string } | undefined> {
    const sentAt = performance.now();
    const isCut = () => this.#fleet.killedAt > sentAt;
    try {
      const answer = await send(AbortSignal.timeout(ANSWER_WITHIN_MS));
      const text = await answer.text();
      if (answer.ok && isWhole(text)) {
        this.#count(what, 'ok');
        return { answer, text };
      }
      const says = `${answer.status} ${text.slice(-200)}`;
      // An answer that has begun ends with an error part, which says to try again.
      const isRefused = answer.ok
        ? text.includes('"type":"error"')
        : Number(answer.headers.get('retry-after')) > 0;
      if (isRefused && [200, 503].includes(answer.status)) this.#count(what, 'refused');
      else this.#count(what, isCut() ? 'cut' : 'other', says);
    } catch (error) {
      const { message, cause } = error as Error;
      this.#count(
        what,
        isCut() ? 'cut' : 'other',
        `${message} ${cause instanceof Error ? cause.message : ''}`,
      );
    }
    return undefined;
  }

  /** Counts a piece of accepted work. @returns what to call if it turns out to be lost */
  accept(what: string): (why: string) => void {
    this.accepted++;
    return (why) => void this.lost.push(`${what}: ${why}`);
  }

  /** Repeats an attempt until it succeeds, because whether something is lost is only known then. */
  async insist(what: string, send: (signal: AbortSignal) => Promise<Response>): Promise<string> {
    for (;;) {
      const result = await this.attempt(what, send);
      if (result) return result.text;
      await wait(500);
    }
  }

  /** Prints what happened since the last row. */
  row(title: string): void {
    const of = (name: string) => String(this.#counts.get(name) ?? 0);
    const names = ['ok', 'refused', 'cut', 'other'];
    printTable([
      [
        title.padEnd(34),
        ...names.map((name) => `pages ${name} ${of(`page ${name}`)}`),
        ...names.map((name) => `requests ${name} ${of(`request ${name}`)}`),
      ],
    ]);
    this.#counts = new Map();
  }

  /** Prints the result. @returns whether nothing failed and nothing is lost */
  conclude(): boolean {
    print(`accepted ${this.accepted}, lost ${this.lost.length}`);
    for (const text of this.lost) print(`  LOST ${text}`);
    for (const [text, count] of this.#others)
      print(`  OTHER ${count} × ${text.replaceAll(/\s+/g, ' ')}`);
    return this.lost.length === 0 && this.#others.size === 0;
  }
}
