import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportBundle } from '../support/exported-bundle.ts';
import { hasReverseProxies, type ReverseProxy, startNginx } from '../support/reverse-proxies.ts';
import { freePort, removeTemporaryFolders, temporaryFolder } from '../support/start-docent.ts';

describe.skipIf(!hasReverseProxies)(
  'an exported bundle on nginx, with the file made for it',
  () => {
    let nginx: ReverseProxy;
    let port: number;

    beforeAll(async () => {
      const bundle = await exportBundle('Served by nginx.', { args: ['--base-path', '/docs'] });
      const root = await temporaryFolder();
      mkdirSync(join(root, 'docs'));
      const { status, stderr } = spawnSync('tar', ['-xzf', bundle.file, '-C', join(root, 'docs')]);
      expect(status, String(stderr)).toBe(0);
      port = await freePort();
      const lines = [
        `listen 127.0.0.1:${port};`,
        `root ${root};`,
        `include ${root}/docs/_hosting/nginx.conf;`,
      ];
      nginx = await startNginx(`include /etc/nginx/mime.types;\nserver {\n${lines.join('\n')}\n}`, [
        port,
      ]);
    });
    afterAll(async () => {
      await nginx?.stop();
      await removeTemporaryFolders();
    });

    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    const cacheOf = async (path: string) => {
      const { status, headers } = await get(path);
      expect([status, headers.get('x-content-type-options')], path).toEqual([200, 'nosniff']);
      return headers.get('cache-control');
    };

    it('answers with pages without .html, redirects, and its own page for what is not there', async () => {
      const page = await get('/docs/guides/start');
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('acme install'),
      ]);
      const moved = await get('/docs/old');
      expect([moved.status, moved.headers.get('location')]).toEqual([308, '/docs/guides/start']);
      const missing = await get('/docs/nowhere');
      expect([missing.status, await missing.text()]).toEqual([
        404,
        expect.stringContaining('<html'),
      ]);
    });

    it('has browsers keep the files that are named by their content, and ask again for all others', async () => {
      const text = await (await get('/docs/guides/start')).text();
      const style = /_docent\/site-[0-9a-f]+\.css/.exec(text)?.[0] ?? '';
      expect(await cacheOf(`/docs/${style}`)).toContain('immutable');
      const start = /_docent\/search-start[^"]*\.js/.exec(text)?.[0] ?? '';
      for (const name of [start, '_docent/services.json'])
        expect(await cacheOf(`/docs/${name}`), name).toBe('no-cache');
    });
  },
);
