import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { deleteExpiredFeedback } from './feedback-queries.ts';

type Headers = Record<string, string>;

let test: TestApp;
let admin: Headers;
let readOnly: Headers;
let stranger: Headers;
let assistant: Headers;
let slug: string;
let sites = 0;
let address = 0;

/** A new site and a new reader address for each test. */
async function newSite(): Promise<void> {
  sites += 1;
  address += 1;
  slug = `docs${sites}`;
  const operator = await addOrganization(test);
  await addSite(test, operator, slug, ['index', 'guides/start']);
  admin = (await addKey(test, operator, { kind: 'admin' })).headers;
  readOnly = (await addKey(test, operator, { kind: 'admin', scopes: ['read'] })).headers;
  assistant = (await addKey(test, operator, { kind: 'assistant', site: slug })).headers;
  stranger = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
}

beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_TRUSTED_PROXIES: '1' } });
});
afterAll(() => test.close());

const ID = 'reader-chosen-id-1';
const feedback = (more: object = {}) => ({
  t: 'feedback',
  at: 100,
  path: '/guides/start',
  id: ID,
  helpful: false,
  ...more,
});

async function send(event: object, headers: Headers = {}): Promise<number> {
  test.deps.clock.advance(1);
  const host = `${slug}.localhost:3000`;
  const answer = await test.app.inject({
    method: 'POST',
    url: '/_docent/feedback',
    headers: {
      host,
      origin: `http://${host}`,
      'content-type': 'text/plain',
      'user-agent': 'Mozilla/5.0 Chrome/130.0.0.0',
      'x-forwarded-for': `203.0.113.${address}`,
      ...headers,
    },
    payload: JSON.stringify({ v: 1, events: [event] }),
  });
  return answer.statusCode;
}

const call = (
  method: 'GET' | 'PATCH' | 'DELETE',
  path: string,
  headers = admin,
  payload?: object,
) =>
  callDeclared(test.app, {
    method,
    url: `/v1/analytics/${slug}${path}`,
    headers,
    ...(payload && { payload }),
  });
const list = async (query = '') => (await call('GET', `/feedback${query}`)).json().feedback;

