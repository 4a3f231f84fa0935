import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import type { FigureQuery } from '../../ports/analytics-store.ts';
import type { Database } from '../../ports/database.ts';
import { openPgliteDatabase } from '../database/pglite.ts';
import { postgresEvents } from './postgres-events.ts';
import { createSqlAnalyticsStore } from './sql.ts';

let database: Database;
beforeAll(async () => {
  database = await openPgliteDatabase({ folder: 'memory', logger: silentLogger });
  await database.migrate();
  await database.execute(
    `INSERT INTO organizations (id, slug, name, plan) VALUES ('o', 'o', 'o', 'pro')`,
  );
  await database.execute(
    `INSERT INTO sites (id, organization_id, slug, name) VALUES ('s', 'o', 's', 's')`,
  );
});
afterAll(() => database.close());

const view = (day: number, visitor: string): AnalyticsEvent => ({
  ...{
    siteId: 's',
    at: new Date(Date.UTC(2026, 10, day)),
    kind: 'view',
    class: 'human',
    visitor,
    path: '/a',
    version: '',
  },
  ...{
    language: '',
    name: '',
    target: '',
    source: 'news.example',
    campaign: '',
    groups: '',
    device: 'mobile',
    browser: 'Chrome',
    agent: '',
  },
  ...{ amount: 0, position: 0 },
});

/** What a page of the dashboard requests under a filter. */
const PAGE: Pick<FigureQuery, 'dimension' | 'by' | 'order'>[] = [
  { dimension: 'view', by: 'day', order: 'events' },
  { dimension: 'view', by: 'path', order: 'readings' },
  { dimension: 'time', by: 'path', order: 'events' },
  { dimension: 'exit', by: 'path', order: 'readings' },
  { dimension: 'source', by: 'key', order: 'visitors' },
  { dimension: 'device', by: 'key-and-detail', order: 'visitors' },
  { dimension: 'missing', by: 'key-and-detail', order: 'events' },
];

test('the reports of a filtered page read each day of events once, and deleted events are in none of them', async () => {
  const table = postgresEvents();
  const days: string[] = [];
  const store = createSqlAnalyticsStore(database, {
    ...table,
    readRange(queries, siteId, range, ...rest) {
      days.push(range.from.toISOString().slice(0, 10));
      return table.readRange(queries, siteId, range, ...rest);
    },
  });
  await store.append(Array.from({ length: 40 }, (_, index) => view(index + 1, `${index % 2}`)));
  const range = {
    siteId: 's',
    from: new Date(Date.UTC(2026, 10, 1)),
    to: new Date(Date.UTC(2027, 0, 1)),
  };
  const page = () =>
    Promise.all(
      PAGE.map((query) =>
        store.figures({ ...range, ...query, visitors: { device: 'mobile' }, limit: 50, offset: 0 }),
      ),
    );
  const [byDay, pages] = await page();
  expect(byDay).toHaveLength(40);
  expect(pages).toMatchObject([{ path: '/a', human: 40, humanVisitors: 40 }]);
  expect(days).toEqual(['2026-11-01', '2026-12-01']);
  await store.delete('s', {});
  expect((await page()).flat()).toEqual([]);
});
