import { expect, test } from 'vitest';
import { waitingTime } from './conversation-run.ts';

test('a waiting time is in the unit that people use for it', () => {
  expect(waitingTime(0, 'en')).toBe('1 min');
  expect(waitingTime(61, 'en')).toBe('2 min');
  expect(waitingTime(86_400, 'en')).toBe('24 hr');
  expect(waitingTime(3 * 86_400, 'de')).toBe('3 Tg.');
});
