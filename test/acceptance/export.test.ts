import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtureSite, publishArchive, tarball, until } from '../support/http.ts';
import { type RunningDocent, removeTemporaryFolders, startDocent, temporaryFolder } from '../support/start-docent.ts';

interface Job {
  jobId: string;
  status: string;
  progress: number;
  pageCount: number;
  totalPages: number | null;
  error?: string;
}

interface Bundle {
  bundleUrl: string;
  sizeBytes: number;
  sha256: string;
  expiresAt: string;
}

const start = async (docent: RunningDocent, body: object, headers: Record<string, string> = {}) => {
  const answer = await call(docent, docent.adminKey, 'POST', '/v1/static-export/jobs', body, headers);
  expect(answer.status).toBe(202);
  return (await answer.json()) as Job;
};
const status = async (docent: RunningDocent, jobId: string) =>
  (await (await call(docent, docent.adminKey, 'GET', `/v1/static-export/jobs/${jobId}`)).json()) as Job;
const finish = (docent: RunningDocent, jobId: string) =>
  until(async () => {
    const job = await status(docent, jobId);
    return job.status === 'completed' || job.status === 'failed' ? job : undefined;
  });
const bundleOf = async (docent: RunningDocent, jobId: string) =>
  (await (await call(docent, docent.adminKey, 'POST', `/v1/static-export/jobs/${jobId}/bundle`)).json()) as Bundle;

/** Downloads a bundle without any header and unpacks it. */
async function unpack({ bundleUrl, sizeBytes, sha256 }: Bundle): Promise<string> {
  const bytes = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer());
  expect(bytes).toHaveLength(sizeBytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'bundle.tar.gz'), bytes);
  expect(spawnSync('tar', ['-xzf', 'bundle.tar.gz'], { cwd: folder }).status).toBe(0);
  return folder;
}

describe('static export', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await startDocent();
    await publishArchive(docent, 'basic', tarball(fixtureSite('basic')));
  });
  afterAll(async () => {
    await docent.stop();
    await removeTemporaryFolders();
  });

  test('gives one archive whose every link and file is in it', async () => {
    const { jobId } = await start(docent, { domain: 'basic' });
    expect(jobId).toMatch(/^se_[0-9a-f]{16}$/);
    expect(await finish(docent, jobId)).toMatchObject({ status: 'completed', progress: 100, pageCount: 7, totalPages: 7 });
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
    expect(readFileSync(join(folder, 'sitemap.xml'), 'utf8')).toContain('/sites/basic/guides/install</loc>');
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
      schemaVersion: number;
      pages: { file: string; sha256: string }[];
    };
    const listed = manifest.pages.find(({ file }) => file === 'guides/install.html');
    expect(listed?.sha256).toBe(createHash('sha256').update(page).digest('hex'));
  });

  test('loads nothing from another origin', async () => {
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

  test('exports the same content to the same bytes, under a fresh link each time', async () => {
    const first = await start(docent, { domain: 'basic' });
    const second = await start(docent, { domain: 'basic' });
    await finish(docent, first.jobId);
    await finish(docent, second.jobId);
    const one = await bundleOf(docent, first.jobId);
    const other = await bundleOf(docent, second.jobId);
    expect(one.sha256).toBe(other.sha256);
    expect((await bundleOf(docent, first.jobId)).sha256).toBe(one.sha256);
  });

  test('exports only the version or the pages that were asked for', async () => {
    const old = await start(docent, { domain: 'basic', version: 'v1' });
    await finish(docent, old.jobId);
    const oldFolder = await unpack(await bundleOf(docent, old.jobId));
    expect(existsSync(join(oldFolder, 'v1/guides/install.html'))).toBe(true);
    expect(existsSync(join(oldFolder, 'guides/install.html'))).toBe(false);
    const few = await start(docent, { domain: 'basic', paths: ['guides/install'] });
    expect(await finish(docent, few.jobId)).toMatchObject({ pageCount: 1 });
  });

  test('refuses what cannot be exported, naming it', async () => {
    const post = (body: object, key = docent.adminKey) => call(docent, key, 'POST', '/v1/static-export/jobs', body);
    expect((await post({ domain: 'https://basic/' })).status).toBe(400);
    expect((await post({ domain: 'nobody' })).status).toBe(404);
    const paths = await post({ domain: 'basic', paths: ['guides/install', 'not/a/page'] });
    expect(paths.status).toBe(400);
    expect(JSON.stringify(await paths.json())).toContain('/paths/1');
    expect((await post({ domain: 'basic' }, docent.assistantKey)).status).toBe(403);
    expect((await call(docent, docent.adminKey, 'GET', '/v1/static-export/jobs/se_0000000000000000')).status).toBe(404);
  });

  test('an Idempotency-Key gives the same job again', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await start(docent, { domain: 'basic' }, headers);
    const again = await start(docent, { domain: 'basic' }, headers);
    expect(again.jobId).toBe(first.jobId);
  });

  test('a forged link is refused', async () => {
    const { jobId } = await start(docent, { domain: 'basic' });
    await finish(docent, jobId);
    const { bundleUrl } = await bundleOf(docent, jobId);
    const forged = new URL(bundleUrl);
    forged.searchParams.set('expires', String(Number(forged.searchParams.get('expires')) + 60));
    expect((await fetch(forged)).status).toBe(403);
    expect((await fetch(bundleUrl.split('?')[0] as string)).status).toBe(403);
  });

  test('a process that is killed in the middle finishes the job after a restart, and never shows half a bundle', async () => {
    const folder = await temporaryFolder();
    manyPages(folder, 600);
    let running = await startDocent();
    await publishArchive(running, 'many', tarball(folder));
    const { jobId } = await start(running, { domain: 'many' });
    let seen = 0;
    await until(async () => {
      seen = (await status(running, jobId)).progress;
      return seen > 0 ? true : undefined;
    });
    await running.kill();
    running = await startDocent({ dataFolder: running.dataFolder, port: running.port });
    const early = await call(running, running.adminKey, 'POST', `/v1/static-export/jobs/${jobId}/bundle`);
    if ((await status(running, jobId)).status !== 'completed') expect(early.status).toBe(409);
    for (let last = seen; ; await wait(50)) {
      const job = await status(running, jobId);
      expect(job.progress).toBeGreaterThanOrEqual(last);
      last = job.progress;
      if (job.status === 'completed') break;
      expect(job.status).not.toBe('failed');
    }
    const bundle = await bundleOf(running, jobId);
    const unpacked = await unpack(bundle);
    expect(htmlFiles(unpacked).length).toBeGreaterThanOrEqual(600);
    await running.stop();
  }, 120_000);
});

function manyPages(folder: string, count: number): void {
  const names = Array.from({ length: count }, (_, index) => `page-${index}`);
  writeFileSync(
    join(folder, 'docs.json'),
    JSON.stringify({
      theme: 'mint',
      name: 'Many',
      colors: { primary: '#123456' },
      navigation: { groups: [{ group: 'All', pages: names }] },
    }),
  );
  for (const name of names)
    writeFileSync(join(folder, `${name}.mdx`), `---\ntitle: ${name}\n---\n\n${'Some text that fills the page. '.repeat(200)}\n`);
}

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
}

/** `page → reference` for every relative reference of the bundle that leads to nothing in it. */
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
