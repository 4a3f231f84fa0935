const TICK_MS = 4;
const SLOTS = 256;

/**
 * Runs callbacks after short delays, at most a second: a ring of slots driven by one timer (Varghese and Lauck, 1987). For
 * thousands of concurrent short delays, one timer each costs more than the work. Nothing runs early, unless the event loop was
 * blocked for most of a round, and nothing runs much more than a tick late.
 */
export class TimingWheel {
  readonly #slots: (() => void)[][] = Array.from({ length: SLOTS }, () => []);
  /** The tick whose slot was emptied last. */
  #tick = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Runs `run` after `delayMs`, which is less than a second. It must not throw. */
  after(delayMs: number, run: () => void): void {
    const now = performance.now() / TICK_MS;
    if (this.#timer === undefined) {
      this.#tick = Math.floor(now);
      this.#timer = setInterval(this.#turn, TICK_MS);
    }
    const due = Math.min(Math.ceil(now + delayMs / TICK_MS), this.#tick + SLOTS);
    this.#slotOf(Math.max(due, this.#tick + 1)).push(run);
    this.#waiting++;
  }

  readonly #turn = (): void => {
    const now = Math.floor(performance.now() / TICK_MS);
    while (this.#tick < now && this.#waiting > 0) {
      const slot = this.#slotOf(++this.#tick);
      for (const run of slot.splice(0)) {
        this.#waiting--;
        run();
      }
    }
    if (this.#waiting > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  };

  #slotOf(tick: number): (() => void)[] {
    return this.#slots[tick % SLOTS] as (() => void)[];
  }
}
