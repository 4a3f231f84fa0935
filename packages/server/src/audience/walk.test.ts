import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listings } from '@docent/compiler/site/site-listings.ts';
import type { Actor } from '@docent/format/access/may.ts';
import { mcpToolNames } from '@docent/format/site-files/mcp-tool-names.ts';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeModel } from '../../../../test/support/fakes.ts';
import { tarball } from '../../../../test/support/http.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { updateSiteSettings } from '../kernel/sites/site-queries.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { findAccess } from '../readers/access/access-rows.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { siteRoutes } from '../serving/routes.ts';
import { buildApp } from '../start/http-app.ts';

/** What the answers of the assistant were written from. */
const model = fakeModel([
  { type: 'finish', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } },
]);
const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: false };
const slug = 'walked';
const host = `${slug}.localhost:3000`;

/**
 * Each word is in the pages of one audience only: in titles, texts, descriptions, the menu, files
 * and operations.
 */
const WORDS: Record<string, { isPublic?: true; groups?: string[] }> = {
  Openly: { isPublic: true },
  Commonly: {},
  Zirconium: { groups: ['staff'] },
  Quokka: { groups: ['partner'] },
  Bergamot: { groups: ['staff', 'partner'] },
};

const page = (word: string, path: string, head = '') =>
  `---\ntitle: "${word} page"\ndescription: "About ${word}"\nrss: true\n${head}\n---\n\n## How ${word} works\n\nThe ${word} text.\n\n![${word}](/files/${path}.png)\n\n[Download](/files/${path}.json)\n\n<Update label="${word} news">It is ${word}.</Update>\n`;
const operation = (word: string, groups?: string[]) => ({
  get: {
    summary: `Get the ${word} thing`,
    operationId: `get${word}`,
    responses: {},
    ...(groups && { 'x-mint': { groups } }),
  },
});
const PAGES = ['index', 'open', 'staff/secret', 'staff/partner', 'either'];
const SOURCE: Record<string, string> = {
  'docs.json': JSON.stringify({
    name: 'Walked',
    theme: 'mint',
    colors: { primary: '#000000' },
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          pages: ['index', { group: 'Zirconium group', pages: ['staff/secret'] }, 'either'],
        },
        { tab: 'Quokka tab', pages: ['staff/partner'] },
        { tab: 'Open', public: true, pages: ['open'] },
        { tab: 'API', openapi: 'api.json' },
      ],
    },
    redirects: [{ source: '/old', destination: '/staff/secret' }],
  }),
  'index.mdx': page('Commonly', 'index'),
  'open.mdx': page('Openly', 'open'),
  'staff/secret.mdx': page('Zirconium', 'staff/secret', 'groups: [staff]'),
  'staff/partner.mdx': page('Quokka', 'staff/partner', 'groups: [partner]'),
  'either.mdx': page('Bergamot', 'either', 'groups: [staff, partner]'),
  ...Object.fromEntries(
    Object.keys(WORDS).flatMap((word, at) => {
      const path = ['open', 'index', 'staff/secret', 'staff/partner', 'either'][at];
      return [
        [`files/${path}.json`, JSON.stringify({ word })],
        [`files/${path}.png`, `${word} picture`],
      ];
    }),
  ),
  'api.json': JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    paths: {
      '/a': operation('Commonly'),
      '/b': operation('Zirconium', ['staff']),
      '/c': operation('Quokka', ['partner']),
    },
  }),
};

/**
 * Routes below the address of a site, and those of keys that may be public. A new one fails the
 * test until it is walked, or excused here.
 */
