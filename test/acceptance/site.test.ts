import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

describe('a published site', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await sharedDocent();
    const deployment = await publishArchive(docent, 'basic', tarball(fixtureSite('basic')));
    expect(deployment).toMatchObject({ status: 'success' });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    getAs(docent.port, `basic.localhost:${docent.port}`, path, headers);
  const text = async (path: string) => (await get(path)).body.toString('utf8');

  test('has links that stay on its own host', async () => {
    const page = await text('/guides/install');
    expect(page).toContain('apt-get');
    expect(page).toContain('href="/guides/components"');
    expect(page).not.toContain('href="/sites/');
  });

  test.each([
    '/sites/%00/x',
    '/sites/%00/mcp',
    '/sites/%00/_docent/assistant',
    '/sites/a%00b/',
    '/sites/..%2F/',
  ])('is not found at %s, which contains a name that no site can have', async (path) => {
    expect((await getAs(docent.port, `localhost:${docent.port}`, path)).status).toBe(404);
  });

  test('rejects a request whose headers are larger than 16 KB with 431', async () => {
    const answer = await get('/guides/install', { cookie: 'x'.repeat(40_000) });
    expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([
      431,
      'headers_too_large',
    ]);
  });

  test('is identified by its default host name in API operations', async () => {
    const created = await call(docent, docent.adminKey, 'POST', '/v1/keys', {
      kind: 'assistant',
      site: 'basic',
      name: 'domain',
    });
    const { key } = (await created.json()) as { key: string };
    const found = await call(docent, key, 'POST', '/v1/search/basic.localhost', {
      query: 'install',
    });
    expect([found.status, ((await found.json()) as unknown[]).length > 0]).toEqual([200, true]);
    expect(
      (await call(docent, docent.adminKey, 'GET', '/v1/static-export/jobs?domain=basic.localhost'))
        .status,
    ).toBe(200);
  });

  test.each(['/', '/v1/projects', '/metrics', '/sites/basic/', '/sites/basic/mcp'])(
    'is not served at %s under an unknown host name, which is rejected with 421',
    async (path) => {
      const answer = await getAs(docent.port, 'rebind.attacker.example', path);
      expect([answer.status, JSON.parse(answer.body.toString()).code]).toEqual([
        421,
        'misdirected_request',
      ]);
    },
  );

  test('shows the navigation, the current page and the headings', async () => {
    const page = await text('/guides/install');
    expect(page).toContain('<title>Install');
    expect(page).toContain('Acme &lt;Docs&gt; &amp; Co');
    expect(page).toMatch(/aria-current="page"/);
    expect(page).toContain('id="linux"');
    expect(page).toContain('href="#rotate-a-key"');
    for (const label of ['Guides', 'API', 'v2', 'v1', 'Deep']) expect(page).toContain(label);
  });

  test('renders snippets, variables and API operations', async () => {
    const welcome = await text('/');
    expect(welcome).toContain('Welcome to Acme.');
    expect(welcome).toContain('Snippets greet the reader.');
    const operation = await text('/api-reference/users/get-a-user');
    for (const fact of ['GET', '/users/{id}', 'Which user', 'Identifier of the user'])
      expect(operation).toContain(fact);
    const manual = await text('/api/manual');
    for (const fact of ['DELETE', '/users/{id}', 'Which user.']) expect(manual).toContain(fact);
  });

  test('keeps the text of a page with an unknown component and an unknown identifier', async () => {
    const page = await text('/guides/components');
    expect(page).toContain('Kept text of an unknown component.');
    expect(page).toContain('A missing {identifier} in text');
  });

  test('offers pages as Markdown, llms.txt, a sitemap and robots.txt', async () => {
    const markdown = await get('/guides/install.md');
    expect(markdown.headers['content-type']).toContain('text/markdown');
    expect(markdown.body.toString()).toContain('# Install');
    expect(await text('/llms.txt')).toContain('guides/install.md');
    expect(await text('/llms-full.txt')).toContain('acme keys rotate');
    expect(await text('/sitemap.xml')).toContain('/guides/install</loc>');
    expect(await text('/robots.txt')).toContain('sitemap.xml');
  });

  test('redirects as docs.json configures, and redirects other spellings to the canonical address', async () => {
    const follow = async (path: string) => {
      const { status, headers } = await get(path);
      return `${status} ${headers.location}`;
    };
    expect(await follow('/old/install')).toBe('308 /guides/install');
    expect(await follow('/temporary')).toBe('307 /guides/install');
    expect(await follow('/temporary.html?x=1')).toBe('307 /guides/install?x=1');
    expect(await follow('/guides/install/')).toBe('308 /guides/install');
    expect(await follow('/guides/install.html?x=1')).toBe('308 /guides/install?x=1');
  });

  test('redirects a folder without a page to its first page and keeps the query', async () => {
    const answer = await get('/guides?from=mail');
    expect([answer.status, answer.headers.location]).toEqual([307, '/guides/install?from=mail']);
  });

  test('returns a 404 page in its own design for unknown paths', async () => {
    const missing = await get('/nothing/here');
    expect(missing.status).toBe(404);
    expect(missing.headers['content-type']).toContain('text/html');
    expect(missing.body.toString()).toContain('Acme &lt;Docs&gt;');
  });

  test('returns 404 with a problem if it does not exist', async () => {
    const missing = await getAs(docent.port, `localhost:${docent.port}`, '/sites/nobody/');
    expect(missing.status).toBe(404);
    expect(JSON.parse(missing.body.toString())).toMatchObject({
      code: 'site_not_found',
      status: 404,
    });
  });

  test('compresses pages, and answers 304 for a known ETag', async () => {
    const plain = await get('/guides/install');
    const brotli = await get('/guides/install', { 'accept-encoding': 'gzip, br' });
    const gzip = await get('/guides/install', { 'accept-encoding': 'gzip' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotli.headers.vary).toContain('accept-encoding');
    const again = await get('/guides/install', {
      'accept-encoding': 'gzip, br',
      'if-none-match': String(brotli.headers.etag),
    });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
  });

  test.each(['br', 'gzip'])(
    'has the same content for its first and its later readers as %s, and two readers with one ETag have the same bytes',
    async (encoding) => {
      const path = '/guides/components';
      const plain = await get(path);
      const decompress = encoding === 'br' ? brotliDecompressSync : gunzipSync;
      const bodies = new Map<string, Buffer>();
      const read = async () => {
        const { headers, body } = await get(path, { 'accept-encoding': encoding });
        const etag = String(headers.etag);
        expect(body).toEqual(bodies.get(etag) ?? body);
        bodies.set(etag, body);
        expect(headers['content-encoding']).toBe(encoding);
        expect(decompress(body)).toEqual(plain.body);
        return etag;
      };
      await read();
      await expect.poll(read).toMatch(new RegExp(`-${encoding}"$`));
      for (const etag of bodies.keys()) {
        const answer = await get(path, { 'accept-encoding': encoding, 'if-none-match': etag });
        expect([answer.status, answer.headers.etag, answer.body.length]).toEqual([304, etag, 0]);
      }
      const identity = await get(path, { 'if-none-match': [...bodies.keys()].join(', ') });
      expect([identity.status, identity.body]).toEqual([200, plain.body]);
    },
  );

  test('lets browsers cache the files of the theme permanently', async () => {
    const page = await text('/guides/install');
    const [, stylesheet] = /href="(\/_docent\/site-[^"]+\.css)"/.exec(page) ?? [];
    const file = await get(String(stylesheet), { 'accept-encoding': 'br' });
    expect(file.status).toBe(200);
    expect(file.headers['cache-control']).toContain('immutable');
    expect(file.headers['content-encoding']).toBe('br');
  });

  test('prevents images of the repository from running scripts', async () => {
    const image = await get('/images/dot.svg');
    expect(image.status).toBe(200);
    expect(image.headers['content-security-policy']).toContain('sandbox');
    expect(image.headers['x-content-type-options']).toBe('nosniff');
  });
});
