import { spawnSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { constants, gunzipSync, zstdCompressSync } from 'node:zlib';
import { type ArchiveForm, archiveForms } from '@docent/format/exports/export-options.ts';
import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { ArchiveMeter, defaultArchiveLimits, readEntries } from '../source/archive-entries.ts';
import type { BundleFile } from './bundle-file.ts';
import { packBundle, tarOf } from './pack-bundle.ts';

async function packed(files: readonly BundleFile[]): Promise<Buffer> {
  const source = (async function* () {
    yield* files;
  })();
  const chunks: Uint8Array[] = [];
  for await (const chunk of packBundle(source)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function unpacked(archive: Uint8Array): Promise<[path: string, text: string][]> {
  const found: [string, string][] = [];
  const reader = extract();
  reader.end(gunzipSync(archive));
  for await (const entry of reader) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    const { name, mode, uid, mtime } = entry.header;
    expect({ mode, uid, mtime }).toEqual({ mode: 0o644, uid: 0, mtime: new Date(0) });
    found.push([name, Buffer.concat(chunks).toString()]);
  }
  return found;
}

const folder = (length: number) => 'f'.repeat(length);
const paths = [
  'index.html',
  `${folder(99)}.html`,
  `${folder(80)}/${folder(80)}/page.html`,
  `${folder(155)}/${folder(95)}.html`,
  `${folder(156)}/${folder(95)}.html`,
  `${folder(300)}.html`,
  'größe/日本語.html',
  `${'é'.repeat(120)}/${folder(99)}`,
];

describe('an archive', () => {
  it('has the headers of the library that writes archives', async () => {
    const sha256 = hash('sha256', 'content');
    const files = paths.flatMap((path) => [
      { path, bytes: Buffer.from('text') },
      { path, bytes: Buffer.alloc(0), sha256 },
      { path, bytes: Buffer.alloc(70_000, 7), sha256, contentType: 'text/plain' },
      { path, bytes: Buffer.alloc(512, 7), sha256 },
    ]);
    const expected = await buffer(tarOf(files));
    expect(gunzipSync(await packed(files)).equals(expected)).toBe(true);
  });

  it('contains files of any size with names of any length and script', async () => {
    const files = paths.map((path, index) => ({
      path,
      bytes: Buffer.from('x'.repeat([0, 1, 511, 512, 513][index % 5] as number)),
    }));
    const archive = await packed(files);
    expect(await unpacked(archive)).toEqual(
      files.map(({ path, bytes }) => [path, bytes.toString()]),
    );
    const listed = spawnSync('tar', ['-tzf', '-', '--quoting-style=literal'], {
      input: archive,
      encoding: 'utf8',
    });
    expect(listed.stdout.trimEnd().split('\n')).toEqual(paths);
  });

  it('is identical for chunked and buffered files, and rejects a file of the wrong size', async () => {
    const chunks = async function* () {
      yield Buffer.from('one, ');
      yield Buffer.from('two');
    };
    const streamed = await packed([{ path: 'a.txt', sizeBytes: 8, chunks: chunks() }]);
    expect(streamed.equals(await packed([{ path: 'a.txt', bytes: Buffer.from('one, two') }]))).toBe(
      true,
    );
    await expect(packed([{ path: 'a.txt', sizeBytes: 9, chunks: chunks() }])).rejects.toThrow(
      'a.txt',
    );
  });

  it('gives a file another time when its content has changed, so that web servers send it again', async () => {
    const timeOf = async (sha256: string) => {
      const reader = extract();
      reader.end(gunzipSync(await packed([{ path: 'a.txt', bytes: Buffer.from('x'), sha256 }])));
      for await (const entry of reader) return entry.header.mtime?.toISOString();
    };
    const [first, second] = ['00'.repeat(32), 'ff'.repeat(32)];
    expect([await timeOf(first), await timeOf(second), await timeOf(first)]).toEqual([
      '2000-01-01T00:00:00.000Z',
      '2008-07-03T21:24:15.000Z',
      '2000-01-01T00:00:00.000Z',
    ]);
  });

  it('closes the files of a reader who stops in the middle of a large one', async () => {
    const closed: string[] = [];
    let chunkCount = 0;
    const chunks = async function* () {
      try {
        for (; chunkCount < 800; chunkCount++) yield randomBytes(64 * 1024);
      } finally {
        closed.push('chunks');
      }
    };
    const files = async function* () {
      try {
        yield { path: 'a.bin', sizeBytes: 800 * 64 * 1024, chunks: chunks() };
      } finally {
        closed.push('files');
      }
    };
    for await (const _ of packBundle(files())) break;
    await expect.poll(() => closed).toEqual(['chunks', 'files']);
    expect(chunkCount).toBeLessThan(400);
  });

  it('asks for no file until it is read, so a store that refuses it leaves no file open', async () => {
    let asked = false;
    const files = async function* () {
      asked = true;
      yield { path: 'a.txt', bytes: Buffer.from('a') };
    };
    const archive = packBundle(files());
    await new Promise(setImmediate);
    expect(asked).toBe(false);
    for await (const _ of archive);
    expect(asked).toBe(true);
  });
});

describe('a .tar.zst', () => {
  const files = () =>
    (async function* (): AsyncIterable<BundleFile> {
      for (let i = 0; i < 200; i++)
        yield {
          path: `page-${i}.html`,
          bytes: Buffer.from(`${'<p>The same frame.</p>'.repeat(400)}${i}`),
        };
    })();
  const bytesOf = async (form: 'tar.gz' | 'tar.zst') => buffer(packBundle(files(), form));
  const read = async (archive: Uint8Array, forms?: readonly ArchiveForm[]) => {
    const names: string[] = [];
    const pieces = (async function* () {
      // Also if the first bytes come one by one.
      for (let at = 0; at < 8; at++) yield archive.subarray(at, at + 1);
      yield archive.subarray(8);
    })();
    for await (const entry of readEntries(
      pieces,
      new ArchiveMeter({ ...defaultArchiveLimits, ratio: 5000 }),
      forms,
    ))
      names.push(entry.name);
    return names;
  };

  it('is the same for the same files, smaller than the .tar.gz, and has the same entries', async () => {
    const [gzip, zstd, again] = [
      await bytesOf('tar.gz'),
      await bytesOf('tar.zst'),
      await bytesOf('tar.zst'),
    ];
    expect(again.equals(zstd)).toBe(true);
    expect(zstd.length).toBeLessThan(gzip.length / 2);
    expect(await read(zstd, archiveForms)).toEqual(await read(gzip));
  });

  it('is refused where only a .tar.gz is expected, and if it is cut or damaged', async () => {
    const zstd = await bytesOf('tar.zst');
    await expect(read(zstd)).rejects.toThrow('not a .tar.gz');
    await expect(read(zstd.subarray(0, zstd.length - 40), archiveForms)).rejects.toMatchObject({
      code: 'invalid_archive',
    });
    const damaged = Buffer.from(zstd);
    damaged.fill(7, zstd.length / 2, zstd.length / 2 + 64);
    await expect(read(damaged, archiveForms)).rejects.toMatchObject({ code: 'invalid_archive' });
  });

  it('may not demand more memory than our own archives need', async () => {
    const large = zstdCompressSync(randomBytes(40 * 1024 * 1024), {
      params: { [constants.ZSTD_c_windowLog]: 26 },
    });
    await expect(read(large, archiveForms)).rejects.toMatchObject({ code: 'invalid_archive' });
  });
});
