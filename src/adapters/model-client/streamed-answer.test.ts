import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TimingWheel } from './streamed-answer.ts';

/** Waits on a wheel, and returns how long that took. */
function wait(wheel: TimingWheel, delayMs: number): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => wheel.after(delayMs, () => resolve(performance.now() - begun)));
}

describe('a timing wheel', () => {
  it('runs nothing early, with any delay', async () => {
    const wheel = new TimingWheel();
    const delays = Array.from({ length: 60 }, (_, index) => index * 4 + (index % 5) / 2);
    const took = await Promise.all(delays.map((delay) => wait(wheel, delay)));
    for (const [index, delay] of delays.entries()) expect(took[index]).toBeGreaterThanOrEqual(delay - 0.01);
  });

  it('runs each callback once, in order of time', async () => {
    const wheel = new TimingWheel();
    const ran: number[] = [];
    for (const delay of [90, 10, 200, 50, 10]) wheel.after(delay, () => ran.push(delay));
    await wait(wheel, 230);
    expect(ran).toEqual([10, 10, 50, 90, 200]);
  });

  it('continues after an idle period, and after a blocked event loop', async () => {
    const wheel = new TimingWheel();
    await wait(wheel, 5);
    await sleep(300);
    let rounds = 0;
    const again = (): void => {
      if (++rounds < 20) wheel.after(1, again);
    };
    again();
    // Blocks the event loop for longer than one turn of the wheel.
    const until = performance.now() + 300;
    while (performance.now() < until);
    await expect.poll(() => rounds).toBe(20);
  });
});
