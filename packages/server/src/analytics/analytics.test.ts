import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createVisitorHash } from './analytics.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reader = { address: '203.0.113.1', userAgent: 'Mozilla/5.0' };
const at = (text: string) => new Date(`2026-11-${text}:00:00.000Z`);

test('a reader has the same number within a day and site, and a different one on another day or site', async () => {
  const visitorOf = createVisitorHash({ saltOf: async (day) => `salt of ${day}` });
  const first = await visitorOf('site', reader, at('20T00'));
  expect(await visitorOf('site', reader, at('20T23'))).toBe(first);
  const others = await Promise.all([
    visitorOf('site', reader, at('21T00')),
    visitorOf('other', reader, at('20T00')),
    visitorOf('site', { ...reader, address: '203.0.113.2' }, at('20T00')),
    visitorOf('site', { ...reader, userAgent: 'Mozilla/5.1' }, at('20T00')),
  ]);
  expect(new Set([first, ...others]).size).toBe(5);
});

test('a salt is forgotten 48 hours after its day began, and requested again after a failure of the store', async () => {
  const requested: string[] = [];
  let isAway = true;
  const saltOf = async (day: string) => {
    requested.push(day);
    if (isAway) throw new Error('away');
    return 'salt';
  };
  const visitorOf = createVisitorHash({ saltOf });
  await expect(visitorOf('site', reader, at('20T20'))).rejects.toThrow('away');
  isAway = false;
  await visitorOf('site', reader, at('20T20'));
  vi.advanceTimersByTime(27 * 60 * 60 * 1000);
  await visitorOf('site', reader, at('20T20'));
  expect(requested).toHaveLength(2);
  vi.advanceTimersByTime(60 * 60 * 1000);
  await visitorOf('site', reader, at('20T20'));
  expect(requested).toHaveLength(3);
});
