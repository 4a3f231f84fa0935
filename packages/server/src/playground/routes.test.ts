import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import {
  ANSWER_TYPE,
  type ApiCall,
  CALL_TYPE,
} from '@docent/format/api-reference/playground/api-call.ts';
import type { RequestInputs } from '@docent/format/api-reference/request-inputs.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { inlineJson } from '@docent/format/html.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeLiveSite, fakeOutsideCalls, fakePage } from '../../../../test/support/fakes.ts';
import { openTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import type { OutsideCall } from '../ports/outside-calls.ts';

interface Stalled {
  socket: Socket;
  /** What was answered so far. */
  head: string;
}

const ownPage = { 'sec-fetch-site': 'same-origin' };
const inputs: RequestInputs = {
  method: 'POST',
  route: '/pets',
  servers: [{ url: 'https://api.example.com' }],
  security: [],
  parameters: [],
  bodies: [],
  isProxied: true,
};
const withProxy = (build: SiteBuild): SiteBuild => ({
  ...build,
  config: { ...build.config, api: { isProxied: true } } as SiteConfig,
});
const made: OutsideCall[] = [];
let test: TestApp;

beforeAll(async () => {
  test = await openTestApp({
    outsideCalls: fakeOutsideCalls(made),
    env: { DOCENT_RESERVED_HOSTNAMES: 'docs.acme.test', DOCENT_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const pages = [fakePage('api/pets'), fakePage('api/direct')];
  const site = fakeLiveSite(
    { siteId: 's', organizationId: 'o', slug: 'docs', deploymentId: 'd' },
    pages,
  );
  test.deps.liveSites.add({
    ...site,
    build: withProxy(site.build),
    settings: { ...site.settings, publicUrl: 'https://www.acme.test/docs' },
    pageContent: async (path) => {
      const { isProxied: _, ...direct } = inputs;
      const shown = path === 'api/pets' ? inputs : direct;
      const html = `<script type="application/json" data-playground>${inlineJson(shown)}</script>`;
      return { html, aside: '', toc: [], markdown: '', elements: [] };
    },
  });
});
afterAll(() => test.close());
beforeEach(() => {
  made.length = 0;
});

const pets: ApiCall = {
  page: '/api/pets',
  method: 'POST',
  url: 'https://api.example.com/pets?a=1',
  headers: [],
  server: { index: 0, variables: {} },
};

function send(call: object, body = '', headers: Record<string, string> = ownPage) {
  return test.app.inject({
    method: 'POST',
    url: '/sites/docs/_docent/playground',
    headers: {
      host: 'docs.acme.test',
      cookie: 'session=of-the-site',
      'content-type': CALL_TYPE,
      ...headers,
    },
    payload: Buffer.from(`${JSON.stringify(call)}\n${body}`),
  });
}

describe('a playground call through the site', () => {
  it('reaches the API with the headers and body of the form, and nothing of the site or the connection', async () => {
    const headers = [
      ['Authorization', 'Bearer t'],
      ['Host', 'evil.test'],
      ['Transfer-Encoding', 'chunked'],
      ['X-Forwarded-For', '1.2.3.4'],
      ['Proxy-Authorization', 'x'],
    ];
    const response = await send({ ...pets, headers }, '{"name":"Ada"}\nmore');
    expect(response.statusCode).toBe(200);
    expect(made[0]).toMatchObject({
      url: pets.url,
      method: 'POST',
      headers: [['Authorization', 'Bearer t']],
    });
    expect(Buffer.from(made[0]?.body ?? []).toString()).toBe('{"name":"Ada"}\nmore');
  });

  it('returns status, headers and body in a type that no browser renders, without cookies', async () => {
    const response = await send(pets);
    expect(response.headers['content-type']).toBe(ANSWER_TYPE);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.headers['set-cookie']).toBeUndefined();
    const [head = '', body] = response.body.split('\n');
    expect(JSON.parse(head)).toEqual({
      status: 200,
      statusText: 'OK',
      headers: [['content-type', 'text/plain']],
    });
    expect(body).toBe('called https://api.example.com/pets?a=1');
  });

  it.each([
    [
      'to a server that the page does not describe',
      { ...pets, url: 'https://evil.test/pets' },
      ownPage,
      403,
      'call_refused',
    ],
    ['with another method', { ...pets, method: 'DELETE' }, ownPage, 403, 'call_refused'],
    [
      'for a page that does not use the proxy',
      { ...pets, page: '/api/direct' },
      ownPage,
      403,
      'call_refused',
    ],
    ['for a page that does not exist', { ...pets, page: '/nowhere' }, ownPage, 403, 'call_refused'],
    [
      'from another origin',
      pets,
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
      403,
      'origin_not_allowed',
    ],
    ['that is malformed', { page: 1 }, ownPage, 400, 'invalid_request'],
    [
      'with a line break in a header',
      { ...pets, headers: [['X\r\nY', 'x']] },
      ownPage,
      400,
      'invalid_request',
    ],
    ['with the method CONNECT', { ...pets, method: 'CONNECT' }, ownPage, 400, 'invalid_request'],
    [
      'with a media type that any page can send',
      pets,
      { ...ownPage, 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
  ])('is rejected %s', async (_, call, headers, status, code) => {
    const response = await send(call, '', headers);
    expect([response.statusCode, response.json().code]).toEqual([status, code]);
    expect(made).toEqual([]);
  });

  it('is announced only to the pages of the site', async () => {
    const ask = (headers: Record<string, string>) =>
      test.app.inject({
        url: '/sites/docs/_docent/playground',
        headers: { host: 'docs.acme.test', ...headers },
      });
    expect((await ask(ownPage)).json()).toEqual({ callsApis: true });
    // A proxy in front may replace the host that the reader's browser knows.
    expect((await ask({ origin: 'https://www.acme.test' })).json()).toEqual({ callsApis: true });
    expect((await ask({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  });

  it('is rate-limited per address', async () => {
    const statuses = new Set<number>();
    for (let at = 0; at < 62; at++) statuses.add((await send(pets, '', { ...ownPage })).statusCode);
    expect([...statuses]).toContain(429);
  });
});

describe('calls whose bodies never end', () => {
  /** Sends the start of a call with a large body on a connection of its own, and stops. */
  async function stall(site: string, from: string): Promise<Stalled> {
    const { port } = test.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const stalled: Stalled = { socket, head: '' };
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      stalled.head += chunk.toString();
    });
    await once(socket, 'connect');
    const head = `POST /sites/${site}/_docent/playground HTTP/1.1\r\nhost: docs.acme.test\r\nsec-fetch-site: same-origin\r\n`;
    socket.write(
      `${head}x-forwarded-for: ${from}\r\ncontent-type: ${CALL_TYPE}\r\ncontent-length: 10500000\r\n\r\n`,
    );
    socket.write(Buffer.alloc(1_000_000, 'x'));
    return stalled;
  }

  it('are refused before their body is read, beyond six of a client and 25 of a site, and of a site without a proxy', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    test.deps.liveSites.add(
      fakeLiveSite({ siteId: 'n', organizationId: 'o', slug: 'no-api', deploymentId: 'd' }, [
        fakePage('index'),
      ]),
    );
    const refused = (status: number, all: Stalled[]) =>
      all.filter(({ head }) => head.startsWith(`HTTP/1.1 ${status} `)).length;
    const settled = (all: Stalled[], count: number) =>
      vi.waitFor(() => expect(all.filter(({ head }) => head !== '')).toHaveLength(count), 20_000);
    const ofOne = await Promise.all(Array.from({ length: 60 }, () => stall('docs', '203.0.113.7')));
    await settled(ofOne, 54);
    expect(refused(429, ofOne)).toBe(54);
    const ofMany = await Promise.all(
      Array.from({ length: 60 }, (_, index) => stall('docs', `203.0.113.${100 + index}`)),
    );
    await settled(ofMany, 41);
    expect(refused(429, ofMany)).toBe(41);
    const elsewhere = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stall('no-api', `198.51.100.${index}`)),
    );
    await settled(elsewhere, 20);
    expect(refused(403, elsewhere)).toBe(20);
    for (const { socket } of [...ofOne, ...ofMany, ...elsewhere]) socket.destroy();
    // What they held is free again.
    const another = { ...ownPage, 'x-forwarded-for': '192.0.2.9' };
    await vi.waitFor(
      async () => expect((await send(pets, '', another)).statusCode).toBe(200),
      20_000,
    );
  });
});
