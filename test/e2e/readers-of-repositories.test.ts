import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, openPage, sharedBrowser } from '../support/browser.ts';
import { call, fetchLocal, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { postgresBin } from '../support/postgres.ts';
import {
  GROUPS,
  type Group,
  isThere,
  pictureOf,
  type RestrictedRepository,
  restrictRepository,
  wordOf,
} from '../support/restricted-repository.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  root,
  startDocent,
} from '../support/start-docent.ts';
import { startTwoProcesses, type TwoProcesses } from '../support/two-processes.ts';

/*
 * Real documentation repositories by other authors, with pages for two groups, as readers of each
 * group and nobody see them in a browser. They are next to some checkouts only; a small site of
 * ours stands for them elsewhere.
 */
vi.setConfig({ testTimeout: 900_000 });

const corpora = join(root, '..', 'shared', 'corpora');
const names = ['ollama__ollama', 'chatwoot__docs', 'lmnr-ai__docs'];
const repositories = names.map((name) => join(corpora, name)).filter(isThere);
if (repositories.length === 0)
  process.stdout.write(
    'skipped: the real documentation repositories are not next to this checkout (../shared/corpora)\n',
  );

const KEY = generateKeyPairSync('ed25519');
const LISTINGS = [
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/robots.txt',
  '/skill.md',
  '/nowhere',
];
/** Of a reader, opened as pages; all others are requested by a script of the page. */
const OPENED_PAGES = 12;

interface Answer {
  path: string;
  status: number;
  text: string;
}

/** Requests addresses of a site. */
type Request = (paths: readonly string[]) => Promise<Answer[]>;

/** From a page of the site, with the session of its reader. */
const requestFrom =
  (page: Page): Request =>
  (paths) =>
    page.evaluate(async (addresses) => {
      const answers: Answer[] = [];
      const rest = [...addresses];
      const work = async () => {
        for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
          const response = await fetch(path);
          const bytes = new Uint8Array(await response.arrayBuffer());
          answers.push({
            path,
            status: response.status,
            text: new TextDecoder('latin1').decode(bytes),
          });
        }
      };
      await Promise.all([work(), work(), work(), work()]);
      return answers;
    }, paths);

/** As nobody in particular: the page of the sign-in requests nothing. */
const requestAsNobody =
  (site: string): Request =>
  (paths) =>
    Promise.all(
      paths.map(async (path) => {
        const headers = { accept: 'text/html' };
        const answer = await fetchLocal(site + path, { headers, redirect: 'manual' });
        const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
        return { path, status: answer.status, text };
      }),
    );

const linksIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/<a\b[^>]*?\shref="(\/[^"#?]*)/g)].flatMap(([, path = '']) =>
    /^\/(?:\/|_docent|login|logout)|\.\w{1,5}$/.test(path) ? [] : path,
  );

/** Requests every page that links of the site lead to, from its first page on. */
async function crawl(request: Request): Promise<Answer[]> {
  const answers = new Map<string, Answer>();
  for (let paths = ['/']; paths.length > 0; ) {
    const next = await request(paths);
    for (const answer of next) answers.set(answer.path, answer);
    paths = [...new Set(next.flatMap(linksIn))].filter((path) => !answers.has(path));
  }
  return [...answers.values()];
}

