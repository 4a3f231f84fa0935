import type { ExportStore } from '@docent/compiler/off-thread/export-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlobStore } from './blob-store.ts';

/** A store, and what a reader of its links can do. */
export interface BlobStoreHarness {
  store: BlobStore;
  /** Opens a link as a browser does, without any header. */
  follow(url: string): Promise<{ ok: true; bytes: Uint8Array; filename: string } | { ok: false }>;
  /** Lets time pass; absent if the store has its own clock. */
  passTime?(seconds: number): void;
  close(): Promise<void>;
}

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

async function join(chunks: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  if (chunks === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield encode(text);
}

/** What every blob store guarantees. `open` returns an empty one each time. */
export function blobStoreContract(name: string, open: () => Promise<BlobStoreHarness>): void {
  describe(`blob store: ${name}`, () => {
    let harness: BlobStoreHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());
    const store = () => harness.store;
    const listed = async (prefix: string) => {
      const keys: string[] = [];
      for await (const key of store().list(prefix)) keys.push(key);
      return keys;
    };
    describeReadingAndWriting(store);
    describeFailures(store, listed);
    describeKeys(store, listed);
    describeLinks(() => harness);
  });
}

function describeReadingAndWriting(store: () => BlobStore): void {
  test('a stored blob is read back, at once and in chunks, with its size and type', async () => {
    const info = await store().put('a/one.txt', encode('hello'), {
      contentType: 'text/plain; charset=utf-8',
    });
    expect(info).toEqual({ sizeBytes: 5, contentType: 'text/plain; charset=utf-8' });
    expect(await store().stat('a/one.txt')).toEqual(info);
    expect(decode(await store().read('a/one.txt'))).toBe('hello');
    expect(await join(await store().get('a/one.txt'))).toBe('hello');
    await store().put('a/stream', pieces('he', '', 'llo'), { sizeBytes: 5 });
    expect(decode(await store().read('a/stream'))).toBe('hello');
    expect((await store().stat('a/stream'))?.contentType).toBe('application/octet-stream');
  });

  test('another process on this machine reads what is stored, from a store that says how', async () => {
    const { reader } = store();
    if (!reader) return;
    const { openStore } = (await import(reader.module)) as {
      openStore(options: unknown): ExportStore;
    };
    const { read, has } = openStore(structuredClone(reader.options));
    await store().put('files/text', encode('0123456789'), { contentType: 'text/plain' });
    expect(decode(await read({ key: 'files/text' }))).toBe('0123456789');
    expect(decode(await read({ key: 'files/text', range: { start: 3, end: 5 } }))).toBe('345');
    expect([await has('files/text'), await has('files/none')]).toEqual([true, false]);
    expect(await read({ key: 'files/none' })).toBeUndefined();
    await expect(read({ key: '../text' })).rejects.toThrow('is not a blob key');
  });

  test('reading a missing blob returns undefined, and deleting it is not an error', async () => {
    await store().delete('nothing');
    expect(await store().get('nothing')).toBeUndefined();
    expect(await store().read('nothing/at/all')).toBeUndefined();
    expect(await store().stat('nothing')).toBeUndefined();
    await store().put('gone', encode('x'));
    await store().delete('gone');
    expect(await store().read('gone')).toBeUndefined();
  });

  test('an empty blob can be stored and read', async () => {
    await store().put('empty', new Uint8Array(0));
    expect((await store().stat('empty'))?.sizeBytes).toBe(0);
    expect(await join(await store().get('empty'))).toBe('');
  });

  test('a range returns the bytes from its start to its end, inclusive, up to the end of the blob', async () => {
    await store().put('range', encode('0123456789'));
    expect(await join(await store().get('range', { start: 2, end: 4 }))).toBe('234');
    expect(await join(await store().get('range', { start: 9, end: 9 }))).toBe('9');
    expect(await join(await store().get('range', { start: 7, end: 1000 }))).toBe('789');
  });

  test('a blob of several megabytes is streamed in chunks, unchanged', async () => {
    const chunk = Uint8Array.from({ length: 1 << 20 }, (_, index) => (index * 31) % 251);
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 12; count += 1) yield chunk;
    }
    await store().put('large', body(), { sizeBytes: 12 << 20 });
    let position = 0;
    let same = true;
    for await (const part of (await store().get('large')) ?? []) {
      for (let index = 0; index < part.length; index += 997)
        same &&= part[index] === chunk[(position + index) % chunk.length];
      position += part.length;
    }
    expect({ position, same }).toEqual({ position: 12 << 20, same: true });
  });

  test("content that looks like the store's own data is returned unchanged", async () => {
    await store().put('first', encode('inner'), { contentType: 'text/html' });
    const tricky = Buffer.concat([
      encode('x'),
      encode('text/html\0\0\0\x09dcnt'),
      Buffer.from([0, 0, 0, 9]),
    ]);
    await store().put('tricky', tricky, { contentType: 'image/png' });
    expect(Buffer.from((await store().read('tricky')) ?? []).equals(tricky)).toBe(true);
    expect((await store().stat('tricky'))?.contentType).toBe('image/png');
  });
}

