import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Actor } from '@docent/format/access/may.ts';
import { cacheFigures } from '@docent/format/bounded-cache.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fixtureSite, tarball } from '../../../../test/support/http.ts';
import { rawGet } from '../../../../test/support/raw-get.ts';
import { rawTarGz } from '../../../../test/support/raw-tar.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { buildApp } from '../start/http-app.ts';
import { openLiveSites } from './open-live-sites.ts';
import { siteRoutes } from './routes.ts';

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
};
const PAGE = '/guides/install';

let test: TestApp;
let app: FastifyInstance;
let operator: Actor;
let headers: Record<string, string>;
let deps: TestApp['deps'];
let url: string;
let slug: string;
let isLeaving = false;
const logged: Record<string, unknown>[] = [];
const fetches: object[] = [];

beforeAll(async () => {
  const record = (fields: object, message: string) => {
    if (message === 'request') logged.push({ ...fields });
  };
  const logger = { debug: record, info: record, warn() {}, error() {}, child: () => logger };
  test = await openTestApp({ logger });
  const analytics = {
    ...test.deps.analytics,
    countFetch: (_site: unknown, fetch: object) => void fetches.push(fetch),
  };
  const liveSites = Object.assign(openLiveSites(test.deps), { add: () => {} });
  deps = { ...test.deps, liveSites, analytics };
  app = await buildApp(deps, { plugins: [siteRoutes(deps)], isLeaving: () => isLeaving });
  await app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin', expiresInDays: null })).headers;
});
afterAll(async () => {
  await app.close();
  await test.close();
});
beforeEach(async () => {
  slug = `a${randomUUID().slice(0, 8)}`;
  await addSite(test, operator, slug);
  await publish(tarball(fixtureSite('small')));
});

async function publish(source: Uint8Array): Promise<void> {
  test.deps.clock.advance(10);
  const sent = { ...headers, 'content-type': 'application/gzip' };
  const payload = Buffer.from(source);
  const request = { method: 'PUT', url: `/v1/project/${slug}/source`, headers: sent, payload };
  const answer = await app.inject(request as never);
  expect(answer.statusCode, answer.body).toBe(202);
  const signal = new AbortController().signal;
  await publishSite(deps, answer.json().statusId, { signal, attempt: 1, lastAttempt: false });
}

const get = (path = PAGE, more: Record<string, string> = {}) =>
  rawGet({ url }, path, { host: `${slug}.localhost:3000`, ...BROWSER, ...more });

/** Without what each response has anew. */
function lasting({ status, headers: all, body }: Awaited<ReturnType<typeof get>>) {
  const { date: _, 'x-request-id': __, ...rest } = all;
  return { status, headers: rest, body };
}

const repeats = () => cacheFigures().get('repeated_answers')?.hits ?? 0;

/** Waits until an answer is as small as it gets, as all but the first readers get it. */
async function settled(path?: string, more?: Record<string, string>): Promise<void> {
  const isQuick = async () => {
    const { status, headers } = await get(path, more);
    return status === 200 && /-(?:br|gzip)1"$/.test(String(headers.etag));
  };
  await expect.poll(isQuick).toBe(false);
}

/** Returns the second of two answers, which was repeated. */
async function repeated(path?: string, more?: Record<string, string>) {
  await settled(path, more);
  const before = repeats();
  const answer = await get(path, more);
  expect(repeats()).toBe(before + 1);
  return answer;
}

async function change(path: string, payload: object): Promise<void> {
  const request = { method: 'PATCH', url: `/v1/projects/${slug}${path}`, headers, payload };
  const answer = await app.inject(request as never);
  expect(answer.statusCode, answer.body).toBe(200);
  test.deps.clock.advance(10);
}

it('a page, an asset and an answer without a body are sent again as they were, each under its own id and with its own line in the log', async () => {
  const first = await get();
  const asset = `/${/_docent\/site-[0-9a-f]+\.js/.exec((await get(PAGE, { 'accept-encoding': 'identity' })).body.toString())?.[0]}`;
  const cases: [string, Record<string, string>][] = [
    [PAGE, {}],
    [PAGE, { 'accept-encoding': 'gzip' }],
    [PAGE, { accept: 'text/markdown' }],
    [PAGE, { 'if-none-match': String(first.headers.etag) }],
    [asset, {}],
  ];
  for (const [path, more] of cases) {
    await settled(path, more);
    const encodings = `${more['accept-encoding'] ?? BROWSER['accept-encoding']}, other`;
    const other = { ...more, 'accept-encoding': encodings };
    logged.length = 0;
    const original = await get(path, other);
    const before = repeats();
    const again = await get(path, { ...other, 'x-request-id': 'reader-1' });
    expect(repeats(), path).toBe(before + 1);
    expect(lasting(again), path).toEqual(lasting(original));
    expect(again.headers['x-request-id']).toBe('reader-1');
    expect(original.headers['x-request-id']).not.toBe('reader-1');
    await expect.poll(() => logged.length).toBe(2);
    const [routed, repeat] = logged.map(({ durationMs: _, ...line }) => line);
    expect(repeat).toEqual({ ...routed, requestId: 'reader-1' });
  }
});

it('nothing is sent again that a publish, a setting or the protection of the site has changed', async () => {
  const before = await repeated();
  await publish(rawTarGz(changedSource()));
  expect((await get()).headers.etag).not.toBe(before.headers.etag);
  await settled();
  const published = await get();
  expect(published.body).not.toEqual(before.body);
  expect(lasting(await repeated())).toEqual(lasting(published));

  await change('', { settings: { noindex: true } });
  expect((await get()).headers['x-robots-tag']).toBe('noindex');
  expect((await repeated()).headers['x-robots-tag']).toBe('noindex');

  await change('/access', { visibility: 'private', password: { password: 'correct horse' } });
  expect((await get()).status).toBe(303);
  expect((await get()).status).toBe(303);
});

it('ranges, bodies, queries, unknown hosts and a process that stops pass the router', async () => {
  await repeated();
  const before = repeats();
  await get(`${PAGE}?utm_source=mail`);
  await get('/images/dot.svg', { range: 'bytes=0-1' });
  await get('/images/dot.svg', { range: 'bytes=0-1' });
  await get(PAGE, { host: 'elsewhere.example.com' });
  isLeaving = true;
  expect((await get()).headers.connection).toBe('close');
  isLeaving = false;
  expect(repeats()).toBe(before);
});

it('a fetch by a machine is counted each time, and one by a reader never', async () => {
  fetches.length = 0;
  await repeated();
  expect(fetches).toEqual([]);
  await repeated(PAGE, { 'user-agent': 'GPTBot/1.2' });
  expect(fetches).toEqual([
    { surface: 'page', href: PAGE },
    { surface: 'page', href: PAGE },
  ]);
});

function changedSource() {
  const config = { theme: 'mint', name: 'Acme', colors: { primary: '#4f46e5' } };
  const navigation = { groups: [{ group: 'Guides', pages: ['guides/install'] }] };
  return [
    { name: 'docs.json', content: JSON.stringify({ ...config, navigation }) },
    { name: 'guides/install.mdx', content: '---\ntitle: Install\n---\n\nIt changed.\n' },
  ];
}
