import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import type { BundleFile } from './bundle-file.ts';
import { packBundle } from './pack-bundle.ts';

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
  it('contains files of any size with names of any length and script', async () => {
    const files = paths.map((path, index) => ({
      path,
      bytes: Buffer.from('x'.repeat([0, 1, 511, 512, 513][index % 5] as number)),
    }));
    const archive = await packed(files);
    expect(await unpacked(archive)).toEqual(files.map(({ path, bytes }) => [path, bytes.toString()]));
    const listed = spawnSync('tar', ['-tzf', '-', '--quoting-style=literal'], { input: archive, encoding: 'utf8' });
    expect(listed.stdout.trimEnd().split('\n')).toEqual(paths);
  });

  it('is identical for chunked and buffered files, and rejects a file of the wrong size', async () => {
    const chunks = async function* () {
      yield Buffer.from('one, ');
      yield Buffer.from('two');
    };
    const streamed = await packed([{ path: 'a.txt', sizeBytes: 8, chunks: chunks() }]);
    expect(streamed.equals(await packed([{ path: 'a.txt', bytes: Buffer.from('one, two') }]))).toBe(true);
    await expect(packed([{ path: 'a.txt', sizeBytes: 9, chunks: chunks() }])).rejects.toThrow('a.txt');
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
