import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalyticsEvent } from '../core/analytics/analytics-event.ts';
import type { AnalyticsStore, FigureQuery } from './analytics-store.ts';
import type { Database } from './database.ts';

const DAY = '2026-11-20';
const at = (time: string, day = DAY) => new Date(`${day}T${time}Z`);

/** What every store of analytics guarantees. `open` gives an empty one, and the database that has its sites. */
export function analyticsStoreContract(
  name: string,
  open: () => Promise<{ database: Database; store: AnalyticsStore; close: () => Promise<void> }>,
): void {
  describe(`analytics store: ${name}`, () => {
    let store: AnalyticsStore;
    let database: Database;
    let close: () => Promise<void>;
    let sites = 0;
    beforeAll(async () => {
      ({ store, database, close } = await open());
      await database.queries.insertInto('organisations').values({ id: 'o', slug: 'o', name: 'O', plan: 'pro' }).execute();
    });
    afterAll(() => close());

    async function newSite(): Promise<string> {
      sites += 1;
      const id = `site-${sites}`;
      await database.queries.insertInto('sites').values({ id, organisation_id: 'o', slug: id, name: id }).execute();
      return id;
    }

    const query = (siteId: string, more: Partial<FigureQuery>): FigureQuery => ({
      siteId,
      from: at('00:00:00', '2026-11-01'),
      to: at('00:00:00', '2026-12-01'),
      dimension: 'view',
      by: 'all',
      order: 'readings',
      limit: 100,
      offset: 0,
      ...more,
    });

    /** Both ways to read figures must agree: from events, and from what was rolled up of them. */
    async function bothWays(check: () => Promise<void>): Promise<void> {
      await check();
      expect(await store.rollUp(at('02:00:00', '2026-11-25'))).not.toEqual([]);
      await check();
    }

    test('counts views and the distinct visitors of each day, by page, version and language, from events and from figures', async () => {
      const siteId = await newSite();
      const view = (visitor: string, time: string, more: Partial<AnalyticsEvent> = {}) =>
        event(siteId, at(time), { visitor, ...more });
      await store.append([
        view('1', '08:00:00', { path: '/v1/a', version: 'v1', language: 'en' }),
        view('1', '08:05:00', { path: '/v2/a', version: 'v2', language: 'en' }),
        view('1', '08:06:00', { path: '/v2/a', version: 'v2', language: 'en' }),
        view('2', '23:59:59', { path: '/v2/a', version: 'v2', language: 'fr' }),
        view('3', '09:00:00', {
          path: '/v2/a',
          version: 'v2',
          language: 'en',
          class: 'ai.agent',
          agent: 'Claude-User',
          name: 'markdown',
        }),
        view('4', '09:00:00', {
          path: '/v2/a',
          version: 'v2',
          language: 'en',
          class: 'search',
          agent: 'Googlebot',
          name: 'page',
        }),
        event(siteId, at('08:00:00', '2026-11-21'), { visitor: '1', path: '/v1/a', version: 'v1', language: 'en' }),
        event('another', at('08:00:00'), { visitor: '1', path: '/v1/a' }),
      ]);
      await bothWays(async () => {
        expect(await store.figures(query(siteId, {}))).toMatchObject([
          { human: 5, ai: 1, visitors: 4, humanVisitors: 3, aiVisitors: 1, lastAt: at('08:00:00', '2026-11-21') },
        ]);
        expect(await store.figures(query(siteId, { by: 'path' }))).toMatchObject([
          { path: '/v2/a', human: 3, ai: 1, visitors: 3 },
          { path: '/v1/a', human: 2, ai: 0, visitors: 2 },
        ]);
        expect(await store.figures(query(siteId, { version: 'v2' }))).toMatchObject([{ human: 3, humanVisitors: 2 }]);
        expect(await store.figures(query(siteId, { version: 'v2', language: 'fr' }))).toMatchObject([
          { human: 1, humanVisitors: 1 },
        ]);
        expect(await store.figures(query(siteId, { language: 'en' }))).toMatchObject([{ human: 4, humanVisitors: 2 }]);
        expect(await store.figures(query(siteId, { path: '/v1/a' }))).toMatchObject([{ human: 2, visitors: 2 }]);
        expect(await store.figures(query(siteId, { by: 'path', limit: 1, offset: 1 }))).toMatchObject([{ path: '/v1/a' }]);
        expect(await store.figures(query(siteId, { by: 'day' }))).toMatchObject([
          { startsAt: at('00:00:00'), human: 4 },
          { startsAt: at('00:00:00', '2026-11-21'), human: 1 },
        ]);
        expect(await store.figures(query(siteId, { dimension: 'hour', by: 'hour' }))).toMatchObject([
          { startsAt: at('08:00:00'), human: 3 },
          { startsAt: at('09:00:00'), human: 0, ai: 1 },
          { startsAt: at('23:00:00'), human: 1 },
          { startsAt: at('08:00:00', '2026-11-21'), human: 1 },
        ]);
        expect(await store.figures(query(siteId, { dimension: 'machine', by: 'key-and-detail', order: 'events' }))).toMatchObject(
          [
            { key: 'ai.agent', detail: 'Claude-User', events: 1 },
            { key: 'search', detail: 'Googlebot', events: 1 },
          ],
        );
      });
    });

    test('a range that begins and ends within days counts exactly what is in it', async () => {
      const siteId = await newSite();
      await store.append(
        ['10:00:00', '11:00:00', '12:00:00'].map((time, index) => event(siteId, at(time, '2026-11-18'), { visitor: `${index}` })),
      );
      await bothWays(async () => {
        const from = at('11:00:00', '2026-11-18');
        expect(await store.figures(query(siteId, { from }))).toMatchObject([{ human: 2 }]);
        expect(await store.figures(query(siteId, { from, to: at('12:00:00', '2026-11-18') }))).toMatchObject([{ human: 1 }]);
      });
    });

    test('searches are counted with those that opened a result, found nothing, or were refined', async () => {
      const siteId = await newSite();
      const search = (time: string, query_: string, more: Partial<AnalyticsEvent> = {}) =>
        event(siteId, at(time, '2026-11-17'), { kind: 'search', name: query_, amount: 3, visitor: '9', ...more });
      await store.append([
        search('10:00:00', 'Keys', { amount: 0 }),
        search('10:00:20', 'keys', { target: '/guides/keys', position: 2 }),
        search('10:05:00', 'other'),
        search('10:05:10', 'keys', { visitor: '10', target: '/guides/keys' }),
      ]);
      await bothWays(async () => {
        expect(await store.figures(query(siteId, { dimension: 'search', by: 'key', order: 'events' }))).toMatchObject([
          { key: 'keys', events: 3, opened: 2, empty: 1, refined: 1, lastAt: at('10:05:10', '2026-11-17') },
          { key: 'other', events: 1, opened: 0 },
        ]);
        const clicks = query(siteId, { dimension: 'click', by: 'key-and-detail', keys: ['keys'], order: 'events' });
        expect(await store.figures(clicks)).toMatchObject([{ detail: '/guides/keys', events: 2 }]);
      });
    });

    test('a visit ends at its last page, and after half an hour without one', async () => {
      const siteId = await newSite();
      const view = (time: string, path: string) => event(siteId, at(time, '2026-11-16'), { path, visitor: '5' });
      await store.append([view('10:00:00', '/a'), view('10:10:00', '/b'), view('11:00:00', '/a'), view('11:01:00', '/c')]);
      await bothWays(async () => {
        const exits = await store.figures(query(siteId, { dimension: 'exit', by: 'path' }));
        expect(exits.map(({ path, human }) => [path, human])).toEqual([
          ['/b', 1],
          ['/c', 1],
        ]);
      });
    });

    test('events that come after the figures of their day were made are counted', async () => {
      const siteId = await newSite();
      const late = () => event(siteId, at('10:00:00', '2026-11-15'), { visitor: '1' });
      await store.append([late()]);
      await store.rollUp(at('02:00:00', '2026-11-25'));
      await store.append([late()]);
      await bothWays(async () => expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 2, visitors: 1 }]));
    });

    test('a day is not rolled up before its last events can have come, and twice at once makes nothing twice', async () => {
      const siteId = await newSite();
      await store.append([event(siteId, at('23:59:00', '2026-11-14'), {})]);
      expect(await store.rollUp(at('00:30:00', '2026-11-15'))).not.toContain('2026-11-14');
      await Promise.all([store.rollUp(at('02:00:00', '2026-11-25')), store.rollUp(at('02:00:00', '2026-11-25'))]);
      await store.rollUp(at('02:00:00', '2026-11-25'));
      expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 1 }]);
    });

    test('events go with their age, figures stay, and whole days are counted then; what is of no site goes too', async () => {
      const siteId = await newSite();
      await store.append([event(siteId, at('10:00:00', '2026-10-01'), {}), event('gone', at('10:00:00'), {})]);
      await store.rollUp(at('02:00:00', '2026-11-25'));
      await store.expire(at('02:00:00', '2026-11-25'), { eventDays: 30, figureDays: 730 });
      const old = { from: at('09:00:00', '2026-10-01'), to: at('11:00:00', '2026-10-01') };
      expect(await store.countOf(siteId, '2026-10-01')).toBe(0);
      expect(await store.countOf('gone', DAY)).toBe(0);
      expect(await store.figures(query(siteId, old))).toMatchObject([{ human: 1 }]);
      await store.append([event(siteId, at('12:00:00', '2026-10-01'), {})]);
      expect(await store.countOf(siteId, '2026-10-01')).toBe(1);
      await store.rollUp(at('02:00:00', '2026-11-25'));
      await store.expire(at('02:00:00', '2026-11-25'), { eventDays: 5, figureDays: 7 });
      expect(await store.figures(query(siteId, old))).toEqual([]);
    });

    test('the salt of a day is one for all, another the next day, and gone after 48 hours', async () => {
      const [first, again, next] = await Promise.all(['2026-11-20', '2026-11-20', '2026-11-21'].map((day) => store.saltOf(day)));
      expect(first).toBe(again);
      expect(first).not.toBe(next);
      await store.expire(at('00:00:01', '2026-11-22'), { eventDays: 30, figureDays: 730 });
      const { rows } = await sql<{ day: string }>`SELECT to_char(day, 'YYYY-MM-DD') AS day FROM analytics_salts`.execute(
        database.queries,
      );
      expect(rows).toEqual([{ day: '2026-11-21' }]);
    });

    test('deleting takes the events and figures of a site, in whole days, and no others', async () => {
      const siteId = await newSite();
      const other = await newSite();
      for (const id of [siteId, other])
        await store.append([event(id, at('10:00:00', '2026-11-10'), {}), event(id, at('10:00:00', '2026-11-11'), {})]);
      await store.rollUp(at('02:00:00', '2026-11-25'));
      await store.delete(siteId, { to: at('00:00:00', '2026-11-11') });
      expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 1 }]);
      await store.delete(siteId, {});
      expect(await store.figures(query(siteId, {}))).toEqual([]);
      expect(await store.figures(query(other, {}))).toMatchObject([{ human: 2 }]);
    });

    test('events are read in their order, page by page without a gap, whatever their text', async () => {
      const siteId = await newSite();
      const same = at('10:00:00', '2026-11-12');
      await store.append(
        ['"a",\\', 'b\n😀', "c'"].map((text) => event(siteId, same, { name: text, visitor: '-9223372036854775808' })),
      );
      const first = await store.events(query(siteId, {}), { limit: 2 });
      const last = first.at(-1);
      const rest = await store.events(query(siteId, {}), { after: last && { at: last.at, id: last.id }, limit: 2 });
      expect([...first, ...rest].map(({ name: text }) => text)).toEqual(['"a",\\', 'b\n😀', "c'"]);
    });
  });
}

function event(siteId: string, time: Date, more: Partial<AnalyticsEvent>): AnalyticsEvent {
  const texts = { agent: '', version: '', language: '', name: '', target: '', source: '', campaign: '', device: '', browser: '' };
  return { siteId, at: time, kind: 'view', class: 'human', visitor: '1', path: '/a', ...texts, amount: 0, position: 0, ...more };
}
