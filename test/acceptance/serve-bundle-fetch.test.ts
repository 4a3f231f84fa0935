import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleServers } from '../support/bundle-servers.ts';
import { madeBundle, sha256Of, sharedBundle, type TestBundle } from '../support/exported-bundle.ts';
import { until } from '../support/http.ts';
import { rawTarGz } from '../support/raw-tar.ts';
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

describe('the download', () => {
  test('resumes where it was interrupted, completes, and keeps the secret of the link out of the log', async () => {
    const cache = join(await temporaryFolder(), 'cache');
    const savedBytes = () => {
      const folder = join(cache, 'downloads');
      const parts = readdirSync(folder).filter((name) => name.endsWith('.part'));
      return parts.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    };
    let cuts = 0;
    const beforeCut = () => {
      cuts += 1;
      return expect.poll(savedBytes).toBeGreaterThanOrEqual(cuts * 30_000);
    };
    const store = await archive(one.bytes, { cutAfterBytes: 30_000, cutTimes: 2, beforeCut });
    const server = await serve(store.link, { cache });
    await server.serves(one.sha256);
    expect(store.log).toEqual(['200', '206 bytes=30000-', '206 bytes=60000-']);
    expect(server.log()).not.toContain('very-secret');
  });

  test('restarts if the server ignores ranges or the archive has changed', async () => {
    const store = await archive(one.bytes, {
      cutAfterBytes: 30_000,
      cutTimes: 1,
      ignoresRange: true,
    });
    await (await serve(store.link)).serves(one.sha256);
    const changing = await archive(one.bytes, { cutAfterBytes: 30_000, cutTimes: 1 });
    const server = await serve(changing.link);
    await until(async () => (changing.log.length > 0 ? true : undefined));
    changing.behavior.bytes = other.bytes;
    await server.serves(other.sha256);
  });

  test('is retried after a server error, and requests get 503 until it succeeds', async () => {
    const store = await archive(one.bytes, { status: 503 });
    const server = await serve(store.link);
    await until(async () => (store.log.length > 1 ? true : undefined));
    expect(await server.readiness()).toMatchObject({ status: 503, body: { status: 'not ready' } });
    expect((await server.get('/')).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    delete store.behavior.status;
    await server.serves(one.sha256);
  });

  test('is rejected if its hash is not the configured or the published one', async () => {
    const store = await archive(one.bytes);
    const server = await serve(store.link, { args: ['--sha256', other.sha256] });
    await until(async () => (server.log().includes(other.sha256) ? true : undefined));
    expect((await server.readiness()).status).toBe(503);
    const plain = store.link.split('?')[0] as string;
    store.behavior.sha256 = `${other.sha256}  bundle.tar.gz\n`;
    const sibling = await serve(plain);
    await until(async () => (sibling.log().includes(other.sha256) ? true : undefined));
    store.behavior.sha256 = `${one.sha256}  bundle.tar.gz\n`;
    await (await serve(plain)).serves(one.sha256);
  });

  test('is rejected if the archive is too large', async () => {
    const store = await archive(one.bytes);
    const server = await serve(store.link, { env: { DOCENT_BUNDLE_MAX_BYTES: '50000' } });
    await until(async () => (server.log().includes('larger than 50000 bytes') ? true : undefined));
    expect((await server.readiness()).status).toBe(503);
  });
});

describe('an invalid bundle', () => {
  const page = { 'index.html': '<p>hello</p>' };
  const cases: [string, () => Uint8Array, string][] = [
    ['is truncated', () => one.bytes.subarray(0, one.bytes.byteLength - 500), 'incomplete'],
    ['has a flipped byte', () => flipped(one.bytes), 'damaged'],
    ['is not an archive', () => Buffer.from('<html>Not found</html>'), 'not a .tar.gz'],
    [
      'has no manifest',
      () => Buffer.from(rawTarGz([{ name: 'index.html', content: 'x' }])),
      'no manifest.json',
    ],
    [
      'lacks a file',
      () =>
        madeBundle(page, {
          manifest: {
            files: [...filesOf(page), { path: 'b.html', sizeBytes: 1, sha256: sha256Of('b') }],
          },
        }),
      '"b.html" is missing',
    ],
    [
      'has a file with other content',
      () =>
        madeBundle(page, { manifest: { files: [{ ...filesOf(page)[0], sha256: sha256Of('x') }] } }),
      'does not have the SHA-256',
    ],
    [
      'has a file that is not listed',
      () => madeBundle(page, { entries: [{ name: 'more.html', content: 'x' }] }),
      '"more.html" is not in the manifest',
    ],
    [
      'has a file twice',
      () => madeBundle(page, { entries: [{ name: './index.html', content: 'x' }] }),
      'twice',
    ],
    [
      'has a path outside its folder',
      () => madeBundle(page, { entries: [{ name: '../../evil.html', content: 'x' }] }),
      '".."',
    ],
    [
      'has an absolute path',
      () => madeBundle(page, { entries: [{ name: '/etc/evil', content: 'x' }] }),
      'absolute',
    ],
    [
      'has a symbolic link',
      () => madeBundle(page, { entries: [{ name: 'soft', flag: '2', linkName: '/etc/passwd' }] }),
      'entry "soft" was refused',
    ],
    [
      'has a hard link',
      () => madeBundle(page, { entries: [{ name: 'hard', flag: '1', linkName: 'index.html' }] }),
      'entry "hard" was refused',
    ],
    [
      'has a device',
      () => madeBundle(page, { entries: [{ name: 'device', flag: '3' }] }),
      'entry "device" was refused',
    ],
    [
      'has a newer format',
      () => madeBundle(page, { manifest: { schemaVersion: 99 } }),
      'newer Docent',
    ],
    [
      'has an invalid manifest',
      () => madeBundle(page, { manifest: { files: 'all' } }),
      'not valid at /files',
    ],
  ];

  let server: RunningBundleServer;
  let file: string;
  beforeAll(async () => {
    file = join(await temporaryFolder(), 'bundle.tar.gz');
    writeFileSync(file, one.bytes);
    server = await startBundleServer(file);
    await server.serves(one.sha256);
  });
  afterAll(() => server.kill());

  test.each(cases)(
    'that %s is rejected, and the previous one is still served',
    async (_, make, reason) => {
      writeFileSync(file, make());
      server.child.kill('SIGHUP');
      await until(async () =>
        (await server.readiness()).body.fault?.includes(reason) ? true : undefined,
      );
      const { status, body } = await server.readiness();
      expect([status, body.sha256]).toEqual([200, one.sha256]);
      expect((await server.get('/guides/start')).status).toBe(200);
      // A moment after the fault is reported.
      const leftOver = () =>
        readdirSync(join(server.cache, 'work')).filter((name) => !/\.(?:br|gz)$/.test(name));
      await expect.poll(leftOver).toEqual([]);
      expect(readdirSync(join(server.cache, 'bundles'))).toEqual([`${one.sha256}.json`]);
    },
  );

  test('ends the command if nothing else can be served, as does a missing file or an unsupported URL', async () => {
    const cache = await temporaryFolder();
    const file = join(cache, 'bad.tar.gz');
    writeFileSync(file, 'nonsense');
    const run = (location: string) =>
      runDocent(['serve-bundle', location, '--cache', cache, '--port', '0']);
    expect(await run(file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a .tar.gz'),
    });
    expect(await run(join(cache, 'none.tar.gz'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENOENT'),
    });
    expect(await run('ftp://example.com/x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('http and https'),
    });
  });
});

function filesOf(files: Record<string, string>) {
  return Object.entries(files).map(([path, content]) => ({
    path,
    sizeBytes: content.length,
    sha256: sha256Of(content),
  }));
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.byteLength >> 1] = (copy[copy.byteLength >> 1] as number) ^ 0xff;
  return copy;
}

describe('a restart', () => {
  test('serves the local copy if the link has expired, which it logs, or the server is down', async () => {
    const store = await archive(one.bytes);
    const first = await serve(store.link);
    await first.serves(one.sha256);
    expect(await first.stop()).toBe(0);
    store.behavior.status = 403;
    const second = await serve(store.link, { cache: first.cache });
    await second.serves(one.sha256);
    await until(async () => (second.log().includes('answers 403') ? true : undefined));
    expect(second.log()).toContain('still serving the local copy');
    expect(second.log()).not.toContain('very-secret');
    await second.stop();
    await store.close();
    const third = await serve(store.link, { cache: first.cache });
    await third.serves(one.sha256);
    expect((await third.get('/guides/start')).status).toBe(200);
  });

  test('with another link serves the old bundle until the new one is available', async () => {
    const old = await serve(one.file);
    await old.serves(one.sha256);
    await old.stop();
    const store = await archive(other.bytes, { pauseMs: 30 });
    const server = await serve(store.link, { cache: old.cache });
    expect((await server.readiness()).body.sha256).toBe(one.sha256);
    await server.serves(other.sha256);
    expect(await (await server.get('/guides/start')).text()).toContain('second edition');
  });

  test('unpacks the bundle again if its cached files are damaged', async () => {
    const first = await serve(one.file);
    await first.serves(one.sha256);
    await first.stop();
    const files = join(first.cache, 'files');
    for (const shard of readdirSync(files))
      for (const name of readdirSync(join(files, shard)))
        for (const form of ['', '.br', '.gz'])
          writeFileSync(join(files, shard, name.slice(0, 64) + form), '');
    const second = await serve(one.file, { cache: first.cache });
    await second.serves(one.sha256);
    expect(await (await second.get('/guides/start')).text()).toContain('acme install');
  });

  test('recovers after the process was killed at any moment of a download, of unpacking or of a replacement', async () => {
    const cache = join(await temporaryFolder(), 'cache');
    const store = await archive(one.bytes, { pauseMs: 4 });
    for (let round = 0; round < 6; round++) {
      store.behavior.bytes = round % 2 === 0 ? one.bytes : other.bytes;
      const server = await serve(store.link, { cache });
      await new Promise((resolve) => setTimeout(resolve, round * 80));
      await server.kill();
    }
    store.behavior = { bytes: one.bytes };
    const last = await serve(store.link, { cache });
    await last.serves(one.sha256);
    for (const path of ['/', '/guides/start', '/guides/next', '/video.mp4'])
      expect((await last.get(path)).status).toBe(200);
    // It serves before it has cleaned up.
    const left = () => [
      ...readdirSync(join(cache, 'work')).filter((name) => name.endsWith('.json')),
      ...readdirSync(join(cache, 'downloads')),
    ];
    await expect.poll(left).toEqual([]);
  });

  test('resumes the download of a killed process', async () => {
    const store = await archive(one.bytes, { pauseMs: 20 });
    const first = await serve(store.link);
    await until(async () => {
      const [part] = readdirSync(join(first.cache, 'downloads')).filter((name) =>
        name.endsWith('.part'),
      );
      return part && readFileSync(join(first.cache, 'downloads', part)).byteLength > 8000
        ? true
        : undefined;
    });
    await first.kill();
    delete store.behavior.pauseMs;
    const second = await serve(store.link.replace('very-secret', 'another'), {
      cache: first.cache,
    });
    await second.serves(one.sha256);
    expect(store.log.at(-1)).toMatch(/^206 bytes=\d{4,}-$/);
  });
});
