import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { expect, test } from 'vitest';
import { createFloodGuard, createTextLimit } from './event-limits.ts';

function event(more: Partial<AnalyticsEvent>): AnalyticsEvent {
  const texts = {
    agent: '',
    version: '',
    language: '',
    name: '',
    target: '',
    source: '',
    campaign: '',
    groups: '',
    device: '',
    browser: '',
  };
  const base = {
    siteId: 'a',
    kind: 'view',
    class: 'human',
    visitor: '1',
    path: '/a',
    amount: 0,
    position: 0,
  } as const;
  return { ...base, ...texts, at: new Date('2026-11-20T10:00:00Z'), ...more };
}

test('distinct texts are limited per day and site, and known texts and views are still counted', () => {
  const limit = createTextLimit(3);
  const missing = (name: string, more = {}) =>
    limit(event({ kind: 'missing', path: '', name, ...more }));
  for (const name of ['/1', '/2', '/3']) expect(missing(name)).toMatchObject({ name });
  expect(missing('/4')).toBeUndefined();
  expect(missing('/2')).toMatchObject({ name: '/2' });
  expect(limit(event({ source: 'made-up.example', campaign: '["x","","",""]' }))).toEqual(
    event({}),
  );
  expect(limit(event({ kind: 'time', amount: 5 }))).toMatchObject({ amount: 5 });
  expect(missing('/4', { siteId: 'b' })).toBeDefined();
  expect(missing('/4', { at: new Date('2026-11-21T00:00:00Z') })).toBeDefined();
  expect(missing('/5')).toBeUndefined();
});

test('a flood of visitors of some sites hides none of another site, and is not remembered without bound', () => {
  const guard = createFloodGuard(() => 0);
  let counted = 0;
  for (let site = 0; site < 8; site += 1)
    for (let index = 0; index < 30_000; index += 1)
      if (
        guard.allows(`hostile-${site}`, `${site}-${index}`, `2001:db8:${site}:${index >> 8}::/64`)
      )
        counted += 1;
  expect(counted).toBeGreaterThan(20_000);
  expect(counted).toBeLessThanOrEqual(150_000);
  for (let index = 0; index < 1000; index += 1)
    expect(guard.allows('quiet', `quiet-${index}`, `192.0.2.${index % 250}`)).toBe(true);
});
