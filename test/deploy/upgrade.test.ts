import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { bundleOf, finish, start } from '../support/exports.ts';
import { call, fetchLocal, fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { unpackPreviousRelease } from '../support/previous-release.ts';
import {
  freePort,
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

/*
 * The previous release runs beside this one, and after it, on the same data: an upgrade can be
 * rolled out process by process, and be undone. One site of each kind of stored data: pages, API
 * pages, components with scripts.
 */

const SITES = ['descriptions', 'islands'];
const QUESTION = 'How do I install it?';

/** What a release left behind, as its users hold it. */
interface Legacy {
  sites: string[];
  keys: { admin: string; assistant: string };
  thread: { id: string; key: string };
  bundle: { url: string; sha256: string };
  /** The cookies of a person who signed in. */
  session: string;
}

const PERSON = { name: 'Ada', email: 'ada@acme.example', password: 'a long passphrase of Ada' };

/** Uses everything that stores data: publishes, asks, exports, makes keys. */
async function use(
  docent: RunningDocent,
  suffix: string,
  publicUrl = docent.apiUrl,
): Promise<Legacy> {
  const sites = SITES.map((name) => `${name}-${suffix}`);
  for (const [index, site] of sites.entries()) {
    expect(
      (await publishArchive(docent, site, tarball(fixtureSite(SITES[index] as string)))).status,
    ).toBe('success');
  }
  const makeKey = async (body: object) => {
    const response = await call(docent, docent.adminKey, 'POST', '/v1/keys', {
      name: suffix,
      ...body,
    });
    return ((await response.json()) as { key: string }).key;
  };
  const keys = {
    admin: await makeKey({ kind: 'admin' }),
    assistant: await makeKey({ kind: 'assistant', site: 'docent' }),
  };
  const answer = await ask(docent, keys.assistant, {});
  expect([answer.status, answer.text.includes('[DONE]')]).toEqual([200, true]);
  const job = await finish(docent, (await start(docent, { domain: sites[0] })).jobId);
  expect(job.status).toBe('completed');
  const bundle = await bundleOf(docent, job.jobId);
  const session = await signIn(docent, publicUrl);
  return {
    sites,
    keys,
    session,
    thread: answer.thread,
    bundle: { url: bundle.bundleUrl, sha256: bundle.sha256 },
  };
}

/**
 * Creates the first account with the link that the server printed, or signs in to it. @returns the
 * cookies
 */
async function signIn(docent: RunningDocent, publicUrl: string): Promise<string> {
  const { setupUrl } = docent as RunningDocent & { setupUrl?: string };
  const token = setupUrl && new URL(setupUrl).searchParams.get('token');
  const { name, email, password } = PERSON;
  const [path, body] = token
    ? // The previous release has the other spelling.
      [
        '/v1/setup',
        {
          token,
          name,
          email,
          password,
          organization: { name: 'Acme' },
          organisation: { name: 'Acme' },
        },
      ]
    : ['/v1/auth/sign-in/email', { email, password }];
  const response = await fetch(`${docent.apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: publicUrl },
    body: JSON.stringify(body),
  });
  expect([path, response.ok]).toEqual([path, true]);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

async function ask(
  docent: RunningDocent,
  key: string,
  thread: { threadId?: string; threadKey?: string },
) {
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] };
  const response = await call(docent, key, 'POST', '/v2/assistant/docent/message', {
    fp: 'reader',
    messages: [message],
    ...thread,
  });
  const text = await response.text();
  const thread2 = {
    id: response.headers.get('x-thread-id') ?? '',
    key: response.headers.get('x-thread-key') ?? '',
  };
  return { status: response.status, text, thread: thread2 };
}

/** Asserts that everything a release left behind works with this process. */
async function expectWhole(
  docent: RunningDocent,
  { sites, keys, session, thread, bundle }: Legacy,
): Promise<void> {
  for (const site of sites) {
    const addresses = await pagesOf(docent, site);
    expect(addresses.length).toBeGreaterThan(3);
    for (const path of addresses)
      expect([site, path, (await view(docent, site, path)).status]).toEqual([site, path, 200]);
  }
  expect((await call(docent, keys.admin, 'GET', '/v1/projects')).status).toBe(200);
  const person = await (
    await fetch(`${docent.apiUrl}/v1/session`, { headers: { cookie: session } })
  ).json();
  expect(person).toMatchObject({ user: { email: PERSON.email } });
  const answer = await ask(docent, keys.assistant, { threadId: thread.id, threadKey: thread.key });
  expect([answer.status, answer.thread.id]).toEqual([200, thread.id]);
  // The address is the same for all processes; the port is that of the process.
  const url = new URL(bundle.url);
  url.port = String(docent.port);
  const bytes = Buffer.from(await (await fetchLocal(url)).arrayBuffer());
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(bundle.sha256);
  const job = await finish(docent, (await start(docent, { domain: sites[0] })).jobId);
  expect([job.status, job.error]).toEqual(['completed', undefined]);
}

const view = (docent: RunningDocent, site: string, path: string) =>
  getAs(docent.port, `${site}.localhost:${docent.port}`, path);

async function pagesOf(docent: RunningDocent, site: string): Promise<string[]> {
  const sitemap = (await view(docent, site, '/sitemap.xml')).body.toString('utf8');
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address]) => new URL(address as string).pathname,
  );
}

/**
 * Views all pages of sites again and again, on the processes that run, until it is stopped.
 * @returns every view that failed
 */
function readers(docents: () => RunningDocent[], sites: () => string[]) {
  let isStopped = false;
  const failures: string[] = [];
  let views = 0;
  const work = (async () => {
    while (!isStopped) {
      for (const docent of docents()) {
        for (const site of sites()) {
          for (const path of await pagesOf(docent, site).catch(() => [])) {
            const { status } = await view(docent, site, path).catch((error: Error) => ({
              status: error.message,
            }));
            // A load balancer sends nothing to a process that is being stopped.
            if (isStopped || !docents().includes(docent)) break;
            views++;
            if (status !== 200) failures.push(`${site}${path} ${status}`);
            // Readers pause: without end, they would use up the machine that the test runs on.
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }
      }
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await work;
      return { views, failures };
    },
  };
}

let previous: string;
beforeAll(() => {
  previous = unpackPreviousRelease();
}, 300_000);
afterAll(removeTemporaryFolders);

describe('on a data folder', () => {
  test('this release serves what the previous one left, and the previous one, started again, what this one left', async () => {
    const dataFolder = await temporaryFolder();
    const port = await freePort();
    const run = async (
      program: string | undefined,
      work: (docent: RunningDocent) => Promise<void>,
    ) => {
      const docent = await startDocent({
        dataFolder,
        port,
        isBasic: true,
        ...(program && { program }),
      });
      try {
        await work(docent);
      } finally {
        await docent.stop();
      }
    };
    const left: Legacy[] = [];
    await run(previous, async (docent) => void left.push(await use(docent, 'old')));
    await run(undefined, async (docent) => {
      await expectWhole(docent, left[0] as Legacy);
      left.push(await use(docent, 'new'));
    });
    await run(previous, async (docent) => {
      for (const legacy of left) await expectWhole(docent, legacy);
    });
  }, 300_000);
});

describe.skipIf(postgresBin === undefined)('on a PostgreSQL server and a shared store', () => {
  let server: TestPostgres;
  const running = new Set<RunningDocent>();
  let env: Record<string, string>;
  let port: number;

  beforeEach(async () => {
    server = await startPostgres();
    port = await freePort();
    env = {
      DOCENT_PUBLIC_URL: `http://localhost:${port}`,
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: await server.createDatabase(),
      DOCENT_LIMITER: 'postgres',
      DOCENT_SECRET: 'the-same-for-all-of-these-processes',
      DOCENT_BLOBS_FOLDER: join(await temporaryFolder(), 'blobs'),
    };
  });
  afterEach(async () => {
    for (const docent of running) await docent.stop();
    running.clear();
    await server?.stop();
  });

  /** One process at a time listens on the port of the public URL; each is called at its own. */
  const begin = async (program?: string) => {
    const isPortFree = ![...running].some((docent) => docent.port === port);
    const docent = await startDocent({
      env,
      ...(isPortFree && { port }),
      ...(program && { program }),
    });
    docent.apiUrl = `http://localhost:${docent.port}`;
    running.add(docent);
    return docent;
  };
  const end = async (docent: RunningDocent) => {
    running.delete(docent);
    await docent.stop();
  };

  test('both releases run beside each other, and the previous one alone again, while readers notice nothing', async () => {
    const sites: string[] = [];
    const old = await begin(previous);
    const fromOld = await use(old, 'old', env.DOCENT_PUBLIC_URL);
    sites.push(...fromOld.sites);
    const loaded = readers(
      () => [...running],
      () => sites,
    );
    onTestFinished(() => void loaded.stop());

    const present = await begin();
    await expectWhole(present, fromOld);
    await end(old);
    const fromNew = await use(present, 'new', env.DOCENT_PUBLIC_URL);
    sites.push(...fromNew.sites);

    const back = await begin(previous);
    for (const legacy of [fromOld, fromNew]) await expectWhole(back, legacy);
    await end(present);
    for (const legacy of [fromOld, fromNew]) await expectWhole(back, legacy);
    const { views, failures } = await loaded.stop();
    expect(failures).toEqual([]);
    expect(views).toBeGreaterThan(100);
  }, 300_000);
});