describe('page feedback', () => {
  it('is listed for the owners of the site, replaced by later details, and counted once', async () => {
    await newSite();
    expect(await send(feedback())).toBe(204);
    expect(await list()).toMatchObject([
      { about: 'page', path: '/guides/start', source: 'thumbs_only', status: 'pending' },
    ]);
    expect(await send(feedback({ reason: 'missing', comment: ' No example. ' }))).toBe(204);
    expect(await list()).toMatchObject([
      {
        id: ID,
        helpful: false,
        source: 'contextual',
        reason: 'missing',
        comment: 'No example.',
        contact: null,
        threadId: null,
      },
    ]);
    expect((await call('GET', '/feedback/by-page')).json()).toEqual({
      feedback: [{ path: '/guides/start', thumbsUp: 0, thumbsDown: 1, code: 0, total: 1 }],
      hasMore: false,
    });
  });

  it('that is praise without a word is not open, until words follow, and keeps what an owner decided', async () => {
    await newSite();
    const statuses = async () => (await list()).map(({ status }: { status: string }) => status);
    await send(feedback({ helpful: true }));
    expect(await statuses()).toEqual(['resolved']);
    await send(feedback({ helpful: true, comment: 'One typo in step 2.' }));
    expect(await statuses()).toEqual(['pending']);
    await call('PATCH', `/feedback/${ID}`, admin, { status: 'in_progress' });
    await send(feedback({ helpful: true }));
    expect(await statuses()).toEqual(['in_progress']);
  });

  it('is accepted from readers who opt out of tracking, and while analytics are off', async () => {
    await newSite();
    const changes = {
      method: 'PATCH',
      url: `/v1/project/${slug}/analytics-settings`,
      headers: admin,
    } as const;
    await callDeclared(test.app, { ...changes, payload: { enabled: false } });
    expect(await send(feedback(), { dnt: '1', 'sec-gpc': '1' })).toBe(204);
    expect(await list()).toHaveLength(1);
    expect((await call('GET', '/views')).json().totals.total).toBe(0);
  });

  it('is rejected for an unknown page and from other origins, and ignored if invalid', async () => {
    await newSite();
    expect(await send(feedback({ path: '/nowhere' }))).toBe(404);
    expect(
      await send(feedback(), { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    ).toBe(403);
    for (const wrong of [
      { id: 'x' },
      { helpful: 'no' },
      { reason: '<script>' },
      { comment: 'a'.repeat(2001) },
    ])
      await send(feedback(wrong));
    expect(await send({})).toBe(204);
    expect(await list()).toEqual([]);
  });

  it('cannot change feedback of another page or site with the same id', async () => {
    await newSite();
    await send(feedback({ comment: 'first' }));
    await send(feedback({ path: '/', comment: 'other page' }));
    const before = slug;
    await newSite();
    await send(feedback({ comment: 'other site' }));
    expect((await list()).map(({ comment }: { comment: string }) => comment)).toEqual([
      'other site',
    ]);
    slug = before;
    const rows = await test.deps.database.queries
      .selectFrom('feedback')
      .select('comment')
      .where('id', '=', ID)
      .execute();
    expect(rows.map(({ comment }) => comment)).toEqual(
      expect.arrayContaining(['first', 'other site']),
    );
    expect(rows.map(({ comment }) => comment)).not.toContain('other page');
  });

  it('is rate-limited per address', async () => {
    await newSite();
    const statuses: number[] = [];
    for (let count = 0; count < 121; count += 1)
      statuses.push(await send(feedback({ id: `reader-chosen-id-${count + 100}` })));
    expect(statuses.filter((status) => status === 204)).toHaveLength(120);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is accepted from bundles with an assistant key in the URL, with CORS for any origin', async () => {
    await newSite();
    const key = assistant.authorization?.replace('Bearer ', '') ?? '';
    const answer = await test.app.inject({
      method: 'POST',
      url: `/v1/events/${slug}?key=${key}`,
      headers: {
        'content-type': 'text/plain',
        'user-agent': 'Mozilla/5.0',
        'x-forwarded-for': `203.0.113.${address}`,
      },
      payload: JSON.stringify({ v: 1, events: [feedback()] }),
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(await list()).toHaveLength(1);
  });
});

describe('the feedback inbox', () => {
  it('is filtered by page, kind, status and rating, and read page by page', async () => {
    await newSite();
    await send(feedback({ id: 'reader-chosen-id-1', comment: 'one' }));
    await send(feedback({ id: 'reader-chosen-id-2', helpful: true, path: '/' }));
    await send(feedback({ id: 'reader-chosen-id-3', reason: 'wrong' }));
    await call('PATCH', '/feedback/reader-chosen-id-3', admin, { status: 'resolved' });
    const ids = async (query: string) =>
      (await list(query)).map(({ id }: { id: string }) => id.at(-1)).join('');
    expect(await ids('')).toBe('321');
    expect(await ids('?path=/guides/start')).toBe('31');
    expect(await ids('?helpful=true')).toBe('2');
    expect(await ids('?source=thumbs_only')).toBe('2');
    expect(await ids('?source=contextual,agent')).toBe('31');
    expect(await ids('?status=pending,in_progress')).toBe('1');
    expect(await ids('?about=answer')).toBe('');
    expect(await ids('?language=de')).toBe('');
    expect(await ids('?dateTo=2001-01-01')).toBe('');
    const first = (await call('GET', '/feedback?limit=2')).json();
    expect(first).toMatchObject({ hasMore: true });
    expect(await ids(`?limit=2&cursor=${first.nextCursor}`)).toBe('1');
    expect((await call('GET', '/feedback?status=done')).statusCode).toBe(400);
  });

  it('lets editors change status and note separately, and records who did it', async () => {
    await newSite();
    await send(feedback());
    const changed = await call('PATCH', `/feedback/${ID}`, admin, {
      status: 'in_progress',
      note: ' See #12. ',
    });
    expect(changed.json()).toMatchObject({ status: 'in_progress', note: 'See #12.' });
    expect(changed.json().handledBy).toMatch(/\S/);
    expect((await call('PATCH', `/feedback/${ID}`, admin, { note: null })).json()).toMatchObject({
      status: 'in_progress',
      note: null,
    });
    expect((await call('PATCH', `/feedback/${ID}`, admin, { status: 'done' })).statusCode).toBe(
      400,
    );
    expect(
      (await call('PATCH', '/feedback/nowhere', admin, { status: 'resolved' })).json().code,
    ).toBe('feedback_not_found');
    expect(
      (await call('PATCH', `/feedback/${ID}`, readOnly, { status: 'resolved' })).json().code,
    ).toBe('scope_missing');
    expect(
      (await call('PATCH', `/feedback/${ID}`, stranger, { status: 'resolved' })).statusCode,
    ).toBe(404);
    const audit = await test.deps.database.queries
      .selectFrom('audit_log')
      .selectAll()
      .where('thing', '=', ID)
      .execute();
    expect(audit.map(({ action, outcome }) => [action, outcome])).toContainEqual([
      'changeFeedback',
      'done',
    ]);
  });

  it('is exported completely, with text that cannot run as a formula in a spreadsheet', async () => {
    await newSite();
    await send(feedback({ comment: '=HYPERLINK("x")' }));
    const csv = await test.app.inject({
      url: `/v1/analytics/${slug}/export?report=feedback`,
      headers: admin,
    });
    expect(csv.body).toContain(`"'=HYPERLINK(""x"")"`);
    const lines = await test.app.inject({
      url: `/v1/analytics/${slug}/export?report=feedback&format=ndjson`,
      headers: admin,
    });
    expect(JSON.parse(lines.body)).toMatchObject({
      path: '/guides/start',
      helpful: 'false',
      status: 'pending',
    });
    await send(feedback({ id: 'reader-chosen-id-2', helpful: true }));
    const exported = async (query: string) =>
      test.app.inject({
        url: `/v1/analytics/${slug}/export?format=ndjson&${query}`,
        headers: admin,
      });
    const kept = (
      await exported('report=feedback&helpful=true&status=resolved&source=thumbs_only')
    ).body
      .trim()
      .split('\n');
    expect(kept.map((line) => JSON.parse(line).id)).toEqual(['reader-chosen-id-2']);
    expect((await exported('report=feedback&about=answer')).body).toBe('');
    const refused = await exported('report=views&helpful=true');
    expect([refused.statusCode, refused.json().detail]).toEqual([
      400,
      expect.stringContaining('"helpful"'),
    ]);
  });

  it('is deleted with the analytics of the site, and after the retention time of the site', async () => {
    await newSite();
    await send(feedback());
    const { queries } = test.deps.database;
    await callDeclared(test.app, {
      method: 'PATCH',
      url: `/v1/project/${slug}/analytics-settings`,
      headers: admin,
      payload: { feedbackDays: 10 },
    });
    const inDays = (days: number) => new Date(test.deps.clock.now().getTime() + days * 86_400_000);
    await deleteExpiredFeedback(queries, inDays(9), 730);
    expect(await list()).toHaveLength(1);
    await deleteExpiredFeedback(queries, inDays(11), 730);
    expect(await list()).toEqual([]);
    await send(feedback());
    expect((await call('DELETE', '')).json()).toMatchObject({ deletedFeedback: 1 });
    expect(await list()).toEqual([]);
  });
});