const WALKED = [
  'GET /sites/:slug',
  'GET /sites/:slug*',
  'POST /sites/:slug/mcp',
  'POST /sites/:slug/_docent/assistant/message',
  'GET /sites/:slug/_docent/assistant/settings',
  'GET /sites/:slug/_docent/search-rules.js',
  'POST /v1/search/:domain',
  'POST /v1/page/:domain',
  'GET /v1/assistant/:domain/settings',
  'POST /v1/assistant/:domain/message',
  'POST /v2/assistant/:domain/message',
];
const EXCUSED: Record<string, string> = {
  'POST /sites/:slug/_docent/unlock': 'the password of a preview',
  'GET /sites/:slug/_docent/open': 'a link into a preview',
  'POST /sites/:slug/login': 'the sign-in',
  'POST /sites/:slug/oauth/authorize': 'the sign-in of an agent',
  'POST /sites/:slug/oauth/token': 'the sign-in of an agent',
  'POST /sites/:slug/oauth/register': 'the sign-in of an agent',
  'POST /sites/:slug/login/jwt-callback': 'the sign-in',
  'POST /sites/:slug/login/mail': 'the sign-in',
  'POST /sites/:slug/login/mail-link': 'the sign-in',
  'POST /sites/:slug/login/saml-callback': 'the sign-in',
  'POST /sites/:slug/logout': 'its end',
  'POST /sites/:slug/_docent/events': 'answers nothing',
  'POST /sites/:slug/_docent/feedback': 'answers nothing',
  'POST /sites/:slug/_docent/assistant/feedback': 'answers nothing',
  'POST /sites/:slug/_docent/assistant/waiting': 'answers nothing',
  'GET /sites/:slug/_docent/assistant/forget-address/:addressKey': 'a form with a button',
  'POST /sites/:slug/_docent/assistant/forget-address/:addressKey': 'deletes an address',
  'GET /sites/:slug/_docent/playground': 'says that it is there',
  'POST /sites/:slug/_docent/playground': 'calls the API of a page that the reader sees',
  'POST /v1/assistant/:domain/feedback': 'answers nothing',
  'POST /v1/events/:domain': 'answers nothing',
  'GET /v2/assistant/:domain/message/:chatId/stream': 'answers nothing',
};

function packed(): Buffer<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-walk-'));
  for (const [path, text] of Object.entries(SOURCE)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const archive = tarball(folder);
  rmSync(folder, { recursive: true });
  return archive;
}

let test: TestApp;
let app: FastifyInstance;
let deps: TestApp['deps'];
let operator: Actor;
let key: Record<string, string>;
let siteId: string;
const cookies = new Map<string, string>();
/** Of the same readers, for calls of the API. */
const tokens = new Map<string, string>();
const signer = generateKeyPairSync('ed25519');
/** Who asks: nobody, readers by their groups, and one whose session has expired. */
const READERS = [
  'nobody',
  'expired',
  'without groups',
  'staff',
  'partner',
  'staff partner',
  'Staff',
];

function mayKnow(who: string, word: string, isPrivate: boolean): boolean {
  const { isPublic, groups } = WORDS[word] ?? {};
  const isReader = who !== 'nobody' && who !== 'expired';
  if (groups) return isReader && groups.some((group) => who.split(' ').includes(group));
  return isReader || isPublic === true || !isPrivate;
}

beforeAll(async () => {
  test = await openTestApp({
    model,
    env: { DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: '1000', DOCENT_LIMIT_SEARCH_PER_IP_HOUR: '100000' },
  });
  deps = { ...test.deps, liveSites: Object.assign(openLiveSites(test.deps), { add: () => {} }) };
  app = await buildApp(deps, { plugins: [siteRoutes(deps)] });
  operator = await addOrganization(test);
  ({ headers: key } = await addKey(test, operator, { kind: 'admin', expiresInDays: null }));
  ({ siteId } = await addSite(test, operator, slug));
  await setAccess('public');
  const url = `/v1/project/${slug}/source`;
  const sent = await app.inject({
    method: 'PUT',
    url,
    headers: { ...key, 'content-type': 'application/gzip' },
    payload: Buffer.from(packed()),
  });
  await publishSite(deps, sent.json().statusId, context);
  const pageRules = Object.keys(WORDS).map((question, at) => ({
    question,
    pin: [['open', 'index', 'staff/secret', 'staff/partner', 'either'][at] as string],
    block: [],
  }));
  await updateSiteSettings(deps.database.queries, siteId, 'assistant_settings', { pageRules });
  ({ headers: key } = await addKey(test, operator, { kind: 'assistant', site: slug }));
});
afterAll(async () => {
  await app.close();
  await test.close();
});

