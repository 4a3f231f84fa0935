import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleServers } from '../support/bundle-servers.ts';
import { madeBundle, sha256Of, sharedBundle, type TestBundle } from '../support/exported-bundle.ts';
import { until } from '../support/http.ts';
import { rawGet } from '../support/raw-get.ts';
import { type RunningBundleServer, startBundleServer } from '../support/start-bundle-server.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';

const { serve, archive, closeAll } = bundleServers();
afterEach(closeAll);
afterAll(removeTemporaryFolders);

let one: TestBundle;
let other: TestBundle;
beforeAll(async () => {
  [one, other] = await Promise.all([sharedBundle('first'), sharedBundle('second')]);
});

/** Sends a request line unchanged; other clients would normalize it. */
function raw(server: RunningBundleServer, request: string): Promise<string> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.end(`${request}\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

test('a bundle that was exported as a .tar.zst is verified and served', async () => {
  const file = join(await temporaryFolder(), 'bundle.tar.zst');
  mkdirSync(join(file, '../site'));
  writeFileSync(
    join(file, '../site/docs.json'),
    JSON.stringify({ name: 'Acme', navigation: { pages: ['index'] } }),
  );
  writeFileSync(join(file, '../site/index.mdx'), 'Welcome, in few bytes.\n');
  expect((await runDocent(['export', join(file, '../site'), '--out', file])).code).toBe(0);
  expect(readFileSync(file).subarray(0, 4).toString('hex')).toBe('28b52ffd');
  expect(await runDocent(['verify', file, '--links'])).toMatchObject({ code: 0 });
  const server = await serve(file);
  await server.serves(sha256Of(readFileSync(file)));
  expect(await (await server.get('/')).text()).toContain('in few bytes.');
});

describe('a served bundle', () => {
  let server: RunningBundleServer;
  beforeAll(async () => {
    server = await startBundleServer(one.file);
    await server.serves(one.sha256);
  });
  afterAll(() => server.kill());

  test.each([
    ['/', 'Welcome.'],
    ['/index.html', 'Welcome.'],
    ['/guides/start', 'acme install'],
    ['/guides/start.html', 'acme install'],
    ['/guides/start.md', '## Install'],
    ['/llms.txt', '# Acme'],
    ['/sitemap.xml', '/guides/start</loc>'],
  ])('has a page or a file at %s', async (path, text) => {
    const answer = await server.get(path);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(text)]);
  });

  test.each([
    ['/guides/start/', 308, '/guides/start'],
    ['/guides/start/?a=b', 308, '/guides/start?a=b'],
    ['/old', 308, '/guides/start'],
    ['/old.html?q=1', 308, '/guides/start?q=1'],
    ['/was/next', 307, '/guides/next'],
    ['/was/gone', 307, 'https://docs.example.com/guides/gone'],
    ['/away', 308, 'https://example.org/x'],
    ['/guides', 307, '/guides/start'],
    ['/guides/', 307, '/guides/start'],
  ])('redirects %s', async (path, status, location) => {
    const answer = await server.get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location]);
  });

  test('returns its own page with status 404 for unknown addresses', async () => {
    for (const path of ['/nope', '/nope.html', '/guides/nope', '/_redirects', '/.htaccess']) {
      const answer = await server.get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
      expect(answer.headers.get('etag')).toBeNull();
    }
    const asset = await server.get('/_docent/site-00000000.css');
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  test('returns the Markdown of a page to programs that request it', async () => {
    const answer = await server.get('/guides/start', { accept: 'text/markdown' });
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('accept, accept-encoding');
  });

  test('sets cache headers, and answers 304 if nothing has changed', async () => {
    const page = await server.get('/guides/start', { 'accept-encoding': 'gzip, deflate, br' });
    expect(page.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const etag = page.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(
        (
          await server.get('/guides/start', {
            'if-none-match': known,
            'accept-encoding': 'gzip, deflate, br',
          })
        ).status,
      ).toBe(304);
    }
    expect((await server.get('/guides/start', { 'if-none-match': '"other"' })).status).toBe(200);
    const script = /_docent\/site-[0-9a-f]+\.js/.exec(await page.text())?.[0] ?? '';
    expect((await server.get(`/${script}`)).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
  });

  test('is compressed with the accepted encoding, with the same bytes for the same ETag', async () => {
    const plain = await (
      await server.get('/guides/start', { 'accept-encoding': 'identity' })
    ).text();
    const bodies = new Map<string, Buffer>();
    for (const encoding of ['br', 'br', 'br', 'gzip', 'gzip']) {
      const { headers, body } = await rawGet(server, '/guides/start', {
        'accept-encoding': encoding,
      });
      expect(headers['content-encoding']).toBe(encoding);
      const etag = String(headers.etag);
      expect(body).toEqual(bodies.get(etag) ?? body);
      bodies.set(etag, body);
      const decompress = encoding === 'br' ? brotliDecompressSync : gunzipSync;
      expect(decompress(body).toString()).toBe(plain);
    }
  });

  test('supports range requests, conditional on the ETag', async () => {
    const whole = await rawGet(server, '/video.mp4');
    expect([whole.status, whole.body.byteLength]).toEqual([200, 600_000]);
    const { etag } = whole.headers as { etag: string };
    const part = await rawGet(server, '/video.mp4', { range: 'bytes=10-19', 'if-range': etag });
    expect([part.status, part.headers['content-range'], part.body]).toEqual([
      206,
      'bytes 10-19/600000',
      whole.body.subarray(10, 20),
    ]);
    expect(
      (await rawGet(server, '/video.mp4', { range: 'bytes=10-19', 'if-range': '"other"' })).status,
    ).toBe(200);
    const outside = await rawGet(server, '/video.mp4', { range: 'bytes=600000-' });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, 'bytes */600000']);
    expect(
      (await rawGet(server, '/guides/start', { range: 'bytes=0-9', 'accept-encoding': 'br' }))
        .headers['content-encoding'],
    ).toBeUndefined();
  });

  test('answers HEAD like GET without a body, and rejects POST', async () => {
    for (const path of ['/guides/start', '/video.mp4', '/nope']) {
      const head = await fetch(`${server.url}${path}`, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'identity' },
      });
      const full = await rawGet(server, path, { 'accept-encoding': 'identity' });
      expect([head.status, head.headers.get('content-length')]).toEqual([
        full.status,
        String(full.body.byteLength),
      ]);
    }
    const post = await fetch(`${server.url}/guides/start`, { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('sends security headers, and prevents scripts in SVG images from running', async () => {
    const { headers } = await server.get('/guides/start');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect((await server.get('/logo.svg')).headers.get('content-security-policy')).toContain(
      'sandbox',
    );
  });

  test.each([
    'GET /../etc/passwd HTTP/1.1',
    'GET /guides/%2e%2e/%2e%2e/etc/passwd HTTP/1.1',
    'GET /..%2f..%2fetc/passwd HTTP/1.1',
    'GET /guides%2fstart HTTP/1.1',
    'GET /%5c..%5cwindows HTTP/1.1',
    'GET /%00 HTTP/1.1',
    'GET /%c0%ae%c0%ae/ HTTP/1.1',
    'GET /%zz HTTP/1.1',
    `GET /${'a'.repeat(5000)} HTTP/1.1`,
    'GET nothing HTTP/1.1',
    'nonsense',
  ])('rejects an invalid request target: %.50s', async (request) => {
    expect(await raw(server, request)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test.each(['//evil.example/', '//evil.example/..', '/\\evil.example'])(
    'never redirects to another host: %s',
    async (path) => {
      expect(await raw(server, `GET ${path} HTTP/1.1`)).not.toMatch(/^location:/im);
    },
  );

  test('accepts an absolute URL as the request target, as proxies send it', async () => {
    expect(await raw(server, 'GET http://docs.example/guides/start HTTP/1.1')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });
});

test('a bundle is served under its base path, and its health check at the root', async () => {
  const server = await serve(one.file, { args: ['--base-path', 'docs/'] });
  await server.serves();
  expect(server.url).toMatch(/\/docs$/);
  expect((await server.get('/guides/start')).status).toBe(200);
  expect((await server.get('')).headers.get('location')).toBe('/docs/');
  expect((await server.get('/old')).headers.get('location')).toBe('/docs/guides/start');
  expect((await fetch(new URL('/guides/start', server.url))).status).toBe(404);
  expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
});

describe('a new bundle', () => {
  test('is found by polling, and is downloaded only if it has changed', async () => {
    const store = await archive(one.bytes);
    const server = await serve(store.link, { args: ['--poll-seconds', '1'] });
    await server.serves(one.sha256);
    await until(async () => (store.log.includes('304') ? true : undefined));
    store.behavior.bytes = other.bytes;
    await server.serves(other.sha256);
    expect(store.log.filter((line) => line === '200')).toHaveLength(2);
  });

  test('is loaded on SIGHUP from the changed settings file; a wrong version leaves the old one in place', async () => {
    const folder = await temporaryFolder();
    const config = join(folder, 'bundle.env');
    writeFileSync(config, `DOCENT_BUNDLE_URL=${one.file}\n`);
    const server = await serve(undefined, { args: ['--config', config] });
    await server.serves(one.sha256);
    writeFileSync(config, `DOCENT_BUNDLE_URL=${other.file}\nDOCENT_BUNDLE_VERSION=v7\n`);
    server.child.kill('SIGHUP');
    await until(async () =>
      (await server.readiness()).body.fault?.includes('"v7" is configured') ? true : undefined,
    );
    expect((await server.readiness()).body.sha256).toBe(one.sha256);
    writeFileSync(
      config,
      `DOCENT_BUNDLE_URL=${other.file}\nDOCENT_BUNDLE_SHA256=${other.sha256}\n`,
    );
    server.child.kill('SIGHUP');
    await server.serves(other.sha256);
    expect((await server.readiness()).body.fault).toBeUndefined();
  });

  test('is accepted with the pinned version, which is a label or an export version', async () => {
    const { exportVersion = '' } = (await (await serve(one.file)).readiness()).body;
    await (await serve(one.file, { args: ['--version', exportVersion] })).serves(one.sha256);
    const labelled = madeBundle(
      { 'index.html': 'x' },
      { manifest: { options: { version: 'v2', basePath: '', omittedLinks: 'live' } } },
    );
    const file = join(await temporaryFolder(), 'labelled.tar.gz');
    writeFileSync(file, labelled);
    const server = await serve(file, { args: ['--version', 'v2'] });
    await server.serves(sha256Of(labelled));
    expect((await server.readiness()).body.version).toBe('v2');
  });

  test('replaces the old bundle without a failed request among 10,000', async () => {
    const store = await archive(one.bytes);
    const server = await serve(store.link);
    await server.serves(one.sha256);
    const script = /_docent\/site-[0-9a-f]+\.js/.exec(await (await server.get('/')).text())?.[0];
    const paths = [
      '/',
      '/guides/start',
      '/guides/next.html',
      '/old',
      `/${script}`,
      '/video.mp4',
      '/nope',
    ];
    const wanted = new Map([
      ['/old', 308],
      ['/nope', 404],
    ]);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    let sent = 0;
    let swaps = 0;
    const failures: string[] = [];
    const ask = async () => {
      while (sent < 10_000) {
        const path = paths[sent++ % 25] ?? '/guides/start';
        const answer = await rawGet(server, path, { 'accept-encoding': 'br' }, agent).catch(
          (error: Error) => ({
            status: error.message,
          }),
        );
        if (answer.status !== (wanted.get(path) ?? 200)) failures.push(`${path}: ${answer.status}`);
      }
    };
    const asking = Promise.all(Array.from({ length: 8 }, ask));
    while (sent < 10_000) {
      const next = swaps % 2 === 0 ? other : one;
      store.behavior.bytes = next.bytes;
      server.child.kill('SIGHUP');
      await until(async () =>
        (await server.readiness()).body.sha256 === next.sha256 || sent >= 10_000 ? true : undefined,
      );
      swaps++;
    }
    await asking;
    agent.destroy();
    expect(failures.slice(0, 5)).toEqual([]);
    expect(swaps).toBeGreaterThan(5);
  });

  test('keeps the assets of the previous bundle for open pages', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'a'));
    const file = join(folder, 'bundle.tar.gz');
    writeFileSync(file, madeBundle({ 'index.html': 'one', '_docent/site-11111111.css': 'a{}' }));
    const server = await serve(file);
    await server.serves();
    const next = madeBundle({ 'index.html': 'two', '_docent/site-22222222.css': 'b{}' });
    writeFileSync(file, next);
    server.child.kill('SIGHUP');
    await server.serves(sha256Of(next));
    for (const name of ['site-11111111.css', 'site-22222222.css'])
      expect((await server.get(`/_docent/${name}`)).status).toBe(200);
  });
});

test('a stopping server first reports that it is not ready, and still answers requests', async () => {
  const server = await serve(one.file, { env: { DOCENT_DRAIN_SECONDS: '1' } });
  await server.serves();
  const stopped = server.stop();
  await until(async () => ((await server.readiness()).status === 503 ? true : undefined));
  const late = await rawGet(server, '/guides/start');
  expect([late.status, late.headers.connection]).toEqual([200, 'close']);
  expect(await stopped).toBe(0);
});
