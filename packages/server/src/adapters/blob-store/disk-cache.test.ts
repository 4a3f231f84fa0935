import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedStore } from '../../../../../test/support/exported-site.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { blobStoreContract } from '../../ports/blob-store.contract.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { openDiskCache } from './disk-cache.ts';
import { openFileSystemBlobStore } from './file-system.ts';

const folder = () => mkdtemp(join(tmpdir(), 'docent-cache-'));
const isImmutable = (key: string) => !key.startsWith('mutable/');

blobStoreContract('cache on disk', async () => {
  const folders = [await folder(), await folder()] as const;
  let now = Date.parse('2030-01-01T00:00:00Z');
  const clock = { now: () => new Date(now) };
  const behind = await openFileSystemBlobStore({
    folder: folders[0],
    linkBaseUrl: 'https://docs.example/',
    secret: 's',
    clock,
  });
  const options = {
    store: behind,
    folder: folders[1],
    maxBytes: 1_000_000_000,
    isImmutable: () => true,
    logger: silentLogger,
  };
  const store = await openDiskCache(options);
  return {
    store,
    follow: async (url) => {
      const { pathname, searchParams } = new URL(url);
      const key = pathname.replace(/^\/blobs\//, '');
      const verdict = behind.verifyLink(key, searchParams);
      const bytes = verdict.ok ? await store.read(key) : undefined;
      return verdict.ok && bytes ? { ok: true, bytes, filename: verdict.filename } : { ok: false };
    },
    passTime: (seconds) => {
      now += seconds * 1000;
    },
    close: async () => {
      await store.close();
      for (const one of folders) await rm(one, { recursive: true });
    },
  };
});

describe('the cache on disk', () => {
  let folders: string[];
  let behind: BlobStore;
  let isAway: boolean;
  beforeEach(async () => {
    folders = [await folder(), await folder()];
    isAway = false;
    const options = {
      folder: folders[0] as string,
      linkBaseUrl: 'http://localhost',
      secret: 's',
      clock: { now: () => new Date() },
    };
    const store = await openFileSystemBlobStore(options);
    const orAway =
      <Values extends unknown[], Result>(work: (...values: Values) => Promise<Result>) =>
      async (...values: Values): Promise<Result> => {
        if (isAway) throw new Error('The store is away.');
        return work.apply(store, values);
      };
    behind = changedStore(store, {
      read: orAway(store.read),
      get: orAway(store.get),
      stat: orAway(store.stat),
    });
  });
  afterEach(async () => {
    for (const one of folders) await rm(one, { recursive: true });
  });
  const open = (maxBytes = 1_000_000) =>
    openDiskCache({
      store: behind,
      folder: folders[1] as string,
      maxBytes,
      isImmutable,
      logger: silentLogger,
    });
  const files = async () =>
    (await readdir(folders[1] as string, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  const text = async (chunks: AsyncIterable<Uint8Array> | undefined) => {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks ?? []) parts.push(chunk);
    return Buffer.concat(parts).toString();
  };
  const bytesOf = async (bytes: Promise<Uint8Array | undefined>) =>
    Buffer.from((await bytes) ?? []).toString();

  test('returns what was read or kept, whole and in parts, while the store is unavailable, also in a new process', async () => {
    await behind.put('files/read', Buffer.from('what was read'));
    await behind.put('files/kept', Buffer.from('what was kept'));
    const first = await open();
    await first.read('files/read');
    expect(await first.keep('files/kept')).toBe(13);
    await first.close();
    isAway = true;
    const store = await open();
    expect(await bytesOf(store.read('files/read'))).toBe('what was read');
    expect(await text(await store.get('files/kept'))).toBe('what was kept');
    expect(await text(await store.get('files/kept', { start: 5, end: 7 }))).toBe('was');
    expect(await store.stat('files/kept')).toMatchObject({ sizeBytes: 13 });
    await expect(store.read('files/other')).rejects.toThrow('away');
    await expect(store.stat('files/other')).rejects.toThrow('away');
    await store.close();
  });

  test('does not cache what may change, nor what the store returns under the hash of something else', async () => {
    const hash = createHash('sha256').update('right').digest('hex');
    for (const key of ['mutable/a', `files/ab/${hash}`])
      await behind.put(key, Buffer.from('wrong'));
    const store = await open();
    for (const key of ['mutable/a', `files/ab/${hash}`]) await store.read(key);
    expect(await store.keep('mutable/a')).toBe(0);
    await store.keep(`files/ab/${hash}`);
    await store.close();
    expect(await files()).toEqual([]);
  });

  test.each([
    ['cut short by a crash', (file: string) => truncate(file, 20)],
    ['empty', (file: string) => truncate(file, 0)],
    [
      'of another key',
      (file: string) =>
        writeFile(
          file,
          Buffer.concat([Buffer.from('x'), createHash('sha256').update('x').digest()]),
        ),
    ],
    [
      'changed in one bit',
      async (file: string) => {
        const bytes = await readFile(file);
        bytes[0] = (bytes[0] as number) ^ 1;
        await writeFile(file, bytes);
      },
    ],
  ])('never returns a file that is %s: it is deleted, and read again', async (_name, damage) => {
    await behind.put('files/a', Buffer.from('the right bytes of the file'));
    const first = await open();
    await first.keep('files/a');
    await first.close();
    for (const how of ['read', 'get'] as const) {
      const [file] = await files();
      await damage(file as string);
      const store = await open();
      const content =
        how === 'read'
          ? await bytesOf(store.read('files/a'))
          : await text(await store.get('files/a'));
      expect(content).toBe('the right bytes of the file');
      await store.keep('files/a');
      expect(await bytesOf(store.read('files/a'))).toBe('the right bytes of the file');
      await store.close();
    }
  });

  test('deletes what a killed process was writing when it opens', async () => {
    await (await open()).close();
    await writeFile(join(folders[1] as string, '.unfinished', 'left-over'), 'half');
    await (await open()).close();
    expect(await files()).toEqual([]);
  });

  test('stays within its bytes, and deletes the files that were not used for the longest time', async () => {
    const store = await open(10_000);
    for (let at = 0; at < 9; at++) {
      await behind.put(`files/${at}`, Buffer.alloc(1000, at));
      await store.keep(`files/${at}`);
    }
    const old = new Date(Date.now() - 7_200_000);
    for (const file of await files()) await utimes(file, old, old);
    await store.keep('files/3');
    for (let at = 9; at < 16; at++) {
      await behind.put(`files/${at}`, Buffer.alloc(1000, at));
      await store.keep(`files/${at}`);
      expect(store.figures.bytes).toBeLessThanOrEqual(10_000);
    }
    expect((await files()).length).toBeLessThanOrEqual(9);
    isAway = true;
    expect(await store.read('files/3')).toHaveLength(1000);
    expect(await store.read('files/15')).toHaveLength(1000);
    await expect(store.read('files/0')).rejects.toThrow('away');
    await store.close();
  });

  test('does not store a blob that would push out many others, and returns it', async () => {
    await behind.put('files/large', Buffer.alloc(5000));
    const store = await open(10_000);
    expect(await store.read('files/large')).toHaveLength(5000);
    expect(await store.keep('files/large')).toBe(0);
    await store.close();
    expect(await files()).toEqual([]);
  });

  test('returns blobs when its folder cannot be written', async () => {
    await behind.put('files/a', Buffer.from('bytes'));
    const store = await open();
    await rm(folders[1] as string, { recursive: true });
    await writeFile(folders[1] as string, 'not a folder');
    expect(await bytesOf(store.read('files/a'))).toBe('bytes');
    expect(await text(await store.get('files/a'))).toBe('bytes');
    await store.close();
  });
});
