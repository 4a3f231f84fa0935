import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportBundle, type TestBundle } from '../support/exported-bundle.ts';
import {
  hasApache,
  hasReverseProxies,
  type ReverseProxy,
  startApache,
  startNginx,
} from '../support/reverse-proxies.ts';
import { freePort, removeTemporaryFolders, temporaryFolder } from '../support/start-docent.ts';

const BASE_PATH = ['--base-path', '/docs'];

/** Where the bundle is, `<root>/docs/`. */
let root: string;
let original: TestBundle;
/** The same site with other words of the same length. */
let changed: TestBundle;

function unpack({ file }: TestBundle): void {
  const { status, stderr } = spawnSync('tar', ['-xzf', file, '-C', join(root, 'docs')]);
  expect(status, String(stderr)).toBe(0);
}

beforeAll(async () => {
  root = await temporaryFolder();
  // Apache reads as another user.
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'docs'));
  original = await exportBundle('Read anywhere.', { args: BASE_PATH });
  unpack(original);
  changed = await exportBundle('Read at lunch.', { args: BASE_PATH });
});
afterAll(removeTemporaryFolders);

const servers = [
  {
    name: 'nginx',
    isThere: hasReverseProxies,
    start(port: number) {
      const include = `include ${root}/docs/_hosting/nginx.conf;`;
      const server = `server {\nlisten 127.0.0.1:${port};\nroot ${root};\n${include}\n}`;
      return startNginx(`include /etc/nginx/mime.types;\n${server}`, [port]);
    },
  },
  { name: 'Apache', isThere: hasApache, start: (port: number) => startApache(root, port) },
];

describe.each(servers)('an exported bundle on $name', ({ isThere, start }) => {
  let server: ReverseProxy | undefined;
  let url: string;

  beforeAll(async () => {
    if (!isThere) return;
    const port = await freePort();
    server = await start(port);
    url = `http://127.0.0.1:${port}/docs`;
  });
  afterAll(() => server?.stop());

  const get = (path: string) => fetch(url + path, { redirect: 'manual' });
  const cacheOf = async (path: string) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('x-content-type-options')], path).toEqual([200, 'nosniff']);
    return headers.get('cache-control');
  };

  it.skipIf(!isThere)(
    'has pages without .html, redirects, and its own page for what is not there',
    async () => {
      const page = await get('/guides/start');
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^text\/html/),
      ]);
      expect(await page.text()).toContain('acme install');
      const moved = await get('/old');
      const location = new URL(moved.headers.get('location') ?? '', url);
      expect([moved.status, location.pathname]).toEqual([308, '/docs/guides/start']);
      const missing = await get('/nowhere');
      expect([missing.status, await missing.text()]).toEqual([
        404,
        expect.stringContaining('<html'),
      ]);
    },
  );

  it.skipIf(!isThere)(
    'has browsers keep the files that are named by their content, and ask again for the others',
    async () => {
      const text = await (await get('/guides/start')).text();
      const style = /_docent\/site-[0-9a-f]+\.css/.exec(text)?.[0] ?? '';
      expect(await cacheOf(`/${style}`)).toContain('immutable');
      const start = /_docent\/search-start[^"]*\.js/.exec(text)?.[0] ?? '';
      for (const name of [start, '_docent/services.json', 'guides/start', 'logo.svg'])
        expect(await cacheOf(`/${name}`), name).toBe('no-cache');
    },
  );

  it.skipIf(!isThere)(
    'sends what a new bundle has changed, though its size is the same, and nothing else again',
    async () => {
      unpack(original);
      const paths = ['/guides/start', '/logo.svg', '/_docent/services.json'];
      const kept = new Map<string, { etag: string; size: number }>();
      for (const path of paths) {
        const answer = await get(path);
        const size = (await answer.arrayBuffer()).byteLength;
        kept.set(path, { etag: answer.headers.get('etag') ?? '', size });
      }
      const askAgain = async (path: string) => {
        const headers = { 'if-none-match': kept.get(path)?.etag ?? '' };
        const answer = await fetch(url + path, { headers });
        const size = (await answer.arrayBuffer()).byteLength;
        return [path, answer.status, size];
      };
      const unchanged = (path: string) => [path, 304, 0];
      expect(await Promise.all(paths.map(askAgain))).toEqual(paths.map(unchanged));
      unpack(changed);
      expect(await Promise.all(paths.map(askAgain))).toEqual([
        ['/guides/start', 200, kept.get('/guides/start')?.size],
        ['/logo.svg', 200, kept.get('/logo.svg')?.size],
        unchanged('/_docent/services.json'),
      ]);
    },
  );
});
