import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { fixtureSite } from '../support/http.ts';
import {
  removeTemporaryFolders,
  root,
  runDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 300_000 });
afterAll(removeTemporaryFolders);

interface Verified {
  pageCount: number;
  signed: boolean;
  brokenLinks: { file: string; address: string; reason: string }[];
}

async function exportTo(folder: string, archive: string, ...more: string[]): Promise<void> {
  const { code, stderr } = await runDocent(['export', folder, '--out', archive, ...more], {
    SOURCE_DATE_EPOCH: '1763683200',
  });
  expect(code, stderr).toBe(0);
}

async function verify(archive: string, ...more: string[]): Promise<Verified> {
  const { stdout, stderr } = await runDocent(['verify', archive, '--json', ...more]);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as Verified;
}

describe('a bundle', () => {
  test.each(['basic', 'code', 'themes', 'islands'])(
    'of the fixture %s contains every linked page and file and loads nothing from another origin',
    async (name) => {
      const archive = join(await temporaryFolder(), 'bundle.tar.gz');
      await exportTo(fixtureSite(name), archive);
      expect((await verify(archive, '--links')).brokenLinks).toEqual([]);
    },
  );

  test('is identical from two folders, has its hash and signature next to it, and is rejected when truncated', async () => {
    const folder = await temporaryFolder();
    await cp(fixtureSite('basic'), join(folder, 'copy'), { recursive: true });
    expect((await runDocent(['signing-key', join(folder, 'key')])).code).toBe(0);
    const [first, second] = [join(folder, 'first', 'bundle.tar.gz'), join(folder, 'bundle.tar.gz')];
    // Outside the repository of this project, whose history determines when a page was last
    // changed.
    await cp(fixtureSite('basic'), join(folder, 'first'), { recursive: true });
    await exportTo(join(folder, 'first'), first);
    await exportTo(join(folder, 'copy'), second, '--signing-key', join(folder, 'key'));
    expect((await readFile(second)).equals(await readFile(first))).toBe(true);
    expect(await readFile(`${second}.sha256`, 'utf8')).toMatch(
      /^[0-9a-f]{64} {2}bundle\.tar\.gz\n$/,
    );
    expect((await verify(second, '--key', join(folder, 'key.pub'))).signed).toBe(true);
    const unsigned = await runDocent(['verify', first, '--key', join(folder, 'key.pub')]);
    expect([unsigned.code === 0, unsigned.stderr]).toEqual([
      false,
      expect.stringContaining('no signature'),
    ]);
    await writeFile(second, (await readFile(second)).subarray(0, -1));
    expect((await runDocent(['verify', second])).stderr).toContain('incomplete');
  });
});

/*
 * Real documentation repositories by other authors, next to this checkout on development machines.
 * If they are missing, these tests are skipped with a message. Check the larger ones by hand with
 * `docent verify --links`.
 */
const corpora = join(root, '..', 'shared', 'corpora');
const hasCorpora = existsSync(corpora);
if (!hasCorpora)
  process.stdout.write(
    'skipped: the real documentation repositories are not next to this checkout (../shared/corpora)\n',
  );

function isSmall(name: string): boolean {
  const folder = join(corpora, name);
  const hasConfig = ['docs.json', 'mint.json'].some((file) => existsSync(join(folder, file)));
  return (
    hasConfig &&
    statSync(folder).isDirectory() &&
    readdirSync(folder, { recursive: true }).length < 150
  );
}

describe.skipIf(!hasCorpora)('a bundle of the real repository', () => {
  test.each(hasCorpora ? readdirSync(corpora).filter(isSmall) : [])(
    '%s contains every linked page and file',
    async (name) => {
      const archive = join(await temporaryFolder(), 'bundle.tar.gz');
      await exportTo(join(corpora, name), archive);
      const { brokenLinks, pageCount } = await verify(archive, '--links');
      expect(brokenLinks).toEqual([]);
      expect(pageCount).toBeGreaterThan(10);
    },
  );
});
