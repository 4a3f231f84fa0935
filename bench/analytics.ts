import { performance } from 'node:perf_hooks';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { DAY_MS, floorDay } from '@docent/format/analytics/days.ts';
import { createSqlAnalyticsStore } from '../packages/server/src/adapters/analytics-store/sql.ts';
import { openPgliteDatabase } from '../packages/server/src/adapters/database/pglite.ts';
import { openPostgresDatabase } from '../packages/server/src/adapters/database/postgres.ts';
import type { FigureQuery } from '../packages/server/src/ports/analytics-store.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { silentLogger } from '../test/support/silent-logger.ts';
import { testTemplate } from '../test/support/test-database.ts';
import { print, quantile } from './measure.ts';

// Cost of analytics: events stored per second, events added to figures per second, and the time of
// API queries. node bench/analytics.ts [events=10000000] [postgres|embedded] [days=30]
const total = Number(process.argv[2] ?? 10_000_000);
const engine = process.argv[3] ?? 'postgres';
const DAYS = Number(process.argv[4] ?? 30);
const LOADED_BY_STORE = Math.min(20_000, total);

const server = engine === 'postgres' ? await startPostgres() : undefined;
const database = server
  ? await openPostgresDatabase({ url: await server.createDatabase(), logger: silentLogger })
  : await openPgliteDatabase({
      folder: 'memory',
      templateFile: await testTemplate(),
      logger: silentLogger,
    });
await database.migrate();
const store = createSqlAnalyticsStore(database);
await database.execute(
  `INSERT INTO organizations (id, slug, name, plan) VALUES ('o', 'o', 'o', 'pro')`,
);
await database.execute(
  `INSERT INTO sites (id, organization_id, slug, name) VALUES ('s', 'o', 's', 's')`,
);

const today = floorDay(new Date());
async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

const texts = {
  version: 'v1',
  language: 'en',
  name: 'page',
  target: '',
  campaign: '',
  groups: '',
  device: 'desktop',
  browser: 'Chrome',
  agent: '',
};
const event = (n: number): AnalyticsEvent => ({
  siteId: 's',
  at: new Date(today.getTime() + (n % 1000)),
  kind: 'view',
  class: 'human',
  visitor: String(n % 5000),
  path: `/page/${n % 800}`,
  source: n % 3 === 0 ? `site${n % 60}.example` : 'internal',
  ...texts,
  amount: 0,
  position: 0,
});
const loaded = await timed(async () => {
  for (let start = 0; start < LOADED_BY_STORE; start += 500)
    await store.append(Array.from({ length: 500 }, (_, index) => event(start + index)));
});
print(
  `${engine}: ${Math.round(LOADED_BY_STORE / (loaded.ms / 1000))} events/s stored in batches of 500, by one process`,
);

// Traffic of 2,000 events per second, as fast as possible: stored in batches of 500, added to the
// figures after every 15 s of it.
const SUSTAINED = Math.min(150_000, total);
const sustained = await timed(async () => {
  for (let start = 0; start < SUSTAINED; start += 500) {
    await store.append(Array.from({ length: 500 }, (_, index) => event(start + index)));
    if ((start + 500) % 30_000 === 0) await store.rollUp();
  }
  await store.rollUp();
});
print(
  `${Math.round(SUSTAINED / (sustained.ms / 1000))} events/s stored and added to the figures (${SUSTAINED} events)`,
);

// One day is generated inside the database, with pages, sources and words distributed as unevenly
// as on real sites, and counted by the regular code.
await database.execute('TRUNCATE analytics_events');
const day = new Date(today.getTime() - DAY_MS);
await store.append([{ ...event(1), at: day }]);
await database.execute(
  `INSERT INTO analytics_events (site_id, at, kind, class, agent, visitor, path, version, language, name, target, source, campaign, device, browser, amount, position)
     SELECT 's', $1::timestamptz + random() * interval '23 hours', kind,
       CASE WHEN kind = 'view' AND r < 0.2 THEN 'ai.agent' WHEN kind = 'view' AND r < 0.25 THEN 'search' ELSE 'human' END,
       CASE WHEN kind = 'view' AND r < 0.2 THEN 'Claude-User' ELSE '' END, visitor,
       CASE kind WHEN 'missing' THEN '' ELSE '/page/' || page END, 'v' || page % 3, (ARRAY['en', 'de', 'fr'])[1 + page % 3],
       CASE kind WHEN 'search' THEN 'query ' || floor(power(random(), 4) * 20000)
         WHEN 'missing' THEN '/gone/' || floor(power(random(), 4) * 20000) ELSE 'page' END,
       CASE WHEN kind = 'search' AND r > 0.3 THEN '/page/' || floor(random() * 50) ELSE '' END,
       CASE WHEN r < 0.5 THEN 'internal' WHEN r < 0.7 THEN '' ELSE 'site' || floor(power(random(), 3) * 300) || '.example' END,
       CASE WHEN kind = 'view' AND r > 0.9 THEN '["mail' || floor(power(random(), 3) * 100) || '","","",""]' ELSE '' END,
       (ARRAY['desktop', 'mobile', 'tablet'])[1 + floor(random() * 3)], (ARRAY['Chrome', 'Firefox', 'Safari'])[1 + floor(random() * 3)],
       floor(random() * 9), 0
     FROM (SELECT random() AS r, (random() * $3)::bigint AS visitor, floor(power(random(), 3) * 1000)::integer AS page, (ARRAY['view','view','view','view','view','view','time','time','search','action','missing'])[1 + floor(random() * 11)] AS kind
       FROM generate_series(1, $2::integer) ORDER BY visitor) made`,
  [day.toISOString(), Math.round(total / DAYS), Math.round(total / DAYS / 12)],
);
await database.execute('VACUUM ANALYZE analytics_events');
await database.execute('TRUNCATE analytics_days');
const rolled = await timed(() => store.rollUp());
print(
  `${Math.round(rolled.value / (rolled.ms / 1000))} events/s added to the figures (${rolled.value} events)`,
);

