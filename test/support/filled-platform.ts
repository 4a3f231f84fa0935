import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { bundleOf, finish, start } from './exports.ts';
import { call, fetchSite, fixtureSite, publishArchive, tarball, until } from './http.ts';
import type { RunningDocent } from './start-docent.ts';

export const SITE = 'restored';
const OWNER = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const AGENT = 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)';

/** What a platform was filled with, to be found again in a copy. */
export interface Filled {
  adminKey: string;
  assistantKey: string;
  thread: { threadId: string; threadKey: string };
  /** The cookie of a session. */
  cookie: string;
  jobId: string;
  bundle: { url: string; sha256: string };
  /** Page, figures, events and conversations as the API returned them. */
  seen: Record<string, unknown>;
}

const question = (text: string, more: object = {}) => ({
  fp: 'anonymous',
  messages: [{ role: 'user', content: text }],
  ...more,
});

async function ask(docent: RunningDocent, key: string, body: object) {
  const answer = await call(docent, key, 'POST', `/v1/assistant/${SITE}/message`, body);
  await answer.text();
  return {
    status: answer.status,
    threadId: answer.headers.get('x-thread-id') ?? '',
    threadKey: answer.headers.get('x-thread-key') ?? '',
  };
}

/**
 * Fills a new platform with a bit of everything: a site, a person with a session, keys, a thread, a
 * bundle, analytics.
 */
export async function fillPlatform(docent: RunningDocent & { setupUrl?: string }): Promise<Filled> {
  expect((await publishArchive(docent, SITE, tarball(fixtureSite('small')))).status).toBe(
    'success',
  );
  const token = new URL(docent.setupUrl ?? '').searchParams.get('token');
  const set = await fetch(`${docent.apiUrl}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: docent.apiUrl },
    body: JSON.stringify({ token, organization: { name: 'Acme', slug: 'acme' }, ...OWNER }),
  });
  expect(set.status, await set.clone().text()).toBe(201);
  const cookie = set.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const made = await call(docent, docent.adminKey, 'POST', '/v1/keys', {
    kind: 'assistant',
    name: 'copy',
    site: SITE,
  });
  const { key: assistantKey } = (await made.json()) as { key: string };
  const thread = await ask(docent, assistantKey, question('How do I rotate an API key?'));
  for (const agent of [READER, AGENT])
    await fetchSite(docent, SITE, '/guides/install', { headers: { 'user-agent': agent } });
  const { jobId } = await start(docent, { domain: SITE });
  expect(await finish(docent, jobId)).toMatchObject({ status: 'completed' });
  const { bundleUrl, sha256 } = await bundleOf(docent, jobId);
  // Events are written and counted a moment later.
  await until(async () => ((await rawEvents(docent, docent.adminKey)) === '' ? undefined : true));
  const filled = {
    adminKey: docent.adminKey,
    assistantKey,
    thread,
    cookie,
    jobId,
    bundle: { url: bundleUrl, sha256 },
  };
  return { ...filled, seen: await seenIn(docent, docent.adminKey) };
}

async function rawEvents(docent: RunningDocent, key: string): Promise<string> {
  const answer = await call(
    docent,
    key,
    'GET',
    `/v1/analytics/${SITE}/export?report=events&format=ndjson`,
  );
  expect(answer.status).toBe(200);
  return answer.text();
}

async function seenIn(docent: RunningDocent, key: string): Promise<Record<string, unknown>> {
  const get = async (path: string) => {
    const answer = await call(docent, key, 'GET', path);
    expect(answer.status, path).toBe(200);
    return answer.json();
  };
  const page = await fetchSite(docent, SITE, '/guides/install', {
    headers: { 'user-agent': READER },
  });
  const jobs = (await get('/v1/static-export/jobs')) as { jobs?: unknown[] };
  return {
    page: [page.status, (await page.text()).replaceAll(`:${docent.port}`, '')],
    events: (await rawEvents(docent, key))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
    views: await get(`/v1/analytics/${SITE}/views`),
    threads: await get(`/v1/analytics/${SITE}/assistant/threads`),
    jobs,
    deployments: await get(`/v1/projects/${SITE}/deployments`),
  };
}

const sha256Of = async (url: string) =>
  createHash('sha256')
    .update(Buffer.from(await (await fetch(url)).arrayBuffer()))
    .digest('hex');

/**
 * Checks that a copy has all that the platform was filled with, and that it works on with it.
 * @param oldLinkAt the port at which the links of the platform still work; undefined where the
 *   store makes its own
 */
export async function expectFilled(
  docent: RunningDocent,
  filled: Filled,
  oldLinkAt: number | undefined,
): Promise<void> {
  const { adminKey, assistantKey, thread, cookie, jobId, bundle } = filled;
  expect(await seenIn(docent, adminKey)).toEqual(filled.seen);
  // The thread takes a second question under its key, and nobody else's.
  expect(
    await ask(docent, assistantKey, question('How long does the old one stay valid?', thread)),
  ).toMatchObject({
    status: 200,
    threadId: thread.threadId,
  });
  const session = await fetch(`${docent.apiUrl}/v1/session`, { headers: { cookie } });
  expect(await session.json()).toMatchObject({
    user: { email: OWNER.email },
    organizations: [{ role: 'owner' }],
  });
  const signIn = await fetch(`${docent.apiUrl}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: docent.apiUrl },
    body: JSON.stringify({ email: OWNER.email, password: OWNER.password }),
  });
  expect(signIn.status).toBe(200);
  const link = await bundleOf({ ...docent, adminKey }, jobId);
  expect([link.sha256, await sha256Of(link.bundleUrl)]).toEqual([bundle.sha256, bundle.sha256]);
  if (oldLinkAt !== undefined) {
    const old = new URL(bundle.url);
    old.port = String(oldLinkAt);
    expect(await sha256Of(old.href)).toBe(bundle.sha256);
  }
  // New messages, numbered by the sequences, and a new build.
  expect(
    (await publishArchive({ ...docent, adminKey }, SITE, tarball(fixtureSite('small')))).status,
  ).toBe('success');
}
