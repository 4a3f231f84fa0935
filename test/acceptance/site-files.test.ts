import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureSite, getAs, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

const OWN_FILES = {
  'brand.css':
    '@import url(https://fonts.example/x.css); .brand { background: url(/images/missing.png) }',
  'more/extra.js': 'document.documentElement.dataset.extra = "1";',
  'changelog.mdx':
    '---\ntitle: Changelog\nrss: true\n---\n\n<Update label="2025-01-15">News</Update>\n\n<div className="grid md:w-[42px]">x</div>\n',
};

describe('a site with its own files', () => {
  let docent: RunningDocent;
  const folder = mkdtempSync(join(tmpdir(), 'docent-site-files-'));
  beforeAll(async () => {
    cpSync(fixtureSite('basic'), folder, { recursive: true });
    for (const [path, text] of Object.entries(OWN_FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    docent = await sharedDocent();
    expect(await publishArchive(docent, 'files', tarball(folder))).toMatchObject({
      status: 'success',
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    getAs(docent.port, `files.localhost:${docent.port}`, path, headers);
  const text = async (path: string, headers = {}) =>
    (await get(path, headers)).body.toString('utf8');

  test('includes its own CSS and JavaScript in pages, and loads nothing from other origins', async () => {
    const page = await text('/guides/install');
    const css = /href="(\/brand\.css[^"]*)"/.exec(page)?.[1] as string;
    expect(await text(css)).toBe(' .brand { background: linear-gradient(#0000, #0000) }');
    expect(page).toMatch(/<script src="\/more\/extra\.js[^"]*" defer>/);
    const utilities = /href="(\/_docent\/utilities-[^"]*)"/.exec(page)?.[1] as string;
    expect(page.indexOf(utilities)).toBeLessThan(page.indexOf(css));
    expect(await text(utilities)).toContain('width: 42px');
  });

  test('allows only its own scripts and configured sources in its content security policy', async () => {
    const change = async (settings: object) => {
      const url = `${docent.apiUrl}/v1/project/files/security-settings`;
      const headers = {
        authorization: `Bearer ${docent.adminKey}`,
        'content-type': 'application/json',
      };
      const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(settings) });
      expect(answer.status).toBe(200);
    };
    const policyOf = async (path: string) =>
      String((await get(path)).headers['content-security-policy']);
    // What a former attempt has changed.
    await change({ scriptSources: [], frameAncestors: null });
    await expect
      .poll(() => policyOf('/guides/install'))
      .toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')+;/);
    const pages = await Promise.all(
      ['/guides/install', '/nothing', '/mcp', '/_docent/oauth.html'].map(policyOf),
    );
    expect(new Set(pages).size).toBe(1);
    const [policy = ''] = pages;
    expect(/script-src[^;]*/.exec(policy)?.[0]).not.toMatch(/unsafe|\*|https?:/);
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'self'"])
      expect(policy).toContain(part);
    const inline = [
      ...(await text('/guides/install')).matchAll(
        /<script(?![^>]* (?:src|type)=)[^>]*>([\s\S]*?)<\/script>/g,
      ),
    ];
    expect(inline.length).toBeGreaterThan(0);
    for (const [, code = ''] of inline)
      expect(policy).toContain(createHash('sha256').update(code).digest('base64'));

    await change({ scriptSources: ['https://cdn.example.com'], frameAncestors: [] });
    await expect
      .poll(() => policyOf('/guides/install'))
      .toMatch(/=' https:\/\/cdn\.example\.com;.* frame-ancestors 'none'$/);
  });

  test('serves the feed of a changelog, and none for other pages', async () => {
    const feed = await get('/changelog/rss.xml');
    expect(feed.headers['content-type']).toMatch(/^application\/rss\+xml/);
    expect(feed.body.toString()).toContain('<pubDate>Wed, 15 Jan 2025 00:00:00 GMT</pubDate>');
    expect((await get('/guides/install/rss.xml')).status).toBe(404);
  });

  test('links to Markdown in headers, and returns it to programs that request it', async () => {
    const page = await get('/guides/install');
    expect(page.headers['x-llms-txt']).toBe('/llms.txt');
    expect(page.headers.link).toContain(
      '</guides/install.md>; rel="alternate"; type="text/markdown"',
    );
    for (const accept of ['text/markdown', 'text/plain']) {
      const asked = await get('/guides/install', { accept });
      expect(asked.headers['content-type']).toMatch(/^text\/markdown/);
      expect(asked.body.toString()).toContain('llms.txt');
      expect(asked.headers.vary).toContain('accept');
    }
    for (const accept of ['text/html, text/markdown', 'application/json, text/plain, */*'])
      expect((await get('/guides/install', { accept })).headers['content-type']).toMatch(
        /^text\/html/,
      );
    expect(await text('/_llms/guides.md')).toContain('/guides/install.md');
    expect((await get('/_llms/nothing.md')).status).toBe(404);
  });

  test('suggests similar pages on its 404 page, but not for missing images', async () => {
    const lost = await get('/gone/install-it.html');
    expect(lost.status).toBe(404);
    const list = /<nav class="d-related".*?<\/nav>/s.exec(lost.body.toString())?.[0] ?? '';
    expect(list).toContain('href="/guides/install"');
    const misspelled = await text('/guides/componetns');
    expect(
      /<nav class="d-related".*?href="([^"]*)"/s.exec(misspelled)?.[1],
      'the nearest name comes first',
    ).toBe('/guides/components');
    expect(await text('/images/nothing.png')).not.toContain('d-related');
  });

  test('renders the image for link previews on request', { timeout: 60_000 }, async () => {
    const page = await text('/guides/install');
    const address = /property="og:image" content="([^"]*)"/.exec(page)?.[1] as string;
    const { pathname, search } = new URL(address);
    expect(pathname.endsWith('/_docent/og/guides/install.png')).toBe(true);
    const picture = await get(pathname.replace(/^\/sites\/files/, '') + search);
    expect(picture.headers['content-type']).toBe('image/png');
    expect(picture.headers['cache-control']).toContain('immutable');
    expect(picture.body.subarray(1, 4).toString()).toBe('PNG');
    expect((await get('/_docent/og/nothing.png')).status).toBe(404);
  });
});