async function setAccess(visibility: 'public' | 'private'): Promise<void> {
  const { headers } = await addKey(test, operator, { kind: 'admin', expiresInDays: null });
  const publicKey = signer.publicKey.export({ type: 'spki', format: 'pem' });
  const jwt = { loginUrl: 'https://acme.example/sign-in', publicKey };
  const payload = {
    visibility,
    sessionDays: 7,
    password: { password: 'correct horse battery' },
    jwt,
  };
  const answer = await app.inject({
    method: 'PATCH',
    url: `/v1/projects/${slug}/access`,
    headers,
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { methods } = await findAccess(deps.database.queries, siteId);
  const generation = methods.password?.generation ?? '';
  for (const who of READERS.filter((name) => name !== 'nobody')) {
    const groups =
      who === 'without groups' ? [] : who === 'expired' ? ['staff', 'partner'] : who.split(' ');
    const reader = { id: 'password', groups, content: {}, apiPlaygroundInputs: {} };
    const expiresAt = who === 'expired' ? deps.clock.now() : undefined;
    const { token } = await deps.readerStore.startSession(
      { siteId, sessionDays: 7 },
      { method: 'password', generation, reader, expiresAt },
    );
    const seconds = Math.floor(deps.clock.now().getTime() / 1000);
    const signed = new SignJWT({ groups }).setProtectedHeader({ alg: 'EdDSA' });
    tokens.set(
      who,
      await signed
        .setExpirationTime(seconds + (who === 'expired' ? -600 : 900))
        .sign(signer.privateKey),
    );
    cookies.set(who, `docent-reader-${siteId.toLowerCase()}=${token}`);
  }
  test.deps.clock.advance(5);
}

const ask = (who: string, options: InjectOptions & { url: string }) => {
  const cookie = cookies.get(who);
  return app.inject({
    ...options,
    headers: {
      host,
      accept: 'text/html, */*',
      ...(cookie && { cookie }),
      ...(options.headers as Record<string, string>),
    },
  });
};

const bodyOf = ({ rawPayload }: { rawPayload: Buffer }) =>
  (rawPayload[0] === 0x1f && rawPayload[1] === 0x8b ? gunzipSync(rawPayload) : rawPayload).toString(
    'latin1',
  );

/**
 * Every address that something is at for one reader: those of the build, and those that its answers
 * name.
 */
async function addressesFor(who: string): Promise<string[]> {
  const { build } = (await deps.liveSites.find(slug))?.as('owner') ?? {};
  const hrefs = (build?.pages ?? []).map(({ href }) => href);
  const named = [
    'robots.txt',
    'skill.md',
    'mcp',
    'old',
    '.well-known/llms.txt',
    '.well-known/api-catalog',
    'nothing-like-secret',
  ];
  const addresses = new Set([
    ...hrefs.flatMap((href) => [href, `${href}.md`, `${href}.html`, `${href}/rss.xml`, `${href}/`]),
    ...hrefs.flatMap((href) =>
      ['png', 'webp'].map((type) => `/_docent/og${href === '/' ? '/index' : href}.${type}`),
    ),
    ...Object.keys(build?.files ?? {}).map((path) => `/${path}`),
    ...[...listings.keys(), ...named].map((name) => `/${name}`),
    ...['skills', 'agent-skills', 'mcp'].flatMap((folder) => [
      `/.well-known/${folder}/index.json`,
      `/.well-known/${folder}/server-card.json`,
    ]),
    ...PAGES.flatMap((path) => [`/_llms/${path}.md`, `/_llms/${path.split('/')[0]}.md`]),
  ]);
  for (const address of [...addresses]) {
    const body = bodyOf(await ask(who, { url: address }));
    for (const [, path] of body.matchAll(/["'(](\/?_docent\/[\w./?=-]+)["')]/g))
      addresses.add(`/${(path ?? '').replace(/^\//, '')}`);
  }
  return [...addresses];
}

/** Every word of what one reader gets, by where it was. */
async function wordsIn(who: string, requests: Request[]): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>(Object.keys(WORDS).map((word) => [word, []]));
  for (const { name, send } of requests) {
    const body = await send();
    for (const word of Object.keys(WORDS))
      if (body.toLowerCase().includes(word.toLowerCase())) places.get(word)?.push(name);
  }
  expect(requests.length, who).toBeGreaterThan(5);
  return places;
}

const QUESTION = 'How does each page work, and what is its text about?';
const words = Object.keys(WORDS);
const json = { 'content-type': 'application/json' };

type Request = { name: string; send: () => Promise<string> };

/** What the site's own address answers to programs and to the panel of the assistant. */
function callsOf(who: string): Request[] {
  const tools = mcpToolNames('walked');
  const mcp = (name: string, method: string, params?: object): Request => ({
    name: `mcp ${name}`,
    send: async () => {
      const headers = {
        ...json,
        accept: 'application/json, text/event-stream',
        origin: `http://${host}`,
      };
      return bodyOf(
        await ask(who, {
          method: 'POST',
          url: '/mcp',
          headers,
          payload: { jsonrpc: '2.0', id: 1, method, params },
        }),
      );
    },
  });
  return [
    mcp('search', 'tools/call', {
      name: tools.search,
      arguments: { query: 'page works', pageSize: 20 },
    }),
    ...PAGES.map((path) =>
      mcp(`page ${path}`, 'tools/call', { name: tools.read_page, arguments: { path } }),
    ),
    mcp('list', 'tools/call', { name: tools.list, arguments: {} }),
    mcp('grep', 'tools/call', { name: tools.grep, arguments: { text: 'text' } }),
    mcp('tools', 'tools/list'),
    fromModel(who, 'assistant of the site', {
      url: '/_docent/assistant/message',
      headers: { origin: `http://${host}` },
    }),
    {
      name: 'search rules',
      send: async () => bodyOf(await ask(who, { url: '/_docent/search-rules.js' })),
    },
    {
      name: 'settings',
      send: async () =>
        bodyOf(
          await ask(who, {
            url: '/_docent/assistant/settings',
            headers: { origin: `http://${host}` },
          }),
        ),
    },
  ];
}

/** What the platform answers to the site's key, which may be public, with the token of a reader. */
function callsOfKey(who: string): Request[] {
  const token = tokens.get(who);
  const headers = {
    ...json,
    ...key,
    host: 'localhost:3000',
    ...(token && { 'x-reader-token': token }),
  };
  const post = (url: string, payload: object): Request => ({
    name: `${url} ${JSON.stringify(payload)}`,
    send: async () => bodyOf(await ask(who, { method: 'POST', url, headers, payload })),
  });
  return [
    ...['page works', 'thing'].map((query) =>
      post(`/v1/search/${slug}`, { query, pageSize: 50, filter: { groups: ['staff', 'partner'] } }),
    ),
    ...PAGES.map((path) => post(`/v1/page/${slug}`, { path })),
    fromModel(who, 'assistant v1', { url: `/v1/assistant/${slug}/message`, headers }),
    fromModel(who, 'assistant v2', { url: `/v2/assistant/${slug}/message`, headers }),
    {
      name: 'settings of the key',
      send: async () => bodyOf(await ask(who, { url: `/v1/assistant/${slug}/settings`, headers })),
    },
  ];
}

/** An answer, and what the model wrote it from. */
function fromModel(
  who: string,
  name: string,
  options: { url: string; headers: Record<string, string> },
): Request {
  const payload = {
    fp: 'anonymous',
    messages: [
      { id: '1', role: 'user', content: QUESTION, parts: [{ type: 'text', text: QUESTION }] },
    ],
  };
  const send = async () => {
    model.requests.length = 0;
    const answer = await ask(who, {
      method: 'POST',
      ...options,
      headers: { ...json, ...options.headers },
      payload,
    });
    return bodyOf(answer) + JSON.stringify(model.requests);
  };
  return { name, send };
}

describe.each(['public', 'private'] as const)('on a %s site', (visibility) => {
  beforeAll(() => setAccess(visibility));

  it('no output has a word of a page for somebody who may not read it, and pages and search have all others', async () => {
    const addresses = new Set((await Promise.all(READERS.map(addressesFor))).flat());
    expect(
      [...addresses].filter((address) => address.includes('search-index')).length,
    ).toBeGreaterThan(3);
    for (const who of READERS) {
      const places = await wordsIn(who, [
        ...[...addresses].map((url) => ({
          name: url,
          send: async () => bodyOf(await ask(who, { url })),
        })),
        ...callsOf(who),
      ]);
      const placesOfKey = await wordsIn(who, callsOfKey(who));
      // On a private site, the panel and the tools are for those who signed in.
      const isAsked = visibility === 'public' || mayKnow(who, 'Commonly', true);
      const kinds = ['.md', '.png', 'search-index', '/rss.xml', 'files/', 'llms-full.txt'];
      if (isAsked)
        kinds.push('mcp search', 'mcp page', 'mcp grep', 'assistant of the site', 'search rules');
      for (const word of words) {
        const seen = places.get(word) ?? [];
        const seenOfKey = placesOfKey.get(word) ?? [];
        if (!mayKnow(who, word, visibility === 'private'))
          expect({ who, word, seen }).toEqual({ who, word, seen: [] });
        else
          for (const kind of kinds)
            expect(seen.join('\n'), `${who} ${word} ${kind}`).toContain(kind);
        // A token that has expired is refused, whatever it is for.
        if (who === 'expired' || !isAsked || !mayKnow(who, word, visibility === 'private'))
          expect({ who, word, seenOfKey }).toEqual({ who, word, seenOfKey: [] });
        else
          for (const kind of ['/v1/search', '/v1/page', 'assistant v1', 'assistant v2'])
            expect(seenOfKey.join('\n'), `${who} ${word}`).toContain(kind);
      }
    }
  });

  it.each([
    ['staff partner', ['staff'], ['Zirconium', 'Bergamot']],
    ['staff partner', [], []],
    ['staff partner', ['Staff', ' partner '], ['Quokka', 'Bergamot']],
    ['staff', ['partner'], ['Bergamot']],
    ['without groups', ['staff'], []],
  ])(
    'the groups of a filter narrow a reader and never widen: %s to %j',
    async (who, groups, seen) => {
      const headers = {
        ...json,
        ...key,
        host: 'localhost:3000',
        'x-reader-token': tokens.get(who),
      };
      const post = (url: string, payload: object) =>
        ask(who, { method: 'POST', url, headers, payload } as Parameters<typeof ask>[1]);
      const filter = { groups };
      const outputs = await Promise.all([
        post(`/v1/search/${slug}`, { query: 'page works', pageSize: 50, filter }).then(bodyOf),
        ...PAGES.map(async (path) => bodyOf(await post(`/v1/page/${slug}`, { path, groups }))),
      ]);
      const questionBody = {
        fp: 'anonymous',
        filter,
        messages: [
          { id: '1', role: 'user', content: QUESTION, parts: [{ type: 'text', text: QUESTION }] },
        ],
      };
      const answers: string[] = [];
      for (const version of ['v1', 'v2']) {
        model.requests.length = 0;
        answers.push(
          bodyOf(await post(`/${version}/assistant/${slug}/message`, questionBody)) +
            JSON.stringify(model.requests),
        );
      }
      for (const word of ['Zirconium', 'Quokka', 'Bergamot'])
        for (const output of [outputs.join('\n'), ...answers])
          expect([word, output.includes(`${word} text`)]).toEqual([word, seen.includes(word)]);
    },
  );

  it('nobody is sent to the sign-in for a page of some readers, a program gets 401, and a reader of others 404', async () => {
    const page = await ask('nobody', { url: '/staff/secret' });
    expect([page.statusCode, page.headers.location]).toEqual([
      303,
      '/login?redirect=%2Fstaff%2Fsecret',
    ]);
    expect((await ask('expired', { url: '/staff/secret' })).statusCode).toBe(303);
    for (const url of [
      '/staff/secret.md',
      '/files/staff/secret.png',
      '/_docent/og/staff/secret.png',
    ])
      expect([url, (await ask('nobody', { url, headers: { accept: '*/*' } })).statusCode]).toEqual([
        url,
        401,
      ]);
    for (const url of ['/staff/secret', '/staff/secret.md', '/files/staff/secret.png'])
      expect([url, (await ask('partner', { url })).statusCode]).toEqual([url, 404]);
  });

  it('no shared cache keeps what a reader gets', async () => {
    for (const url of [
      '/',
      '/staff/secret',
      '/staff/secret.md',
      '/files/staff/secret.json',
      '/sitemap.xml',
    ]) {
      const { headers } = await ask('staff', { url });
      expect([url, headers['cache-control']]).toEqual([
        url,
        expect.stringMatching(/private|no-store/),
      ]);
      expect(headers.vary).toContain('cookie');
    }
  });
});

it('walks every route that a site has: a new one must be added to the walk', () => {
  const routes = routesOf(app.printRoutes({ commonPrefix: false })).filter(
    (route) => route.includes('/sites/:slug') || /:domain/.test(route),
  );
  expect(routes.length).toBeGreaterThan(8);
  // Other addresses of the same operations.
  const plain = (route: string) => route.replace(/ (?:\/api)?\/discovery/, ' ');
  const unknown = routes.filter(
    (route) => !WALKED.includes(plain(route)) && !(plain(route) in EXCUSED),
  );
  expect(unknown).toEqual([]);
});

/** Returns `METHOD path` of each route from the tree that Fastify prints. */
function routesOf(tree: string): string[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', text = ''] = /^([\s│├└─]*)(\S.*)$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const [, path = '', methods = ''] = /^(\S*)(?: \(([A-Z, ]+)\))?/.exec(text) ?? [];
    parts.length = depth;
    parts[depth] = path;
    const whole = parts.join('').replace(/(?!^)\/$/, '');
    return methods
      .split(', ')
      .filter((method) => method && method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => `${method} ${whole}`);
  });
}
