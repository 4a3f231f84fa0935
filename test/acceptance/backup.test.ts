import { readdirSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { expectFilled, type Filled, fillPlatform, SITE } from '../support/filled-platform.ts';
import { call, fetchSite, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 240_000 });

const SAMPLE_KEYS = '{"adminKey":"svc_of-the-sample"}';

describe('a backup of a running server with embedded storage', () => {
  let docent: RunningDocent;
  let filled: Filled;
  let folder: string;
  let backup: string;
  const at = (name: string) => join(folder, name);
  const restore = (data: string, ...args: string[]) =>
    runDocent(['restore', ...args], { DOCENT_DATA: at(data) });

  beforeAll(async () => {
    docent = await startDocent({ isFirst: true, isBasic: true });
    filled = await fillPlatform(docent);
    // As `docent serve --sample` writes it.
    await writeFile(join(docent.dataFolder, 'sample-keys.json'), SAMPLE_KEYS, { mode: 0o600 });
    backup = join(await temporaryFolder(), 'backup.tar.gz');
    const made = await runDocent(['backup', backup, '--json'], { DOCENT_DATA: docent.dataFolder });
    expect(made.stderr).toBe('');
    expect(JSON.parse(made.stdout)).toMatchObject({
      file: backup,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterAll(async () => {
    await docent?.stop();
    await removeTemporaryFolders();
  });

  test('is one file that only its owner can read, and nothing else is left', async () => {
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(backup))).toEqual(['backup.tar.gz']);
    expect(readdirSync(join(docent.dataFolder, 'snapshots'))).toEqual([]);
  });

  test('is refused if a byte of it is different or its end is missing, and leaves the target empty; whole, it restores pages, keys, people with their sessions, threads, bundles and analytics', async () => {
    const bytes = await readFile(backup);
    await writeFile(at('short.tar.gz'), bytes.subarray(0, bytes.length - 5000));
    const changed = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    changed[middle] = (changed[middle] as number) ^ 1;
    await writeFile(at('changed.tar.gz'), changed);
    await writeFile(at('foreign.tar.gz'), 'not an archive');
    for (const name of ['short.tar.gz', 'changed.tar.gz', 'foreign.tar.gz']) {
      const { code, stderr } = await restore('empty', at(name));
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^docent: The backup is damaged or incomplete: .*\n$/),
      ]);
    }
    expect(readdirSync(at('empty'))).not.toContain('database');

    const restored = await restore('empty', backup);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(await readFile(at('empty/sample-keys.json'), 'utf8')).toBe(SAMPLE_KEYS);
    const copy = await startDocent({ dataFolder: at('empty'), isBasic: true });
    try {
      await expectFilled(copy, filled, copy.port);
    } finally {
      await copy.stop();
    }
  });

  test('is not restored into a folder that a server uses, even with --replace', async () => {
    const { code, stderr } = await runDocent(['restore', backup, '--replace'], {
      DOCENT_DATA: docent.dataFolder,
    });
    expect([code, stderr]).toEqual([
      3,
      `docent: Another process is using the data folder ${docent.dataFolder}; stop it, or choose another folder.\n`,
    ]);
  });

  test('is encrypted on request, and needs its passphrase then; replaces a platform that is in use only with --replace, which is backed up again while it is stopped', async () => {
    await writeFile(at('passphrase'), 'a long passphrase\n');
    await writeFile(at('other'), 'another passphrase\n');
    const data = { DOCENT_DATA: docent.dataFolder };
    expect(
      (await runDocent(['backup', at('secret.age'), '--encrypt', at('passphrase')], data)).code,
    ).toBe(0);
    expect((await readFile(at('secret.age'))).subarray(0, 22).toString()).toBe(
      'age-encryption.org/v1\n',
    );
    const without = await restore('target', at('secret.age'));
    expect([without.code, without.stderr]).toEqual([
      2,
      expect.stringContaining('--passphrase <file>'),
    ]);
    const wrong = await restore('target', at('secret.age'), '--passphrase', at('other'));
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('the passphrase is another one'),
    ]);
    const decrypt = [at('secret.age'), '--passphrase', at('passphrase')];
    expect((await restore('target', ...decrypt)).code).toBe(0);
    const again = await restore('target', backup);
    expect([again.code, again.stderr]).toEqual([
      2,
      `docent: The data folder ${at('target')} is in use. Choose an empty target, or add --replace to delete what it has.\n`,
    ]);
    expect((await restore('target', backup, '--replace')).code).toBe(0);
    const stopped = await runDocent(['backup', at('second.tar.gz')], { DOCENT_DATA: at('target') });
    expect([stopped.code, stopped.stderr]).toEqual([0, '']);
  });

  test('never replaces a file', async () => {
    const { code, stderr } = await runDocent(['backup', backup], {
      DOCENT_DATA: docent.dataFolder,
    });
    expect([code, stderr]).toEqual([
      2,
      `docent: The file ${backup} exists already; choose another name.\n`,
    ]);
  });

  test('without one file is still served: the page says what is missing, verify-store names the site, and a rebuild repairs it', async () => {
    const data = at('broken');
    expect((await restore('broken', backup)).code).toBe(0);
    const manifests = join(data, 'blobs/manifests');
    for (const shard of readdirSync(manifests))
      await rm(join(manifests, shard), { recursive: true });
    const copy = await startDocent({ dataFolder: data, isBasic: true });
    try {
      const page = await fetchSite(copy, SITE, '/guides/install', {
        headers: { accept: 'application/json' },
      });
      expect([page.status, await page.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'site_files_missing' }),
      ]);
      expect(copy.log()).toContain('docent verify-store');
      const broken = await runDocent(['verify-store'], { DOCENT_DATA: data });
      expect([broken.code, broken.stdout]).toEqual([
        1,
        expect.stringMatching(/site restored, live deployment .*\n {2}missing {2}manifests\//),
      ]);
      const rebuild = await call(copy, filled.adminKey, 'POST', `/v1/project/update/${SITE}`);
      const { statusId } = (await rebuild.json()) as { statusId: string };
      await until(async () => {
        const path = `/v1/project/update-status/${statusId}`;
        const { status } = (await (await call(copy, filled.adminKey, 'GET', path)).json()) as {
          status: string;
        };
        return status === 'success' ? true : undefined;
      });
      expect((await fetchSite(copy, SITE, '/guides/install')).status).toBe(200);
      const mended = await runDocent(['verify-store', '--json'], { DOCENT_DATA: data });
      const { faults } = JSON.parse(mended.stdout) as { faults: { of: string; site: string }[] };
      const live = faults.filter(({ of }) => of.startsWith('live'));
      expect(new Set(live.map(({ site }) => site))).toEqual(new Set(['docent']));
    } finally {
      await copy.stop();
    }
  });
});
