import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { writePages } from '../support/exported-site.ts';
import { finish, start, status } from '../support/exports.ts';
import { call, getAs, publishArchive, tarball, until } from '../support/http.ts';
import { postgresBin } from '../support/postgres.ts';
import { type RunningDocent, temporaryFolder } from '../support/start-docent.ts';
import { startTwoProcesses, type TwoProcesses } from '../support/two-processes.ts';

const PAGES = 300;
const DOWN_MS = 5000;

interface Answer {
  what: string;
  status: number;
  code: string | undefined;
  retryAfter: string | null;
  sentAt: number;
  at: number;
  thread: string | null;
  /** The answer of the assistant is complete. */
  isComplete: boolean;
}

describe.skipIf(postgresBin === undefined)('two processes during a PostgreSQL outage', () => {
  let processes: TwoProcesses;
  let one: RunningDocent;
  let two: RunningDocent;

  beforeAll(async () => {
    processes = await startTwoProcesses();
    ({ one, two } = processes);
    const folder = await temporaryFolder();
    writePages(folder, PAGES);
    await publishArchive(one, 'many', tarball(folder));
  }, 300_000);
  afterAll(() => processes?.stop());

  async function read(what: string, sent: Promise<Response>): Promise<Answer> {
    const sentAt = Date.now();
    const answer = await sent;
    const text = await answer.text();
    const code = answer.ok ? undefined : (JSON.parse(text) as { code?: string }).code;
    const { headers } = answer;
    return {
      what,
      status: answer.status,
      code,
      retryAfter: headers.get('retry-after'),
      sentAt,
      at: Date.now(),
      thread: headers.get('x-thread-id'),
      isComplete: text.includes('"type":"finish"'),
    };
  }

  const send = (docent: RunningDocent, method: string, path: string, body?: unknown) =>
    call(docent, one.adminKey, method, path, body);

  test('respond with 503, recover without a restart, and keep every acknowledged write', async () => {
    const answers: Answer[] = [];
    const made: string[] = [];
    const pages: { status: number; at: number }[] = [];
    const threads: string[] = [];
    // Sites of a previous attempt still exist.
    const attempt = Date.now().toString(36);
    let isRunning = true;
    const keepAsking = async (docent: RunningDocent, name: string): Promise<void> => {
      for (let number = 0; isRunning; number++) {
        const slug = `${name}-${attempt}-${number}`;
        const created = await read('create', send(docent, 'POST', '/v1/projects', { slug }));
        if (created.status === 201) made.push(slug);
        const question = { fp: 'a', messages: [{ role: 'user', content: `page ${number}` }] };
        const asked = await read(
          'ask',
          call(docent, one.assistantKey, 'POST', '/v2/assistant/docent/message', question),
        );
        if (asked.thread && asked.isComplete) threads.push(asked.thread);
        const listed = await read('list', send(docent, 'GET', '/v1/projects'));
        answers.push(created, asked, listed);
        await wait(100);
      }
    };
    // Page requests do not wait for other operations.
    const keepReading = async (docent: RunningDocent): Promise<void> => {
      while (isRunning) {
        const page = await getAs(docent.port, 'many.localhost', '/page-7');
        pages.push({ status: page.status, at: Date.now() });
        await wait(100);
      }
    };
    for (const docent of [one, two])
      expect((await getAs(docent.port, 'many.localhost', '/page-7')).status).toBe(200);
    const { jobId } = await start(one, { domain: 'many' });
    const asking = Promise.all([
      keepAsking(one, 'one'),
      keepAsking(two, 'two'),
      keepReading(one),
      keepReading(two),
    ]);
    onTestFinished(async () => {
      isRunning = false;
      await asking.catch(() => {});
    });
    await until(async () => ((await status(two, jobId)).progress > 0 ? true : undefined));
    // Keep it down until enough requests were sent, however busy the machine is.
    let during: Answer[] = [];
    let readPages = pages;
    await processes.server.crash(async () => {
      const downAt = Date.now();
      await wait(DOWN_MS);
      await expect
        .poll(
          () => {
            during = answers.filter(({ sentAt }) => sentAt > downAt);
            readPages = pages.filter(({ at }) => at > downAt);
            return Math.min(during.length, readPages.length);
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThan(10);
    });
    for (const docent of [one, two]) {
      await expect
        .poll(async () => (await fetch(`http://localhost:${docent.port}/readyz`)).json(), {
          timeout: 60_000,
        })
        .toEqual({ status: 'ok', unavailable: [] });
    }
    const readyAt = Date.now();
    // Continue until enough requests were sent, however busy the machine is.
    const after = () => answers.filter(({ at }) => at > readyAt + 1000);
    await expect.poll(() => after().length).toBeGreaterThan(10);
    isRunning = false;
    await asking;

    // Readers notice nothing.
    expect(pages.filter(({ status: code }) => code !== 200)).toEqual([]);

    // Every other request succeeded, or failed with 503, a reason and a Retry-After.
    const refused = answers.filter(({ status: code }) => code >= 300);
    expect(refused.map(({ what, status: code, code: name }) => `${what} ${code} ${name}`)).toEqual(
      refused.map(({ what }) => `${what} 503 dependency_unavailable`),
    );
    expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    expect(
      during.filter(({ what }) => what === 'create').every(({ status: code }) => code === 503),
    ).toBe(true);
    // Both work again as soon as they report that they are ready.
    expect(after().filter(({ status: code }) => code >= 300)).toEqual([]);

    // Both list every site that was created before, during and after the outage.
    const slugs = async (docent: RunningDocent) =>
      (
        (await (await send(docent, 'GET', '/v1/projects')).json()) as {
          projects: { slug?: string; domain?: string }[];
        }
      ).projects;
    for (const docent of [one, two]) {
      const listed = JSON.stringify(await slugs(docent));
      expect(made.filter((slug) => !listed.includes(`"${slug}"`))).toEqual([]);
    }
    expect(
      made.some((slug) => slug.startsWith('one-')) && made.some((slug) => slug.startsWith('two-')),
    ).toBe(true);
    // Threads are written a moment after their answer.
    const missing = async () => {
      const kept = await send(two, 'GET', '/v1/analytics/docent/assistant/threads?limit=1000');
      const known = new Set(
        ((await kept.json()) as { threads: { threadId: string }[] }).threads.map(
          ({ threadId }) => threadId,
        ),
      );
      return threads.filter((thread) => !known.has(thread));
    };
    await expect.poll(missing).toEqual([]);
    expect(threads.length).toBeGreaterThan(5);
    // The export that was running completed.
    expect(await finish(two, jobId)).toMatchObject({
      status: 'completed',
      progress: 100,
      pageCount: PAGES,
    });
  }, 400_000);
});
