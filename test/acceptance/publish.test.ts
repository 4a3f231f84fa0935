import { spawnSync } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fetchSite, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RawEntry, rawTarGz } from '../support/raw-tar.ts';
import { type RunningDocent, removeTemporaryFolders, runDocent, sharedDocent, temporaryFolder } from '../support/start-docent.ts';

const archiveOf = (entry: RawEntry) => Buffer.from(rawTarGz([entry]));

describe('publishing', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await sharedDocent();
  });
  afterAll(removeTemporaryFolders);

  const send = (archive: Uint8Array<ArrayBuffer>, slug = 'docent', type = 'application/gzip') =>
    fetch(`${docent.apiUrl}/v1/project/${slug}/source`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': type },
      body: archive,
    });
  const page = async (path: string) => {
    const [slug = '', ...rest] = path.split('/');
    return (await fetchSite(docent, slug, `/${rest.join('/')}`)).text();
  };

  test('reports warnings with file, line and remedy', async () => {
    const { report, logs } = await publishArchive(docent, 'reported', tarball(fixtureSite('basic')));
    expect(report?.pageCount).toBe(7);
    const unknown = report?.diagnostics.find((one) => one.code === 'unknown-component');
    expect(unknown).toMatchObject({ file: 'guides/components.mdx', line: 24 });
    expect(unknown?.remedy).not.toBe('');
    expect(report?.diagnostics.map((one) => one.code)).toContain('broken-link');
    expect(logs.join('\n')).toContain('guides/components.mdx:24');
  });

  test('uses the only folder at the root of an archive as the site', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', fixtureSite('basic'), join(folder, 'acme-docs-main')]);
    expect(await publishArchive(docent, 'wrapped', tarball(folder))).toMatchObject({ status: 'success' });
    expect(await page('wrapped/guides/install')).toContain('apt-get');
  });

  test('leaves the live site unchanged if the build fails, and reports why', async () => {
    await publishArchive(docent, 'kept', tarball(fixtureSite('basic')));
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'docs.json'), '{ "name": "Broken", ');
    const failed = await publishArchive(docent, 'kept', tarball(folder));
    expect(failed.status).toBe('failure');
    expect(failed.summary).toContain('docs.json');
    expect(await page('kept/guides/install')).toContain('apt-get');
  });

  test('replaces the old build with the new one', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('basic')}/.`, folder]);
    await publishArchive(docent, 'changed', tarball(folder));
    await writeFile(join(folder, 'guides/install.mdx'), '---\ntitle: Install\n---\n\nA new sentence.\n');
    await publishArchive(docent, 'changed', tarball(folder));
    expect(await page('changed/guides/install')).toContain('A new sentence.');
  });

  test.each([
    ['a path outside the tree', archiveOf({ name: '../outside.mdx', content: 'x' }), '../outside.mdx'],
    ['an absolute path', archiveOf({ name: '/etc/docent.mdx', content: 'x' }), '/etc/docent.mdx'],
    ['a link that points outside', archiveOf({ name: 'leak.mdx', flag: '2', linkName: '../../etc/passwd' }), 'leak.mdx'],
    ['a device', archiveOf({ name: 'disk', flag: '3' }), 'disk'],
  ])('rejects an archive with %s and names the entry', async (_, archive, name) => {
    const answer = await send(archive);
    expect(answer.status).toBe(400);
    const problem = (await answer.json()) as { code: string; detail: string };
    expect(problem.code).toBe('invalid_archive');
    expect(problem.detail).toContain(name);
  });

  test('rejects invalid archives, truncated archives, decompression bombs and other media types', async () => {
    const whole = tarball(fixtureSite('basic'));
    const bomb = archiveOf({ name: 'bomb.txt', content: Buffer.alloc(900 * 1024 * 1024) });
    for (const archive of [Buffer.from('no archive at all'), whole.subarray(0, whole.length / 2), bomb]) {
      const answer = await send(archive);
      expect([400, 413]).toContain(answer.status);
    }
    expect((await send(whole, 'docent', 'text/plain')).status).toBe(415);
    expect(await page('docent/quickstart')).toContain('Quickstart');
  });

  test('works on the command line through the running process, without a key', async () => {
    const { code, stdout, stderr } = await runDocent(['publish', fixtureSite('basic'), '--site', 'by-command', '--json'], {
      DOCENT_DATA: docent.dataFolder,
    });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', report: { pageCount: 7 } });
    expect(await page('by-command/guides/install')).toContain('apt-get');
  });

  test('works on the command line over HTTP with an admin key, and reports a rejected key', async () => {
    const env = { DOCENT_URL: docent.apiUrl, DOCENT_API_KEY: docent.adminKey };
    expect((await runDocent(['publish', fixtureSite('basic'), '--site', 'over-http'], env)).code).toBe(0);
    const refused = await runDocent(['publish', fixtureSite('basic'), '--site', 'over-http'], {
      ...env,
      DOCENT_API_KEY: docent.assistantKey,
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('key');
  });

  test('accepts keys from the command line until they are revoked', async () => {
    const env = { DOCENT_DATA: docent.dataFolder };
    const made = JSON.parse((await runDocent(['keys', 'create', '--kind', 'admin', '--json'], env)).stdout) as {
      id: string;
      key: string;
    };
    expect((await call(docent, made.key, 'GET', '/v1/projects')).status).toBe(200);
    const listed = await runDocent(['keys', 'list'], env);
    expect(listed.stdout).toContain(made.id);
    expect(listed.stdout).not.toContain(made.key);
    expect((await runDocent(['keys', 'revoke', made.id], env)).code).toBe(0);
    expect((await call(docent, made.key, 'GET', '/v1/projects')).status).toBe(401);
  });

  test('shows changes when repeated, even if the build cache is damaged', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('basic')}/.`, folder]);
    const publishText = async (text: string) => {
      await writeFile(join(folder, 'guides/install.mdx'), `---\ntitle: Install\n---\n\n${text}\n`);
      expect(await publishArchive(docent, 'again', tarball(folder))).toMatchObject({ status: 'success' });
      return page('again/guides/install');
    };
    expect(await publishText('The first text.')).toContain('The first text.');
    expect(await publishText('The second text.')).toContain('The second text.');
    const kept = join(docent.dataFolder, 'blobs/cache');
    const files = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) await writeFile(join(file.parentPath, file.name), 'damaged');
    expect(await publishText('The third text.')).toContain('The third text.');
    expect(await page('again/guides/components')).toContain('Components');
  });

  test('replaces symbolic links within the folder with their targets', async () => {
    const folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('basic')}/.`, folder]);
    await mkdir(join(folder, 'shared'));
    await writeFile(join(folder, 'shared/page.mdx'), '---\ntitle: Shared\n---\n\nShared text.\n');
    await symlink('../shared/page.mdx', join(folder, 'guides/linked.mdx'));
    expect(await publishArchive(docent, 'linked', tarball(folder))).toMatchObject({ status: 'success' });
    expect(await page('linked/guides/linked')).toContain('Shared text.');
  });
});
