import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fakes.ts';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { createProviderGuard } from './provider-guard.ts';

function setUp() {
  const logged: string[] = [];
  const clock = fakeClock();
  const note = (level: string) => (_: object, message: string) => void logged.push(`${level}: ${message}`);
  const logger = { ...silentLogger, warn: note('warn'), info: note('info') };
  return { logged, clock, guard: createProviderGuard({ what: 'model', timeoutMs: 40, clock, logger }) };
}

const fail = () => Promise.reject(new Error('down'));

describe('a provider that a question can do without', () => {
  it('that fails gives nothing, and is logged once however long it is down', async () => {
    const { guard, clock, logged } = setUp();
    for (let question = 0; question < 20; question++) {
      expect(await guard.attempt(fail)).toBeUndefined();
      clock.advance(11);
    }
    expect(logged).toEqual(['warn: the model failed; searching without it']);
    expect(await guard.attempt(async () => 7)).toBe(7);
    expect(logged[1]).toBe('info: the model responds again');
  });

  it('is not waited for longer than the limit, and is told so', async () => {
    const { guard } = setUp();
    let told = false;
    const startedAt = performance.now();
    const answer = await guard.attempt((signal) => {
      signal.addEventListener('abort', () => {
        told = true;
      });
      return new Promise(() => {});
    });
    expect([answer, told]).toEqual([undefined, true]);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it('is left alone for ten seconds after three failures in a row', async () => {
    const { guard, clock } = setUp();
    let asked = 0;
    const ask = () =>
      guard.attempt(() => {
        asked++;
        return fail();
      });
    for (let question = 0; question < 6; question++) await ask();
    expect(asked).toBe(3);
    clock.advance(11);
    await ask();
    expect(asked).toBe(4);
  });
});
