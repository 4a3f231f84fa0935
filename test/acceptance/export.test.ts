import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOf, finish, start, unpack } from '../support/exports.ts';
import { call, publishFixture } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
} from '../support/start-docent.ts';

describe('static export', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await sharedDocent();
    await publishFixture(docent, 'basic');
  });
  afterAll(removeTemporaryFolders);

  test('produces one archive that contains every linked page and file', async () => {
    const { jobId } = await start(docent, { domain: 'basic' });
    expect(jobId).toMatch(/^se_[0-9a-f]{16}$/);
    expect(await finish(docent, jobId)).toMatchObject({
      status: 'completed',
      progress: 100,
      pageCount: 7,
      totalPages: 7,
    });
    const folder = await unpack(await bundleOf(docent, jobId));
    const wanted = [
      'index.html',
      'guides/install.html',
      'guides/install.md',
      '404.html',
      'sitemap.xml',
      'robots.txt',
      'llms.txt',
      'llms-full.txt',
      'manifest.json',
      'images/dot.svg',
    ];
    for (const file of wanted) expect(existsSync(join(folder, file)), file).toBe(true);
    expect(brokenReferences(folder)).toEqual([]);
    const page = readFileSync(join(folder, 'guides/install.html'), 'utf8');
    expect(page).toContain('href="../guides/components.html"');
    expect(readFileSync(join(folder, 'sitemap.xml'), 'utf8')).toContain(
      `http://basic.localhost:${docent.port}/guides/install</loc>`,
    );
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      schemaVersion: number;
      pages: { file: string; sha256: string }[];
    };
    const listed = manifest.pages.find(({ file }) => file === 'guides/install.html');
    expect(listed?.sha256).toBe(createHash('sha256').update(page).digest('hex'));
  });

  test('produces pages that load nothing from another origin', async () => {
    const { jobId } = await start(docent, { domain: 'basic' });
    await finish(docent, jobId);
    const folder = await unpack(await bundleOf(docent, jobId));
    for (const file of htmlFiles(folder)) {
      const html = readFileSync(join(folder, file), 'utf8');
      expect(
        html
          .match(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?\/\/[^"]*"/g)
          ?.filter((tag) => !tag.includes('rel="canonical"')) ?? [],
        file,
      ).toEqual([]);
    }
  });

  test('exports the same content to the same bytes', async () => {
    const first = await start(docent, { domain: 'basic' });
    const second = await start(docent, { domain: 'basic' });
    await finish(docent, first.jobId);
    await finish(docent, second.jobId);
    const one = await bundleOf(docent, first.jobId);
    const other = await bundleOf(docent, second.jobId);
    expect(one.sha256).toBe(other.sha256);
    expect((await bundleOf(docent, first.jobId)).sha256).toBe(one.sha256);
  });

  test('exports the same files as a .tar.zst, in fewer bytes', async () => {
    const [gzip, zstd] = [
      await start(docent, { domain: 'basic' }),
      await start(docent, { domain: 'basic', archive: 'tar.zst' }),
    ];
    await finish(docent, gzip.jobId);
    expect(await finish(docent, zstd.jobId)).toMatchObject({
      status: 'completed',
      options: { archive: 'tar.zst' },
    });
    const fetched = async ({ jobId }: { jobId: string }) => {
      const response = await fetch((await bundleOf(docent, jobId)).bundleUrl);
      expect(response.status).toBe(200);
      return {
        name: response.headers.get('content-disposition'),
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    };
    const [first, second] = [await fetched(gzip), await fetched(zstd)];
    expect([first.name, second.name]).toEqual([
      expect.stringContaining('.tar.gz'),
      expect.stringContaining('.tar.zst'),
    ]);
    expect(zstdDecompressSync(second.bytes).equals(gunzipSync(first.bytes))).toBe(true);
    expect(second.bytes.length).toBeLessThan(first.bytes.length);
    const other = await call(docent, docent.adminKey, 'POST', '/v1/static-export/jobs', {
      domain: 'basic',
      archive: 'zip',
    });
    expect(other.status).toBe(400);
  });

  test('exports only the requested version or pages', async () => {
    const old = await start(docent, { domain: 'basic', version: 'v1' });
    await finish(docent, old.jobId);
    const oldFolder = await unpack(await bundleOf(docent, old.jobId));
    expect(existsSync(join(oldFolder, 'v1/guides/install.html'))).toBe(true);
    expect(existsSync(join(oldFolder, 'guides/install.html'))).toBe(false);
    const few = await start(docent, { domain: 'basic', paths: ['guides/install'] });
    expect(await finish(docent, few.jobId)).toMatchObject({ pageCount: 1 });
  });

  test('rejects an invalid or unknown domain, page, kind of key or job', async () => {
    const post = (body: object, key = docent.adminKey) =>
      call(docent, key, 'POST', '/v1/static-export/jobs', body);
    expect((await post({ domain: 'https://basic/' })).status).toBe(400);
    expect((await post({ domain: 'nobody' })).status).toBe(404);
    const paths = await post({ domain: 'basic', paths: ['guides/install', 'not/a/page'] });
    expect(paths.status).toBe(400);
    expect(JSON.stringify(await paths.json())).toContain('/paths/1');
    expect((await post({ domain: 'basic' }, docent.assistantKey)).status).toBe(403);
    expect(
      (await call(docent, docent.adminKey, 'GET', '/v1/static-export/jobs/se_0000000000000000'))
        .status,
    ).toBe(404);
  });

  test('returns the same job for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await start(docent, { domain: 'basic' }, headers);
    const again = await start(docent, { domain: 'basic' }, headers);
    expect(again.jobId).toBe(first.jobId);
  });

  test('rejects a forged or unsigned download link', async () => {
    const { jobId } = await start(docent, { domain: 'basic' });
    await finish(docent, jobId);
    const { bundleUrl } = await bundleOf(docent, jobId);
    const forged = new URL(bundleUrl);
    forged.searchParams.set('expires', String(Number(forged.searchParams.get('expires')) + 60));
    expect((await fetch(forged)).status).toBe(403);
    expect((await fetch(bundleUrl.split('?')[0] as string)).status).toBe(403);
  });
});

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
}

/** `page → reference` for every relative reference of the bundle whose target is missing. */
function brokenReferences(folder: string): string[] {
  const broken: string[] = [];
  for (const file of htmlFiles(folder)) {
    const html = readFileSync(join(folder, file), 'utf8');
    for (const [, reference = ''] of html.matchAll(/\s(?:href|src)="([^"#?]+)[^"]*"/g)) {
      if (/^[a-z]+:|^\/\//.test(reference)) continue;
      const target = normalize(join(dirname(file), decodeURI(reference)));
      if (!existsSync(join(folder, target))) broken.push(`${file} → ${reference}`);
    }
  }
  return [...new Set(broken)];
}