describe.skipIf(chromiumPath === '')('readers of two groups, and nobody', () => {
  let browser: Browser;
  let processes: TwoProcesses | undefined;
  let embedded: RunningDocent;

  beforeAll(async () => {
    [browser, embedded] = await Promise.all([sharedBrowser(), startDocent({ isBasic: true })]);
    if (postgresBin !== undefined) processes = await startTwoProcesses();
  }, 600_000);
  afterEach(() => closeContexts(browser));
  afterAll(async () => {
    await embedded?.stop();
    await processes?.stop();
    await removeTemporaryFolders();
  });

  async function publish(docent: RunningDocent, { folder }: RestrictedRepository): Promise<string> {
    const slug = `r${randomUUID().slice(0, 8)}`;
    await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug });
    const publicKey = KEY.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const access = { visibility: 'private', jwt: { loginUrl: null, publicKey } };
    const changed = await call(
      docent,
      docent.adminKey,
      'PATCH',
      `/v1/projects/${slug}/access`,
      access,
    );
    expect(changed.status, await changed.text()).toBe(200);
    const { status, logs } = await publishArchive(docent, slug, tarball(folder));
    expect(status, logs.join('\n')).toBe('success');
    return slug;
  }

  /** Opens the site; what the browser receives of it afterwards must not contain the words. */
  async function enter(site: string, groups: readonly Group[] | undefined) {
    const hidden = GROUPS.filter((group) => !groups?.includes(group)).map(wordOf);
    const leaks: string[] = [];
    const pending = new Set<Promise<void>>();
    const token = await new SignJWT({ groups })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setJti(randomUUID())
      .setExpirationTime('50s')
      .sign(KEY.privateKey);
    const address = groups ? `${site}/login/jwt-callback#${token}` : `${site}/`;
    const { page } = await openPage(browser, address, {}, (opened) =>
      // The body of an answer that a page did not wait for never arrives.
      opened.on('requestfinished', (finished) => {
        const look = finished
          .response()
          .then((response) => response?.body())
          .then(
            (bytes) => {
              const text = bytes?.toString('latin1').toLowerCase() ?? '';
              if (hidden.some((word) => text.includes(word))) leaks.push(finished.url());
            },
            () => {},
          );
        pending.add(look);
        void look.then(() => pending.delete(look));
      }),
    );
    await page.waitForURL((url) => (groups ? !url.pathname.startsWith('/login') : true));
    const leaksSoFar = async () => {
      await Promise.all(pending);
      return leaks;
    };
    return { page, hidden, leaks: leaksSoFar };
  }

  /** Searches on the page for a word of a group, which only its readers find. */
  async function search(page: Page, query: string, isReader: boolean): Promise<void> {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill(query);
    const options = page.getByRole('option').filter({ hasText: query });
    // The row of the assistant repeats the query.
    const assistant = options.filter({ hasText: `“${query}”` });
    const matches = options.filter({ hasNotText: `“${query}”` });
    await (isReader ? matches : assistant).first().waitFor();
    expect((await matches.count()) > 0).toBe(isReader);
  }

  async function readAs(
    sites: readonly string[],
    { pages }: RestrictedRepository,
    groups: readonly Group[] | undefined,
  ) {
    const [site = '', other = site] = sites;
    const { page, hidden, leaks } = await enter(site, groups);
    const request = groups ? requestFrom(page) : requestAsNobody(site);
    const answers = await crawl(request);
    const secrets = GROUPS.filter((group) => !groups?.includes(group));
    const refused = await request(
      secrets.flatMap((group) => [
        `/${pictureOf(group)}`,
        ...pages[group].flatMap((path) => [path, `${path}.md`]),
      ]),
    );
    // Nobody is sent to the sign-in; readers of another group see that there is nothing.
    const statuses = new Set(refused.map(({ status }) => status));
    expect([...statuses], refused.find(({ status }) => status < 300)?.path).toEqual([
      groups ? 404 : 303,
    ]);
    const listings = await request(LISTINGS);
    const texts = [...answers, ...refused, ...listings];
    const leak = ({ text }: Answer) => hidden.some((word) => text.toLowerCase().includes(word));
    expect(texts.filter(leak).map(({ path }) => path)).toEqual([]);
    if (groups) {
      const menu = answers.filter(({ status }) => status === 200).map(({ path }) => path);
      for (const path of menu.slice(0, OPENED_PAGES)) await page.goto(other + path);
      for (const group of GROUPS) {
        const isReader = groups.includes(group);
        const titles = new RegExp(`A page (${wordOf(group)}\\d+)`);
        // In the version of a page that links lead to; others are not searched.
        const match = answers.find(({ text }) => titles.test(text));
        expect([group, match !== undefined]).toEqual([group, isReader]);
        await page.goto(other + (match?.path ?? '/'));
        const word = titles.exec(match?.text ?? '')?.[1] ?? `${wordOf(group)}0`;
        await search(page, word, isReader);
      }
    }
    expect(await leaks()).toEqual([]);
    return { pages: answers.length, refused: refused.length };
  }

  async function readAll(docents: readonly RunningDocent[], source: string) {
    const repository = await restrictRepository(source);
    for (const group of GROUPS) expect(repository.pages[group].length).toBeGreaterThan(0);
    const slug = await publish(docents[0] as RunningDocent, repository);
    const sites = docents.map(({ port }) => `http://${slug}.localhost:${port}`);
    for (const groups of [undefined, ['staff'], ['partners'], []] as const) {
      const figures = await readAs(sites, repository, groups);
      const reader = groups?.join() || (groups ? 'no group' : 'nobody');
      process.stdout.write(
        `${source.split('/').at(-1)}, ${docents.length} processes, ${reader}: ${figures.pages} pages read, ${figures.refused} addresses refused\n`,
      );
    }
  }

  const sources = [fixtureSite('basic'), ...repositories].map((source) => [
    source.split('/').at(-1) ?? '',
    source,
  ]);

  test.each(sources)(
    'get no byte of what they may not read: %s, in one process',
    (_, source = '') => readAll([embedded], source),
  );

  test.skipIf(postgresBin === undefined).each(sources)(
    'get no byte of what they may not read: %s, in two processes on PostgreSQL',
    (_, source = '') => {
      const { one, two } = processes as TwoProcesses;
      return readAll([one, two], source);
    },
  );
});