function describeFailures(
  store: () => BlobStore,
  listed: (prefix: string) => Promise<string[]>,
): void {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield encode('half');
    throw new Error('the source broke');
  }

  test('a put that fails midway leaves nothing behind and keeps the previous blob', async () => {
    await expect(store().put('broken/new', broken())).rejects.toThrow('the source broke');
    expect(await listed('broken/')).toEqual([]);
    await store().put('broken/old', encode('old'));
    await expect(store().put('broken/old', broken())).rejects.toThrow('the source broke');
    expect(decode(await store().read('broken/old'))).toBe('old');
  });

  test('an aborted put ends immediately, even while its source is stalled, and leaves nothing behind', async () => {
    const abort = new AbortController();
    const waiting = Promise.withResolvers<void>();
    async function* stuck(): AsyncGenerator<Uint8Array> {
      yield encode('half');
      waiting.resolve();
      await new Promise(() => {});
    }
    const put = store().put('aborted/new', stuck(), { signal: abort.signal });
    await waiting.promise;
    abort.abort(new Error('no longer wanted'));
    await expect(put).rejects.toThrow('no longer wanted');
    await expect(store().put('aborted/new', encode('x'), { signal: abort.signal })).rejects.toThrow(
      'no longer wanted',
    );
    expect(await listed('aborted/')).toEqual([]);
  });

  test('a body whose size differs from the announced one is rejected and leaves nothing behind', async () => {
    await expect(store().put('size/short', pieces('abc'), { sizeBytes: 4 })).rejects.toThrow();
    await expect(store().put('size/long', pieces('abc', 'de'), { sizeBytes: 4 })).rejects.toThrow();
    expect(await listed('size/')).toEqual([]);
  });

  test('readers see a complete blob, old or new, while it is replaced', async () => {
    const body = (letter: string) => letter.repeat(300_000);
    await store().put('swap', encode(body('a')));
    let done = false;
    const writing = (async () => {
      for (const letter of 'bcdef') await store().put('swap', encode(body(letter)));
    })().finally(() => {
      done = true;
    });
    while (!done) {
      const text = decode(await store().read('swap')) ?? '';
      expect(text).toBe(body(text[0] ?? ''));
    }
    await writing;
    expect(decode(await store().read('swap'))?.[0]).toBe('f');
  });

  test('concurrent writes to one key leave the complete blob of one of them', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => store().put('race', encode(`${n % 10}`.repeat(20_000)))),
    );
    const text = decode(await store().read('race')) ?? '';
    expect(text).toBe((text[0] ?? '').repeat(20_000));
  });
}

