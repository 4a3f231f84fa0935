import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../../test/support/fakes.ts';
import { silentLogger } from '../../../../test/support/silent-logger.ts';
import { createProviderGuard } from './meaning-search.ts';

function setUp() {
  const logged: string[] = [];
  const clock = fakeClock();
  const note = (level: string) => (_: object, message: string) =>
    void logged.push(`${level}: ${message}`);
  const logger = { ...silentLogger, warn: note('warn'), info: note('info') };
  return {
    logged,
    clock,
    guard: createProviderGuard({ what: 'model', timeoutMs: 40, clock, logger }),
  };
}

const fail = () => Promise.reject(new Error('down'));

describe('the guard of an optional provider', () => {
  it('returns undefined for failed calls, and logs an outage and its end once', async () => {
    const { guard, clock, logged } = setUp();
    for (let question = 0; question < 20; question++) {
      expect(await guard(fail)).toBeUndefined();
      clock.advance(11);
    }
    expect(logged).toEqual(['warn: the model failed; searching without it']);
    expect(await guard(async () => 7)).toBe(7);
    expect(logged[1]).toBe('info: the model responds again');
  });

  it('aborts a call at its time limit', async () => {
    const { guard } = setUp();
    let aborted = false;
    const answer = await guard((signal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    });
    expect([answer, aborted]).toEqual([undefined, true]);
  });

  it('skips the provider for ten seconds after three consecutive failures', async () => {
    const { guard, clock } = setUp();
    let calls = 0;
    const ask = () =>
      guard(() => {
        calls++;
        return fail();
      });
    for (let question = 0; question < 6; question++) await ask();
    expect(calls).toBe(3);
    clock.advance(11);
    await ask();
    expect(calls).toBe(4);
  });
});
