import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { DIMENSIONS } from '@docent/format/analytics/count-figures.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertStream, listStreams } from '../streams/queries.ts';
import type { AnalyticsStore, FigureQuery } from './analytics-store.ts';
import type { Database } from './database.ts';

const DAY = '2026-11-20';
const at = (time: string, day = DAY) => new Date(`${day}T${time}Z`);

/**
 * What every store of analytics guarantees. `open` returns an empty one, and the database with its
 * sites.
 */
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
      await database.queries
        .insertInto('organizations')
        .values({ id: 'o', slug: 'o', name: 'O', plan: 'pro' })
        .execute();
    });
    afterAll(() => close());

    async function newSite(): Promise<string> {
      sites += 1;
      const id = `site-${sites}`;
      await database.queries
        .insertInto('sites')
        .values({ id, organization_id: 'o', slug: id, name: id })
        .execute();
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

    /** Figures must be the same whether they are read from events or from roll-ups. */
    async function beforeAndAfterRollUp(check: () => Promise<void>): Promise<void> {
      await check();
      expect(await store.rollUp()).toBeGreaterThan(0);
      await check();
      expect(await store.rollUp()).toBe(0);
    }

    test('figures of some visitors count all that those did who meet every filter, also before and after the roll-up', async () => {
      const siteId = await newSite();
      const did = (visitor: string, time: string, more: Partial<AnalyticsEvent> = {}) =>
        event(siteId, at(time), { visitor, device: 'desktop', browser: 'Chrome', ...more });
      const onPhone = { device: 'mobile', browser: '' };
      await store.append([
        did('11', '08:00:00', { path: '/a', source: 'news.example' }),
        did('11', '08:01:00', { path: '/b', source: 'internal' }),
        did('11', '08:02:00', { path: '/b', source: 'internal', kind: 'time', amount: 500 }),
        did('12', '08:00:00', { path: '/a', source: 'news.example', ...onPhone }),
        did('13', '08:00:00', { path: '/a', source: "o'news.example" }),
        did('13', '08:00:01', { path: '/a', kind: 'missing', name: '/gone' }),
        did('14', '08:00:00', {
          path: '/a',
          device: '',
          browser: '',
          class: 'search',
          agent: 'Googlebot',
        }),
        event('another', at('08:00:00'), { visitor: '11', path: '/c', source: 'news.example' }),
      ]);
      await beforeAndAfterRollUp(async () => {
        const of = (visitors: FigureQuery['visitors'], more: Partial<FigureQuery> = {}) =>
          store.figures(query(siteId, { by: 'path', order: 'events', visitors, ...more }));
        const fromNews = { referrer: 'news.example' };
        expect(await of(fromNews)).toMatchObject([
          { path: '/a', human: 2, humanVisitors: 2 },
          { path: '/b', human: 1, humanVisitors: 1 },
        ]);
        expect(await of({ ...fromNews, device: 'desktop' })).toMatchObject([
          { path: '/a' },
          { path: '/b' },
        ]);
        expect(
          await of({ ...fromNews, browser: '' }, { by: 'key', dimension: 'device' }),
        ).toMatchObject([{ key: 'mobile' }]);
        expect(await of(fromNews, { dimension: 'exit' })).toHaveLength(2);
        expect(await of(fromNews, { dimension: 'time' })).toMatchObject([
          { path: '/b', amount: 500 },
        ]);
        expect(await of(fromNews, { dimension: 'hour', by: 'hour' })).toMatchObject([
          { startsAt: at('08:00:00'), human: 3 },
        ]);
        expect(await of({ missing: '/gone' })).toMatchObject([{ path: '/a', human: 1 }]);
        expect(await of({ referrer: "o'news.example" })).toMatchObject([{ path: '/a', human: 1 }]);
        expect(await of({ class: 'search', agent: 'Googlebot' })).toMatchObject([
          { path: '/a', human: 0, events: 1 },
        ]);
        expect(await of({ ...fromNews, missing: '/gone' })).toEqual([]);
        expect(await of(fromNews, { from: at('08:00:30') })).toEqual([]);
      });
    });

    test('a filter that everybody meets changes no figure of any report, in any part of a site, over weeks', async () => {
      const siteId = await newSite();
      const kinds = ['view', 'view', 'search', 'time', 'missing', 'outbound', 'action'] as const;
      const did = (n: number) =>
        event(siteId, new Date(at('00:10:00', '2026-11-01').getTime() + n * 4_000_000), {
          ...{
            kind: kinds[n % 7] as 'view',
            visitor: String(n % 5),
            path: `/${n % 3}`,
            version: `v${n % 2}`,
            device: 'desktop',
          },
          ...{
            language: n % 4 === 0 ? 'de' : 'en',
            source: n % 3 === 0 ? 'news.example' : 'internal',
            name: `n${n % 6}`,
            groups: n % 2 === 0 ? '["partners","staff"]' : '',
          },
        });
      // Everybody views a page each day.
      const views = Array.from({ length: 28 * 5 }, (_, n) => ({
        ...did(7 * n),
        ...{
          at: new Date(at('00:00:00', '2026-11-01').getTime() + Math.floor(n / 5) * 86_400_000),
          visitor: String(n % 5),
        },
      }));
      await store.append([...views, ...Array.from({ length: 600 }, (_, n) => did(n))]);
      await store.rollUp();
      const parts = [
        { part: {}, dimensions: DIMENSIONS },
        { part: { path: '/1' }, dimensions: ['view', 'exit', 'source'] as const },
        {
          part: { version: 'v1', from: at('12:00:00'), paths: ['/2'] },
          dimensions: ['view', 'exit', 'source'] as const,
        },
      ];
      for (const { part, dimensions } of parts)
        for (const dimension of dimensions)
          for (const by of [
            'path',
            'key-and-detail',
            dimension === 'hour' ? 'hour' : 'day',
          ] as const) {
            const more = { ...part, dimension, by, order: 'events' } as const;
            const figures = await store.figures(
              query(siteId, { ...more, visitors: { device: 'desktop' } }),
            );
            expect(figures, JSON.stringify(more)).toEqual(await store.figures(query(siteId, more)));
          }
    });

    test('views and distinct daily visitors are counted by page, version and language, before and after the roll-up', async () => {
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
        event(siteId, at('08:00:00', '2026-11-21'), {
          visitor: '1',
          path: '/v1/a',
          version: 'v1',
          language: 'en',
        }),
        event('another', at('08:00:00'), { visitor: '1', path: '/v1/a' }),
      ]);
      await beforeAndAfterRollUp(async () => {
        expect(await store.figures(query(siteId, {}))).toMatchObject([
          {
            human: 5,
            ai: 1,
            visitors: 4,
            humanVisitors: 3,
            aiVisitors: 1,
            lastAt: at('08:00:00', '2026-11-21'),
          },
        ]);
        expect(await store.figures(query(siteId, { by: 'path' }))).toMatchObject([
          { path: '/v2/a', human: 3, ai: 1, visitors: 3 },
          { path: '/v1/a', human: 2, ai: 0, visitors: 2 },
        ]);
        expect(await store.figures(query(siteId, { version: 'v2' }))).toMatchObject([
          { human: 3, humanVisitors: 2 },
        ]);
        expect(await store.figures(query(siteId, { version: 'v2', language: 'fr' }))).toMatchObject(
          [{ human: 1, humanVisitors: 1 }],
        );
        expect(await store.figures(query(siteId, { language: 'en' }))).toMatchObject([
          { human: 4, humanVisitors: 2 },
        ]);
        expect(await store.figures(query(siteId, { path: '/v1/a' }))).toMatchObject([
          { human: 2, visitors: 2 },
        ]);
        expect(
          await store.figures(query(siteId, { by: 'path', limit: 1, offset: 1 })),
        ).toMatchObject([{ path: '/v1/a' }]);
        expect(await store.figures(query(siteId, { by: 'day' }))).toMatchObject([
          { startsAt: at('00:00:00'), human: 4 },
          { startsAt: at('00:00:00', '2026-11-21'), human: 1 },
        ]);
        expect(await store.figures(query(siteId, { dimension: 'hour', by: 'hour' }))).toMatchObject(
          [
            { startsAt: at('08:00:00'), human: 3 },
            { startsAt: at('09:00:00'), human: 0, ai: 1 },
            { startsAt: at('23:00:00'), human: 1 },
            { startsAt: at('08:00:00', '2026-11-21'), human: 1 },
          ],
        );
        expect(
          await store.figures(
            query(siteId, { dimension: 'machine', by: 'key-and-detail', order: 'events' }),
          ),
        ).toMatchObject([
          { key: 'ai.agent', detail: 'Claude-User', events: 1 },
          { key: 'search', detail: 'Googlebot', events: 1 },
        ]);
      });
    });

    test('what readers did is counted for each of their groups, and all that those of one group did', async () => {
      const siteId = await newSite();
      const did = (time: string, groups: string[], more: Partial<AnalyticsEvent> = {}) =>
        event(siteId, at(time), {
          groups: groups.length === 0 ? '' : JSON.stringify(groups),
          ...more,
        });
      const strange = 'a "quoted", \\ group';
      await store.append([
        did('08:00:00', ['partners', 'staff'], { visitor: '1', path: '/a' }),
        did('08:01:00', ['partners', 'staff'], { visitor: '1', kind: 'search', name: 'keys' }),
        did('08:02:00', ['staff'], { visitor: '2', path: '/b', source: 'news.example' }),
        did('08:03:00', ['staff'], { visitor: '2', kind: 'action', name: 'question' }),
        did('08:04:00', ['staff'], { visitor: '2', kind: 'action', name: 'tab' }),
        did('08:05:00', [strange], { visitor: '3', path: '/b' }),
        did('08:06:00', [], { visitor: '4', path: '/a', source: 'news.example' }),
        did('08:07:00', ['staff'], { visitor: '5', path: '/a', class: 'monitor' }),
      ]);
      const groupRows = { dimension: 'group', by: 'key-and-detail', order: 'visitors' } as const;
      await beforeAndAfterRollUp(async () => {
        const rows = await store.figures(query(siteId, groupRows));
        expect(
          rows.map(({ key, detail, human, humanVisitors }) => [key, detail, human, humanVisitors]),
        ).toEqual([
          ['staff', 'view', 2, 2],
          [strange, 'view', 1, 1],
          ['partners', 'search', 1, 1],
          ['partners', 'view', 1, 1],
          ['staff', 'question', 1, 1],
          ['staff', 'search', 1, 1],
        ]);
      });
      const viewsOf = async (group: string) =>
        (await store.figures(query(siteId, { by: 'path', visitors: { group } }))).map(
          ({ path, human }) => [path, human],
        );
      expect(await viewsOf('staff')).toEqual([
        ['/a', 1],
        ['/b', 1],
      ]);
      expect(await viewsOf('partners')).toEqual([['/a', 1]]);
      expect(await viewsOf(strange)).toEqual([['/b', 1]]);
      expect(await viewsOf('staf')).toEqual([]);
      expect(
        await store.figures(
          query(siteId, { dimension: 'source', by: 'key', visitors: { group: 'staff' } }),
        ),
      ).toMatchObject([
        { key: '', human: 1 },
        { key: 'news.example', human: 1 },
      ]);
    });

    test('a range that begins and ends within a day counts exactly the events inside it', async () => {
      const siteId = await newSite();
      await store.append(
        ['10:00:00', '11:00:00', '12:00:00'].map((time, index) =>
          event(siteId, at(time, '2026-11-18'), { visitor: `${index}` }),
        ),
      );
      await beforeAndAfterRollUp(async () => {
        const from = at('11:00:00', '2026-11-18');
        expect(await store.figures(query(siteId, { from }))).toMatchObject([{ human: 2 }]);
        expect(
          await store.figures(query(siteId, { from, to: at('12:00:00', '2026-11-18') })),
        ).toMatchObject([{ human: 1 }]);
      });
    });

    test('searches are counted by whether they opened a result, found nothing, or were refined', async () => {
      const siteId = await newSite();
      const search = (time: string, query_: string, more: Partial<AnalyticsEvent> = {}) =>
        event(siteId, at(time, '2026-11-17'), {
          kind: 'search',
          name: query_,
          amount: 3,
          visitor: '9',
          ...more,
        });
      await store.append([
        search('10:00:00', 'Keys', { amount: 0 }),
        search('10:00:20', 'keys', { target: '/guides/keys', position: 2 }),
        search('10:05:00', 'other'),
        search('10:05:10', 'keys', { visitor: '10', target: '/guides/keys' }),
      ]);
      await beforeAndAfterRollUp(async () => {
        expect(
          await store.figures(query(siteId, { dimension: 'search', by: 'key', order: 'events' })),
        ).toMatchObject([
          {
            key: 'keys',
            events: 3,
            opened: 2,
            empty: 1,
            refined: 1,
            lastAt: at('10:05:10', '2026-11-17'),
          },
          { key: 'other', events: 1, opened: 0 },
        ]);
        const clicks = query(siteId, {
          dimension: 'click',
          by: 'key-and-detail',
          keys: ['keys'],
          order: 'events',
        });
        expect(await store.figures(clicks)).toMatchObject([{ detail: '/guides/keys', events: 2 }]);
      });
    });

    test('a visit ends at its last page, and after half an hour of inactivity', async () => {
      const siteId = await newSite();
      const view = (time: string, path: string) =>
        event(siteId, at(time, '2026-11-16'), { path, visitor: '5' });
      await store.append([
        view('10:00:00', '/a'),
        view('10:10:00', '/b'),
        view('11:00:00', '/a'),
        view('11:01:00', '/c'),
      ]);
      await beforeAndAfterRollUp(async () => {
        const exits = await store.figures(query(siteId, { dimension: 'exit', by: 'path' }));
        expect(exits.map(({ path, human }) => [path, human])).toEqual([
          ['/b', 1],
          ['/c', 1],
        ]);
      });
    });

    test('late events are counted even if their day was already rolled up', async () => {
      const siteId = await newSite();
      const late = () => event(siteId, at('10:00:00', '2026-11-15'), { visitor: '1' });
      await store.append([late()]);
      await store.rollUp();
      await store.append([late()]);
      await beforeAndAfterRollUp(async () =>
        expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 2, visitors: 1 }]),
      );
    });

    test('figures do not depend on the order of events or on the times of roll-ups', async () => {
      const [whole, pieces] = [await newSite(), await newSite()];
      const random = randomNumbers(7);
      const pick = <Value>(values: readonly Value[]) =>
        values[Math.floor(random() * values.length)] as Value;
      const events = Array.from({ length: 400 }, () => {
        const kind = pick([
          'view',
          'view',
          'view',
          'search',
          'time',
          'missing',
          'outbound',
          'action',
          'fetch',
        ] as const);
        const at_ = new Date(
          at('00:00:00', pick(['2026-11-13', '2026-11-14'])).getTime() +
            Math.floor(random() * 20) * 17 * 60_000,
        );
        const soon = new Date(at_.getTime() + Math.floor(random() * 60_000));
        return event(whole, soon, {
          kind,
          visitor: `${Math.floor(random() * 12)}`,
          class: pick(['human', 'human', 'human', 'ai.agent', 'search'] as const),
          path: kind === 'missing' ? '' : pick(['/a', '/b', '/c']),
          version: pick(['', 'v1']),
          language: pick(['', 'de']),
          name: pick(['x', 'Y', 'y']),
          target: pick(['', '/a']),
          source: pick(['', 'internal', 'a.example']),
          campaign: pick(['', '["a","","",""]']),
          device: pick(['desktop', 'mobile']),
          amount: Math.floor(random() * 3),
        });
      });
      await store.append(events);
      const shuffled = events.map((one) => ({ ...one, siteId: pieces })).sort(() => random() - 0.5);
      for (let start = 0; start < shuffled.length; start += 50) {
        await store.append(shuffled.slice(start, start + 50));
        if (random() < 0.7) await store.rollUp();
      }
      const all = async (siteId: string) => {
        const found: unknown[] = [];
        for (const dimension of DIMENSIONS)
          for (const by of ['path', 'key-and-detail'] as const)
            for (const part of [{}, { version: 'v1', language: 'de' }, { path: '/a' }])
              found.push(
                await store.figures(query(siteId, { dimension, by, order: 'events', ...part })),
              );
        return found.map((rows) => (rows as { events: number }[]).filter(({ events: n }) => n > 0));
      };
      const counted = await all(pieces);
      expect(counted.flat().length).toBeGreaterThan(200);
      expect(counted).toEqual(await all(whole));
      await store.rollUp();
      expect(await all(pieces)).toEqual(counted);
    });

    test('concurrent roll-ups count every event exactly once', async () => {
      const siteId = await newSite();
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          await store.append([
            event(siteId, at('10:00:00', '2026-11-14'), { visitor: `${index % 7}` }),
          ]);
          await store.rollUp();
        }),
      );
      await store.rollUp();
      expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 20, visitors: 7 }]);
    });

    test('other queries are answered while many waiting events are counted, and reports add up during and after it', async () => {
      const siteId = await newSite();
      const events = Array.from({ length: 6000 }, (_, number) =>
        event(siteId, new Date(at('08:00:00').getTime() + number), {
          visitor: String(number % 2000),
          path: '/a',
        }),
      );
      for (let from = 0; from < events.length; from += 500)
        await store.append(events.slice(from, from + 500));
      const views = async () => (await store.figures(query(siteId, {})))[0]?.human ?? 0;
      expect(await views()).toBeGreaterThan(0);
      let isCounting = true;
      const counting = store.rollUp().finally(() => {
        isCounting = false;
      });
      let answered = 0;
      let before = 0;
      while (isCounting) {
        const now = await views();
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
        if (isCounting) answered++;
      }
      expect(await counting).toBeGreaterThanOrEqual(events.length);
      expect(answered).toBeGreaterThanOrEqual(2);
      expect(await views()).toBe(events.length);
    });

    test('events expire before figures, an expired range counts whole days, and events of unknown sites are deleted', async () => {
      const siteId = await newSite();
      await store.append([
        event(siteId, at('10:00:00', '2026-10-01'), {}),
        event('gone', at('10:00:00'), {}),
      ]);
      await store.rollUp();
      await store.expire(at('02:00:00', '2026-11-25'), { eventDays: 30, figureDays: 730 });
      const old = { from: at('09:00:00', '2026-10-01'), to: at('11:00:00', '2026-10-01') };
      expect(await store.countOf(siteId, '2026-10-01')).toBe(0);
      expect(await store.countOf('gone', DAY)).toBe(0);
      expect(await store.figures(query(siteId, old))).toMatchObject([{ human: 1 }]);
      await store.append([event(siteId, at('12:00:00', '2026-10-01'), {})]);
      expect(await store.countOf(siteId, '2026-10-01')).toBe(1);
      await store.rollUp();
      await store.expire(at('02:00:00', '2026-11-25'), { eventDays: 5, figureDays: 7 });
      expect(await store.figures(query(siteId, old))).toEqual([]);
    });

    test('the salt of a day is shared, differs from the next day, and is deleted after 48 hours', async () => {
      const [first, again, next] = await Promise.all(
        ['2026-11-20', '2026-11-20', '2026-11-21'].map((day) => store.saltOf(day)),
      );
      expect(first).toBe(again);
      expect(first).not.toBe(next);
      await store.expire(at('00:00:01', '2026-11-22'), { eventDays: 30, figureDays: 730 });
      const { rows } = await sql<{
        day: string;
      }>`SELECT to_char(day, 'YYYY-MM-DD') AS day FROM analytics_salts`.execute(database.queries);
      expect(rows).toEqual([{ day: '2026-11-21' }]);
    });

    test('the views of readers on several sites are those of each together, without machines and other days', async () => {
      const [one, two, other] = [await newSite(), await newSite(), await newSite()];
      for (const siteId of [one, two, other])
        await store.append([
          event(siteId, at('10:00:00', '2026-11-10'), {}),
          event(siteId, at('10:05:00', '2026-11-10'), { path: '/b' }),
          event(siteId, at('10:00:00', '2026-11-10'), {
            class: 'ai.agent',
            visitor: '2',
            agent: 'curl',
          }),
          event(siteId, at('10:00:00', '2026-11-10'), { kind: 'search', name: 'keys' }),
          event(siteId, at('10:00:00', '2026-10-31'), {}),
        ]);
      const month = { from: at('00:00:00', '2026-11-01'), to: at('00:00:00', '2026-12-01') };
      await beforeAndAfterRollUp(async () => {
        const [of] = await store.figures(query(one, {}));
        expect([
          of?.human,
          await store.readerViews([one, two], month),
          await store.readerViews([], month),
        ]).toEqual([2, 4, 0]);
      });
      await store.append([event(two, at('11:00:00', '2026-11-11'), {})]);
      expect(await store.readerViews([one, two], month)).toBe(5);
    });

    test('deleting removes the events and figures of one site only, in whole days', async () => {
      const siteId = await newSite();
      const other = await newSite();
      for (const id of [siteId, other])
        await store.append([
          event(id, at('10:00:00', '2026-11-10'), {}),
          event(id, at('10:00:00', '2026-11-11'), {}),
        ]);
      await store.rollUp();
      await store.delete(siteId, { to: at('00:00:00', '2026-11-11') });
      expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 1 }]);
      await store.delete(siteId, {});
      expect(await store.figures(query(siteId, {}))).toEqual([]);
      expect(await store.figures(query(other, {}))).toMatchObject([{ human: 2 }]);
    });

    test('reading up to the settled position misses no event, even while others are being stored', async () => {
      const siteId = await newSite();
      const seen: string[] = [];
      let after = await store.settledUpTo();
      const readOn = async () => {
        const upTo = await store.settledUpTo();
        const found = await store.eventsAfter(siteId, { after, upTo, limit: 1000 });
        seen.push(...found.map(({ name: text }) => text));
        after = upTo;
      };
      const names = Array.from({ length: 30 }, (_, index) => `e${index}`);
      await Promise.all(
        names.map(async (text) => {
          await store.append([event(siteId, at('10:00:00', '2026-11-15'), { name: text })]);
          if (text.endsWith('3')) await readOn();
        }),
      );
      await readOn();
      expect([...new Set(seen)].sort()).toEqual(names.sort());
      expect(await store.countAfter(siteId, 0, 1000)).toBe(30);
      expect(await store.countAfter(siteId, 0, 7)).toBe(7);
    });

    test('expired events that a stream had not delivered are counted as dropped exactly once', async () => {
      const siteId = await newSite();
      const kept = await newSite();
      const settings = JSON.stringify({ eventDays: 300 });
      await database.queries
        .updateTable('sites')
        .set({ analytics_settings: settings })
        .where('id', '=', kept)
        .execute();
      await store.append([
        event(siteId, at('10:00:00', '2026-09-01'), {}),
        event(siteId, at('10:00:00', '2026-01-01'), {}),
      ]);
      const lastEvent = await store.settledUpTo();
      await store.append(
        ['2026-09-01', '2026-09-01', '2026-01-01'].map((day) =>
          event(siteId, at('11:00:00', day), {}),
        ),
      );
      await store.append([
        event(kept, at('11:00:00', '2026-09-01'), {}),
        event(siteId, at('11:00:00'), {}),
      ]);
      const createdAt = at('00:00:00');
      for (const [id, site] of [
        ['stream-1', siteId],
        ['stream-2', kept],
      ] as const)
        await insertStream(database.queries, {
          ...{
            id,
            siteId: site,
            name: id,
            enabled: false,
            secret: '',
            lastEvent,
            madeBy: 'operator',
            createdAt,
          },
          target: { kind: 'webhook', url: 'https://example.com' },
        });
      await store.rollUp();
      const expire = () =>
        store.expire(at('02:00:00', '2026-11-25'), { eventDays: 30, figureDays: 730 });
      await Promise.all([expire(), expire()]);
      await expire();
      const dropped = async (site: string) =>
        (await listStreams(database.queries, site)).map((stream) => stream.dropped);
      expect([await dropped(siteId), await dropped(kept)]).toEqual([[3], [0]]);
      await database.queries
        .updateTable('sites')
        .set({ analytics_settings: '{}' })
        .where('id', '=', kept)
        .execute();
    });

    test('concurrent storing, counting, expiring and deleting lose nothing and count nothing twice', async () => {
      const siteId = await newSite();
      const deleted = await newSite();
      const old = '2026-10-02';
      await store.append([
        event(siteId, at('10:00:00', old), {}),
        event(deleted, at('10:00:00'), {}),
      ]);
      await store.rollUp();
      await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          await store.append([event(siteId, at('10:00:00'), { visitor: `${index}` })]);
          await Promise.all([
            store.rollUp(),
            store.figures(query(siteId, { by: 'path' })),
            store.expire(at('02:00:00', '2026-11-25'), { eventDays: 30, figureDays: 730 }),
            ...(index === 3 ? [store.delete(deleted, {})] : []),
          ]);
        }),
      );
      await store.rollUp();
      expect(await store.figures(query(siteId, {}))).toMatchObject([{ human: 6, visitors: 6 }]);
      expect(
        await store.figures(
          query(siteId, { from: at('00:00:00', old), to: at('00:00:00', '2026-10-03') }),
        ),
      ).toMatchObject([{ human: 1 }]);
      expect([await store.countOf(siteId, old), await store.countOf(siteId, DAY)]).toEqual([0, 6]);
      expect([await store.figures(query(deleted, {})), await store.countOf(deleted, DAY)]).toEqual([
        [],
        0,
      ]);
    });

    test('events with any text are read in order, page by page, without gaps', async () => {
      const siteId = await newSite();
      const same = at('10:00:00', '2026-11-12');
      await store.append(
        ['"a",\\', 'b\n😀', "c'"].map((text) =>
          event(siteId, same, { name: text, visitor: '-9223372036854775808' }),
        ),
      );
      const first = await store.events(query(siteId, {}), { limit: 2 });
      const last = first.at(-1);
      const rest = await store.events(query(siteId, {}), {
        after: last && { at: last.at, id: last.id },
        limit: 2,
      });
      expect([...first, ...rest].map(({ name: text }) => text)).toEqual(['"a",\\', 'b\n😀', "c'"]);
    });
  });
}

function event(siteId: string, time: Date, more: Partial<AnalyticsEvent>): AnalyticsEvent {
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
  return {
    siteId,
    at: time,
    kind: 'view',
    class: 'human',
    visitor: '1',
    path: '/a',
    ...texts,
    amount: 0,
    position: 0,
    ...more,
  };
}

/** The same numbers between 0 and 1 each time (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