function describeKeys(store: () => BlobStore, listed: (prefix: string) => Promise<string[]>): void {
  test('keys are listed by prefix, in order, at any depth', async () => {
    const keys = [
      'list/a',
      'list/a-b',
      'list/a/x',
      'list/a/y/z',
      'list/a.b',
      'list/B',
      'list/ab',
      'lists',
    ];
    for (const key of keys) await store().put(key, encode(key));
    expect(await listed('list/')).toEqual([
      'list/B',
      'list/a',
      'list/a-b',
      'list/a.b',
      'list/a/x',
      'list/a/y/z',
      'list/ab',
    ]);
    expect(await listed('list/a/')).toEqual(['list/a/x', 'list/a/y/z']);
    expect(await listed('list/a.')).toEqual(['list/a.b']);
    expect(await listed('list')).toContain('lists');
    expect(await listed('nowhere/')).toEqual([]);
  });

  test('a key may be a prefix of another key', async () => {
    await store().put('word', encode('1'));
    await store().put('word/word', encode('2'));
    await store().put('word/word/word', encode('3'));
    await store().delete('word/word');
    expect([
      decode(await store().read('word')),
      decode(await store().read('word/word/word')),
    ]).toEqual(['1', '3']);
  });

  const bad = [
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    '..',
    '../a',
    'a/../b',
    'a/.',
    '.hidden',
    'a/.hidden',
    'a\\b',
    'a b',
    'ä',
    'a\0',
    'a\n',
    'a%2e',
  ];
  test.each([...bad, 'x'.repeat(2000)])(
    'every operation rejects an invalid key: %j',
    async (key) => {
      await expect(store().put(key, encode('x'))).rejects.toThrow(TypeError);
      await expect(store().get(key)).rejects.toThrow(TypeError);
      await expect(store().read(key)).rejects.toThrow(TypeError);
      await expect(store().stat(key)).rejects.toThrow(TypeError);
      await expect(store().delete(key)).rejects.toThrow(TypeError);
      await expect(store().presign(key, { expiresInSeconds: 3600, filename: 'a' })).rejects.toThrow(
        TypeError,
      );
    },
  );

  test('a content type that could break a header is rejected', async () => {
    await expect(
      store().put('header', encode('x'), { contentType: 'text/plain\r\nSet-Cookie: a=b' }),
    ).rejects.toThrow(TypeError);
  });
}

function describeLinks(get: () => BlobStoreHarness): void {
  const linkTo = async (key: string, filename = 'bundle.tar.gz') => {
    await get().store.put(key, encode(`content of ${key}`));
    return get().store.presign(key, { expiresInSeconds: 3600, filename });
  };

  test('a link opens the blob without any header and with the file name that it was created for', async () => {
    const { url, expiresAt } = await linkTo('links/one', 'Büch "1" & more.tar.gz');
    const answer = await get().follow(url);
    expect(answer).toMatchObject({ ok: true, filename: 'Büch "1" & more.tar.gz' });
    expect(answer.ok && decode(answer.bytes)).toBe('content of links/one');
    expect(expiresAt).toBeInstanceOf(Date);
  });

  test('a link whose key, expiry, file name or signature was changed or removed is rejected', async () => {
    await linkTo('links/secret');
    const { url } = await linkTo('links/open');
    const parts = [...new URL(url).searchParams];
    const changed = parts.map(([name, value]) => {
      const copy = new URL(url);
      // The first character, because the last one may encode only padding bits.
      copy.searchParams.set(name, `${value[0] === '1' ? '2' : '1'}${value.slice(1)}`);
      return copy.href;
    });
    const without = parts.map(([name]) => {
      const copy = new URL(url);
      copy.searchParams.delete(name);
      return copy.href;
    });
    for (const link of [
      url.replace('links/open', 'links/secret'),
      ...changed,
      ...without,
      url.replace(/\?.*/, ''),
    ]) {
      expect(await get().follow(link), link).toEqual({ ok: false });
    }
    expect((await get().follow(url)).ok).toBe(true);
  });

  test('an expired link is rejected, and a fresh one returns the same bytes', async () => {
    const { passTime, follow, store } = get();
    if (passTime === undefined) return;
    const { url } = await linkTo('links/old');
    passTime(3599);
    expect((await follow(url)).ok).toBe(true);
    passTime(2);
    expect(await follow(url)).toEqual({ ok: false });
    const fresh = await store.presign('links/old', { expiresInSeconds: 3600, filename: 'a' });
    expect(await follow(fresh.url)).toMatchObject({
      ok: true,
      bytes: Buffer.from('content of links/old'),
    });
  });

  test.each([0, 899, 604_801, Number.NaN, Number.POSITIVE_INFINITY])(
    'a link lifetime of %d seconds is rejected',
    async (expiresInSeconds) => {
      await expect(
        get().store.presign('links/one', { expiresInSeconds, filename: 'a' }),
      ).rejects.toThrow(RangeError);
    },
  );

  test.each(['', 'a/b', 'a\\b', 'a\r\nb'])(
    'an invalid file name is rejected: %j',
    async (filename) => {
      await expect(
        get().store.presign('links/one', { expiresInSeconds: 3600, filename }),
      ).rejects.toThrow(TypeError);
    },
  );
}