// The other days are copies of it.
const figureColumns =
  'path, version, language, key, detail, events, human, ai, visitors, human_visitors, ai_visitors, opened, empty, refined, amount, last_at, digest';
const eventColumns =
  'visitor, kind, class, agent, path, version, language, name, target, source, campaign, device, browser, amount, position';
for (let back = 1; back < DAYS; back += 1) {
  await store.append([{ ...event(1), at: new Date(day.getTime() - back * DAY_MS) }]);
  await database.execute(
    `INSERT INTO analytics_events (site_id, at, ${eventColumns}) SELECT site_id, at - make_interval(days => $1), ${eventColumns}
     FROM analytics_events WHERE at >= $2 AND at < $2::timestamptz + interval '1 day'`,
    [back, day.toISOString()],
  );
  await database.execute(
    `INSERT INTO analytics_days (site_id, day, dimension, scope, ${figureColumns})
     SELECT site_id, day - $1::integer, dimension, scope, ${figureColumns} FROM analytics_days WHERE day = $2::date`,
    [back, day.toISOString().slice(0, 10)],
  );
}
await database.execute(
  'UPDATE analytics_counted SET last_event = (SELECT last_value FROM analytics_event_ids)',
);
await database.execute('VACUUM ANALYZE analytics_events');
await database.execute('VACUUM ANALYZE analytics_days');
const { rows } = await database.execute(
  'SELECT count(*) AS events, (SELECT count(*) FROM analytics_days) AS figures FROM analytics_events',
);
print(
  `${rows[0]?.events} events and ${rows[0]?.figures} rows of figures in the store, of ${DAYS} days`,
);

// A minute of traffic that the figures do not contain yet.
const waiting = Math.min(20_000, Math.round(total / DAYS / 24 / 60) * 5);
for (let start = 0; start < waiting; start += 500)
  await store.append(
    Array.from({ length: Math.min(500, waiting - start) }, (_, index) => event(start + index)),
  );
print(`${waiting} events are not in the figures yet`);

const whole = {
  siteId: 's',
  from: new Date(0),
  to: new Date(today.getTime() + DAY_MS),
  limit: 51,
  offset: 0,
};
const queries: Record<
  string,
  Partial<FigureQuery> & Pick<FigureQuery, 'dimension' | 'by' | 'order'>
> = {
  'views, total': { dimension: 'view', by: 'all', order: 'events' },
  'views by page': { dimension: 'view', by: 'path', order: 'readings' },
  'visitors by page': { dimension: 'view', by: 'path', order: 'visitors' },
  'views of a version': {
    dimension: 'view',
    by: 'path',
    order: 'readings',
    version: 'v2',
    language: 'en',
  },
  'traffic by day': { dimension: 'view', by: 'day', order: 'events' },
  'traffic by hour': { dimension: 'hour', by: 'hour', order: 'events', limit: 1000 },
  sources: { dimension: 'source', by: 'key', order: 'visitors' },
  'sources of a page': { dimension: 'source', by: 'key', order: 'visitors', path: '/page/0' },
  searches: { dimension: 'search', by: 'key', order: 'events' },
  devices: { dimension: 'device', by: 'key-and-detail', order: 'visitors' },
  machines: { dimension: 'machine', by: 'key-and-detail', order: 'events' },
  exits: { dimension: 'exit', by: 'path', order: 'readings' },
  'time on page': { dimension: 'time', by: 'path', order: 'events' },
};
// What a filter of visitors reads.
const filters: Record<string, FigureQuery['visitors']> = {
  'a referrer': { referrer: 'site0.example' },
  'a campaign': { campaign: '["mail0","","",""]' },
  'a device': { device: 'mobile' },
  'a device and a referrer': { device: 'mobile', referrer: 'site0.example' },
  'an agent': { agent: 'Claude-User' },
  'a missing page': { missing: '/gone/0' },
};
for (const [name, query] of Object.entries(queries)) {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1)
    times.push((await timed(() => store.figures({ ...whole, ...query }))).ms);
  print(
    `${name.padEnd(32)} ${Math.round(quantile(times, 0.5))} ms (best ${Math.round(Math.min(...times))} ms)`,
  );
}

// The requests of a page of the dashboard under a filter: those that it sends at once, then those
// that need the pages.
const lists = [
  'source',
  'device',
  'campaign',
  'missing',
  'machine',
  'language',
  'version',
] as const;
for (const [name, visitors] of Object.entries(filters)) {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    // Another start each time, so that nothing is kept from before.
    const figures = (query: Pick<FigureQuery, 'dimension' | 'by' | 'order'>) =>
      store.figures({ ...whole, from: new Date(round), visitors, ...query });
    const page = await timed(async () => {
      await Promise.all([
        figures({ dimension: 'view', by: 'day', order: 'events' }),
        figures({ dimension: 'view', by: 'path', order: 'readings' }),
        ...lists.map((dimension) =>
          figures({ dimension, by: 'key-and-detail', order: 'visitors' }),
        ),
      ]);
      const byPath = (['time', 'exit'] as const).map((dimension) =>
        figures({ dimension, by: 'path', order: 'events' }),
      );
      await Promise.all(byPath);
    });
    times.push(page.ms);
  }
  print(`a page filtered by ${name}: `.padEnd(48) + `${Math.round(quantile(times, 0.5))} ms`);
}
await database.close();
await server?.stop();
