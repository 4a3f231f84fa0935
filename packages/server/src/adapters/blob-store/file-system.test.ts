import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BlobStoreHarness, blobStoreContract } from '../../ports/blob-store.contract.ts';
import { openFileSystemBlobStore, removeLeftOvers, unfinishedName } from './file-system.ts';
import { loadOrCreateSecret } from './secret-file.ts';

blobStoreContract('file system', async (): Promise<BlobStoreHarness> => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-blobs-'));
  let now = Date.parse('2030-01-01T00:00:00Z');
  const clock = { now: () => new Date(now) };
  const store = await openFileSystemBlobStore({
    folder,
    linkBaseUrl: 'https://docs.example/',
    secret: 'secret',
    clock,
  });
  return {
    store,
    follow: async (url) => {
      const { pathname, searchParams } = new URL(url);
      const key = pathname.replace(/^\/blobs\//, '');
      const verdict = store.verifyLink(key, searchParams);
      const bytes = verdict.ok ? await store.read(key) : undefined;
      return verdict.ok && bytes ? { ok: true, bytes, filename: verdict.filename } : { ok: false };
    },
    passTime: (seconds) => {
      now += seconds * 1000;
    },
    close: async () => {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('the file system blob store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-blobs-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const clock = { now: () => new Date() };
  const open = (secret = 'secret') =>
    openFileSystemBlobStore({ folder, linkBaseUrl: 'http://localhost:3000', secret, clock });

  test('deletes unfinished files and keeps stored blobs when it opens', async () => {
    await (await open()).put('a/b', Buffer.from('kept'));
    await writeFile(join(folder, '.unfinished', 'left-over'), 'half');
    const store = await open();
    expect(await readdir(join(folder, '.unfinished'))).toEqual([]);
    expect(Buffer.from((await store.read('a/b')) ?? []).toString()).toBe('kept');
  });

  test('leaves no temporary file after a failed put', async () => {
    const store = await open();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('the source broke');
    }
    await expect(store.put('a', broken())).rejects.toThrow('the source broke');
    expect(await readdir(join(folder, '.unfinished'))).toEqual([]);
  });

  test('throws for a truncated or foreign file instead of returning wrong bytes', async () => {
    const store = await open();
    await store.put('cut', Buffer.from('x'.repeat(1000)));
    const shard = (await readdir(folder)).find((name) => /^\.[0-9a-f]{2}$/.test(name)) ?? '';
    for (const content of ['', 'abc', 'x'.repeat(500), `\xff\xff\xff\xffdcnt`]) {
      await writeFile(join(folder, shard, 'cut'), content, 'latin1');
      await expect(store.read('cut')).rejects.toThrow('not a whole blob');
    }
  });

  test('creates links with a visible expiry, and rejects links that were signed with another secret', async () => {
    const { url } = await (await open()).presign('a/b', {
      expiresInSeconds: 900,
      filename: 'b.tar.gz',
    });
    expect(url).toMatch(
      /^http:\/\/localhost:3000\/blobs\/a\/b\?expires=\d+&filename=b.tar.gz&signature=[0-9a-f]{64}$/,
    );
    const query = new URL(url).searchParams;
    expect((await open()).verifyLink('a/b', query)).toEqual({ ok: true, filename: 'b.tar.gz' });
    expect((await open('other')).verifyLink('a/b', query)).toEqual({ ok: false, reason: 'forged' });
  });
});

describe('the secret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is created once, also by concurrent starts, and only its owner can read it', async () => {
    const file = join(folder, 'keys', 'secret');
    const secrets = await Promise.all([1, 2, 3, 4].map(() => loadOrCreateSecret(file)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await loadOrCreateSecret(file)).toBe(secrets[0]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'keys'))).toEqual(['secret']);
  });

  test('causes an error that explains the fix if it is damaged', async () => {
    const file = join(folder, 'secret');
    await writeFile(file, '');
    await expect(loadOrCreateSecret(file)).rejects.toThrow('is damaged. Restore it');
  });
});

test('files left by ended processes are removed, and files of running processes stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-unfinished-'));
  const ours = hostname().replace(/[^A-Za-z0-9-]/g, '') || 'here';
  const names = {
    own: unfinishedName(),
    parent: `${ours}.${process.ppid}.a`,
    dead: `${ours}.999999999.a`,
    odd: 'left-over',
  };
  const foreign = { fresh: 'elsewhere.1.a', old: 'elsewhere.1.b' };
  for (const name of [...Object.values(names), ...Object.values(foreign)])
    await writeFile(join(folder, name), 'half');
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(folder, foreign.old), longAgo, longAgo);
  await removeLeftOvers(folder);
  expect((await readdir(folder)).sort()).toEqual([names.parent, foreign.fresh].sort());
  await rm(folder, { recursive: true });
});
