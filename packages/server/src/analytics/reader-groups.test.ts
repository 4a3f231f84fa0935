import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPrivateSite } from '../../../../test/support/private-site.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const folder = mkdtempSync(join(tmpdir(), 'docent-groups-'));
let site: Awaited<ReturnType<typeof openPrivateSite>>;

beforeAll(async () => {
  const pages = { index: '', staff: 'groups: [staff]', partners: 'groups: [partners, staff]' };
  mkdirSync(folder, { recursive: true });
  for (const [path, line] of Object.entries(pages))
    writeFileSync(join(folder, `${path}.mdx`), `---\ntitle: ${path}\n${line}\n---\n\nText.\n`);
  const navigation = { pages: Object.keys(pages) };
  const config = { theme: 'mint', name: 'Groups', colors: { primary: '#123456' }, navigation };
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(config));
  site = await openPrivateSite('groups', {}, folder);
  await site.change({ visibility: 'private', password: { password: 'correct horse battery' } });
  await site.publish();
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Sends what a page of a reader sends, from another address each. */
async function send(groups: readonly string[] | undefined, events: object[], more = {}) {
  const { siteId } = site;
  const { methods } = await site.deps.readerStore.accessOf(siteId);
  const generation = methods.password?.generation ?? '';
  const reader = { id: 'password', groups: groups ?? [], content: {}, apiPlaygroundInputs: {} };
  const start = { method: 'password', generation, reader } as const;
  const { token } = await site.deps.readerStore.startSession({ siteId, sessionDays: 7 }, start);
  return site.app.inject({
    method: 'POST',
    url: '/_docent/events',
    headers: {
      host: site.host,
      origin: `http://${site.host}`,
      'content-type': 'text/plain',
      'user-agent': `${CHROME} ${groups?.join(' ')}`,
      ...(groups && { cookie: `docent-reader-${siteId.toLowerCase()}=${token}` }),
      ...more,
    },
    payload: JSON.stringify({ v: 1, events: events.map((event) => ({ at: 1000, ...event })) }),
  });
}

async function read(path: string) {
  await site.deps.analytics.flush();
  return (await site.get(`/v1/analytics/groups/${path}`)).json();
}

it('views, searches and questions are counted by the groups that pages name, and by no other one', async () => {
  const view = (path: string) => ({ t: 'page', path });
  const search = { t: 'search', path: '/', query: 'keys', results: 1 };
  const question = { t: 'action', path: '/', name: 'question' };
  expect(
    (await send(['staff', 'ada of acme'], [view('/staff'), search, question])).statusCode,
  ).toBe(204);
  await send([' partners '], [view('/partners'), view('/')]);
  await send(['guests'], [view('/')]);
  await send(['staff'], [view('/partners')], { dnt: '1' });
  expect((await send(undefined, [view('/')])).statusCode).toBe(401);
  const { groups } = await read('groups');
  expect(groups).toEqual([
    { group: 'partners', activity: 'view', count: 2, visitors: 1 },
    { group: 'staff', activity: 'question', count: 1, visitors: 1 },
    { group: 'staff', activity: 'search', count: 1, visitors: 1 },
    { group: 'staff', activity: 'view', count: 1, visitors: 1 },
  ]);
  const { views } = await read('views?group=partners');
  expect(views.map(({ path, human }: { path: string; human: number }) => [path, human])).toEqual([
    ['/', 1],
    ['/partners', 1],
  ]);
  expect((await read('searches?group=staff')).totalSearches).toBe(1);
  expect((await read('searches?group=partners')).totalSearches).toBe(0);
  await site.deps.analytics.flush();
  const day = { from: new Date(0), to: new Date(8.64e15) };
  const events = await site.deps.analytics.store.events(
    { siteId: site.siteId, ...day },
    { limit: 100 },
  );
  expect(events.length).toBe(6);
  expect(JSON.stringify(events)).not.toContain('ada of');
  expect(new Set(events.map(({ groups: names }) => names))).toEqual(
    new Set(['', '["partners"]', '["staff"]']),
  );
});
