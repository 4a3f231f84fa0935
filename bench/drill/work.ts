import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { page, site } from '../../test/support/hostile-organization.ts';
import { call, fetchSite } from '../../test/support/http.ts';
import type { Fleet } from './fleet.ts';
import type { Ledger } from './ledger.ts';

const OWNER = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
const PATHS = [
  '/',
  '/guides/install',
  '/guides/components',
  '/api/manual',
  '/index.md',
  '/llms.txt',
  '/sitemap.xml',
];
/** Half a second apart: longer than an outage. */
const MAX_TRIES = 240;
const PAGE_EVERY_MS = 100;
const SITES = 2;
const MAX_CHECKED = 300;

/**
 * Readers and clients of a fleet, who work until they are stopped, and then check that nothing
 * accepted is lost.
 */
export async function startWork(fleet: Fleet, ledger: Ledger): Promise<{ end(): Promise<void> }> {
  const { docent } = fleet;
  let isOver = false;
  const until = async (everyMs: number, work: () => Promise<void>) => {
    while (!isOver) {
      await work();
      await wait(everyMs);
    }
  };
  const send = (method: string, path: string, body?: unknown) => () =>
    call(docent, docent.adminKey, method, path, body);
  const created: [slug: string, lose: (why: string) => void][] = [];
  const sessions: [cookie: string, lose: (why: string) => void][] = [];
  const threads: [id: string, lose: (why: string) => void][] = [];

  await fetch(`${docent.apiUrl}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: docent.apiUrl },
    body: JSON.stringify({
      token: new URL(docent.setupUrl ?? '').searchParams.get('token'),
      organization: { name: 'Acme', slug: 'acme' },
      ...OWNER,
    }),
  });

  let next = 0;
  const read = async () => {
    const path = PATHS[next++ % PATHS.length] as string;
    await ledger.attempt('page', (signal) => fetchSite(docent, docent.domain, path, { signal }));
  };
  const publish = async (slug: string) => {
    const token = randomBytes(8).toString('hex');
    const accepted = await ledger.attempt('publish', (signal) =>
      fetch(`${docent.apiUrl}/v1/project/${slug}/source`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': 'application/gzip' },
        body: site(page(`Text ${token}.`)),
        signal,
      }),
    );
    if (!accepted) return;
    const lose = ledger.accept('publish');
    const { statusId } = JSON.parse(accepted.text) as { statusId: string };
    const path = `/v1/project/update-status/${statusId}`;
    const last = await ended(path, ['success', 'failure', 'cancelled']);
    if (last.status !== 'success') return lose(`${statusId} ${last.status}: ${last.summary}`);
    // Other processes read the pointer a second later, or when the database is back.
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const live = await ledger.attempt('page', (signal) =>
        fetchSite(docent, slug, '/', { signal }),
      );
      if (live?.text.includes(token)) return;
      await wait(500);
    }
    lose(`${statusId} is not live`);
  };
  const ended = async (path: string, states: string[]) => {
    for (;;) {
      const state = JSON.parse(await ledger.insist('status', send('GET', path))) as {
        status: string;
        summary?: string;
        error?: string;
      };
      if (states.includes(state.status)) return state;
      await wait(300);
    }
  };
  const exportSite = async () => {
    const accepted = await ledger.attempt(
      'export',
      send('POST', '/v1/static-export/jobs', { domain: docent.domain }),
    );
    if (!accepted) return;
    const lose = ledger.accept('export');
    const { jobId } = JSON.parse(accepted.text) as { jobId: string };
    const last = await ended(`/v1/static-export/jobs/${jobId}`, ['completed', 'failed']);
    if (last.status !== 'completed') return lose(`${jobId} ${last.status}: ${last.error}`);
    const { bundleUrl } = JSON.parse(
      await ledger.insist('bundle', send('POST', `/v1/static-export/jobs/${jobId}/bundle`)),
    );
    if (typeof bundleUrl !== 'string') lose(`${jobId} has no bundle`);
  };
  const ask = async () => {
    const body = { fp: 'a', messages: [{ role: 'user', content: 'How do I install it?' }] };
    const asked = await ledger.attempt(
      'ask',
      () =>
        call(docent, docent.assistantKey, 'POST', `/v2/assistant/${docent.domain}/message`, body),
      (text) => text.includes('"type":"finish"'),
    );
    const id = asked?.answer.headers.get('x-thread-id');
    if (id) threads.push([id, ledger.accept('conversation')]);
  };
  const signIn = async () => {
    const { email, password } = OWNER;
    const signedIn = await ledger.attempt('sign-in', (signal) =>
      fetch(`${docent.apiUrl}/v1/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: docent.apiUrl },
        body: JSON.stringify({ email, password }),
        signal,
      }),
    );
    const cookies = signedIn?.answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies) sessions.push([cookies.join('; '), ledger.accept('session')]);
  };
  const create = async () => {
    const slug = `site-${randomBytes(5).toString('hex')}`;
    if (await ledger.attempt('create', send('POST', '/v1/projects', { slug })))
      created.push([slug, ledger.accept('site')]);
  };

  const slugs = Array.from({ length: SITES }, (_, index) => `drill-${index}`);
  for (const slug of slugs) await send('POST', '/v1/projects', { slug })();
  const running = Promise.all([
    until(PAGE_EVERY_MS, read),
    until(PAGE_EVERY_MS, read),
    ...slugs.map((slug) => until(1000, () => publish(slug))),
    until(2000, exportSite),
    until(1000, ask),
    // An address may sign in 100 times an hour.
    until(10_000, signIn),
    until(2000, create),
  ]);

  const check = async () => {
    for (const [slug, lose] of created.slice(-MAX_CHECKED)) {
      const answer = await send('GET', `/v1/projects/${slug}/deployments`)();
      if (answer.status !== 200) lose(`${slug} ${answer.status}`);
    }
    for (const [cookie, lose] of sessions.slice(-MAX_CHECKED)) {
      const session = await fetch(`${docent.apiUrl}/v1/session`, { headers: { cookie } });
      const { user } = (await session.json()) as { user?: { email?: string } };
      if (user?.email !== OWNER.email) lose(String(session.status));
    }
    // They are written a moment after the answer.
    await wait(3000);
    const listed = await (
      await send('GET', `/v1/analytics/${docent.domain}/assistant/threads?limit=1000`)()
    ).text();
    for (const [id, lose] of threads.slice(-MAX_CHECKED)) if (!listed.includes(id)) lose(id);
  };
  return {
    async end() {
      isOver = true;
      await running;
      await fleet.ready();
      await check();
    },
  };
}
