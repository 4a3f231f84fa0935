import type { Actor } from '@docent/format/access/may.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureSite, tarball } from '../../../../test/support/http.ts';
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

let test: TestApp;
let app: FastifyInstance;
let deps: TestApp['deps'];
let operator: Actor;
let headers: Record<string, string>;
const faults: string[] = [];

beforeAll(async () => {
  const error = (_fields: object, message: string) => void faults.push(message);
  const logger = { debug() {}, info() {}, warn() {}, error, child: () => logger };
  test = await openTestApp({ logger });
  deps = { ...test.deps, liveSites: openLiveSites(test.deps) } as TestApp['deps'];
  app = await buildApp(deps, { plugins: [siteRoutes(deps)] });
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin', expiresInDays: null })).headers;
});
afterAll(async () => {
  await app.close();
  await test.close();
});

async function send(slug: string, archive: Uint8Array): Promise<string> {
  const sent = { ...headers, 'content-type': 'application/gzip' };
  const payload = Buffer.from(archive);
  const url = `/v1/project/${slug}/source`;
  const answer = await app.inject({ method: 'PUT', url, headers: sent, payload });
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json().statusId;
}

async function build(deployment: string): Promise<void> {
  const signal = new AbortController().signal;
  await publishSite(deps, deployment, { signal, attempt: 1, lastAttempt: true });
  // The address of a site without pages is looked up again.
  test.deps.clock.advance(5);
}

function pageOf(slug: string, accept = 'text/html') {
  return app.inject({ url: '/', headers: { host: `${slug}.localhost:3000`, accept } });
}

it('shows readers that a site is published for the first time, on a page that loads itself again until the site is there', async () => {
  await addSite(test, operator, 'waited-for');
  expect((await pageOf('waited-for')).statusCode).toBe(404);

  const deployment = await send('waited-for', tarball(fixtureSite('basic')));
  const page = await pageOf('waited-for');
  expect(page.statusCode).toBe(503);
  expect(page.headers).toMatchObject({ refresh: '2', 'retry-after': '2' });
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(page.body).toContain('published for the first time');
  expect(page.body).not.toContain('Error');
  const problem = await pageOf('waited-for', 'application/json');
  expect([problem.statusCode, problem.json().code]).toEqual([503, 'site_being_published']);

  await build(deployment);
  const published = await pageOf('waited-for');
  expect([published.statusCode, published.headers.refresh]).toEqual([200, undefined]);
  expect(faults).toEqual([]);
});

it('answers that there is no site once its first build has failed', async () => {
  await addSite(test, operator, 'never-built');
  await build(await send('never-built', rawTarGz([{ name: 'docs.json', content: '{' }])));
  const page = await pageOf('never-built');
  expect([page.statusCode, page.headers.refresh]).toEqual([404, undefined]);
});
