import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { paxRecords, type RawEntry, rawTar, rawTarGz } from '../../../../test/support/raw-tar.ts';
import { packSourceFolder, readSourceArchive, type SourceFile } from './source-archive.ts';

async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function filesOf(files: AsyncIterable<SourceFile>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path, bytes } of files) found[path] = Buffer.from(bytes).toString();
  return found;
}

/** Reads an archive and recalls its files from memory. */
async function* readArchive(
  stream: AsyncIterable<Uint8Array>,
  limits = {},
): AsyncGenerator<SourceFile> {
  const read = new Map<string, Uint8Array>();
  const recall = async (path: string) => read.get(path) as Uint8Array;
  for await (const file of readSourceArchive(stream, recall, limits)) {
    read.set(file.path, file.bytes);
    yield file;
  }
}

const read = (entries: RawEntry[], limits = {}) =>
  filesOf(readArchive(inPieces(rawTarGz(entries)), limits));
const refusal = (entries: RawEntry[], limits = {}) =>
  read(entries, limits).then(
    () => 'accepted',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
const docs = { name: 'docs.json', content: '{}' };

describe('a valid archive', () => {
  test('is read as files with paths and bytes, and folders and a leading "./" are ignored', async () => {
    const entries = [
      { name: './', flag: '5' },
      { name: './docs.json', content: '{}' },
      { name: 'a/', flag: '5' },
      { name: 'a//b.mdx', content: 'B' },
    ];
    expect(await read(entries)).toEqual({ 'docs.json': '{}', 'a/b.mdx': 'B' });
  });

  test('may have names of more than 100 bytes, in pax and GNU format', async () => {
    const long = `${'folder/'.repeat(20)}höhe.mdx`;
    const pax = [
      { name: 'PaxHeader', flag: 'x', content: paxRecords({ path: long }) },
      { name: 'cut', content: 'X' },
    ];
    const gnu = [
      { name: '././@LongLink', flag: 'L', content: `${long}\0` },
      { name: 'cut', content: 'X' },
    ];
    expect(await read(pax)).toEqual({ [long]: 'X' });
    expect(await read(gnu)).toEqual({ [long]: 'X' });
  });

  test('contains the later of two files with the same path', async () => {
    expect(
      await read([
        { name: 'a', content: '1' },
        { name: 'a', content: '2' },
      ]),
    ).toEqual({ a: '2' });
  });

  test('is read without version control, installed packages and Mac attribute files, at any depth', async () => {
    const entries = ['.git/config', 'a/node_modules/x/index.js', 'a/._b.mdx', 'a/b.mdx'].map(
      (name) => ({ name, content: 'x' }),
    );
    expect(Object.keys(await read(entries))).toEqual(['a/b.mdx']);
  });

  test('may contain a file named __proto__', async () => {
    const paths: string[] = [];
    for await (const { path } of readArchive(
      inPieces(rawTarGz([{ name: '__proto__', content: 'x' }])),
    ))
      paths.push(path);
    expect(paths).toEqual(['__proto__']);
  });

  test('is read only as fast as its files are consumed', async () => {
    const noise = Uint8Array.from(
      { length: 4_000_000 },
      (_, index) => (index * 2654435761) >>> (index % 24),
    );
    let pulled = 0;
    async function* counted() {
      for await (const chunk of inPieces(
        rawTarGz([docs, { name: 'big', content: noise }, { name: 'bigger', content: noise }]),
        16_384,
      )) {
        pulled += chunk.length;
        yield chunk;
      }
    }
    const files = readArchive(counted());
    expect((await files.next()).value?.path).toBe('docs.json');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(pulled).toBeLessThan(1_000_000);
    await files.return(undefined);
  });
});

describe('a link in an archive', () => {
  test('becomes a copy of its target file or folder, wherever that is in the archive', async () => {
    const entries = [
      { name: 'latest', flag: '2', linkName: 'v2' },
      { name: 'v2/a.mdx', content: 'A' },
      { name: 'v2/b.mdx', flag: '2', linkName: '../shared/b.mdx' },
      { name: 'shared/b.mdx', content: 'B' },
      { name: 'hard.mdx', flag: '1', linkName: 'v2/a.mdx' },
    ];
    expect(await read(entries)).toEqual({
      'v2/a.mdx': 'A',
      'shared/b.mdx': 'B',
      'latest/a.mdx': 'A',
      'latest/b.mdx': 'B',
      'v2/b.mdx': 'B',
      'hard.mdx': 'A',
    });
  });

  test('to a missing target is ignored', async () => {
    expect(await read([docs, { name: 'gone', flag: '2', linkName: 'not/here' }])).toEqual({
      'docs.json': '{}',
    });
  });

  test('can recall its target, so that files need not stay in memory', async () => {
    const stored = new Map<string, Uint8Array>();
    const archive = rawTarGz([
      { name: 'a', content: 'A' },
      { name: 'b', flag: '2', linkName: 'a' },
    ]);
    const recall = async (path: string) =>
      Buffer.concat([stored.get(path) ?? Buffer.alloc(0), Buffer.from(' recalled')]);
    for await (const { path, bytes } of readSourceArchive(inPieces(archive), recall))
      stored.set(path, bytes);
    expect(Buffer.from(stored.get('b') ?? []).toString()).toBe('A recalled');
  });

  test.each([
    ['an absolute target', { name: 'a', flag: '2', linkName: '/etc/passwd' }],
    ['a target above the archive', { name: 'x/a', flag: '2', linkName: '../../etc/passwd' }],
    ['a hard link above the archive', { name: 'x/a', flag: '1', linkName: '../etc/passwd' }],
    ['a target on a drive', { name: 'a', flag: '2', linkName: 'C:/Windows' }],
    ['a target with backslashes', { name: 'a', flag: '2', linkName: '..\\..\\etc' }],
    ['a link to itself', { name: 'a', flag: '2', linkName: 'a' }],
    ['a link to the folder it is in', { name: 'x/a', flag: '2', linkName: '.' }],
    ['no target', { name: 'a', flag: '2', linkName: '' }],
  ])('is rejected with a message that names it: %s', async (_case, entry) => {
    expect(await refusal([docs, entry])).toMatch(/^invalid_archive: .*"(x\/)?a" was refused/);
  });

  test('is rejected if it forms a cycle of folders', async () => {
    const entries = [
      { name: 'a/1', content: 'x' },
      { name: 'b/2', content: 'x' },
      { name: 'a/b', flag: '2', linkName: '../b' },
      { name: 'b/a', flag: '2', linkName: '../a' },
    ];
    expect(await refusal(entries)).toContain('points to itself');
  });

  test('cannot multiply the archive beyond its limits', async () => {
    const layers = Array.from({ length: 7 }, (_, layer) =>
      Array.from({ length: 8 }, (_, link) => ({
        name: `d${layer}/l${link}`,
        flag: '2',
        linkName: `../d${layer + 1}`,
      })),
    ).flat();
    expect(await refusal([...layers, { name: 'd7/file', content: 'x' }])).toContain(
      'more than 50000 entries',
    );
    // Without a file at the end of the links: there is nothing to copy, only paths to follow.
    expect(await refusal([...layers, docs])).toContain('more than 50000 entries');
    const big = { name: 'big', content: 'x'.repeat(1_000_000) };
    const copies = Array.from({ length: 9 }, (_, index) => ({
      name: `copy${index}`,
      flag: '2',
      linkName: 'big',
    }));
    expect(await refusal([big, ...copies], { unpackedBytes: 5_000_000 })).toContain(
      'more than 4.8 MiB',
    );
  });

  test('cannot be a parent of another entry', async () => {
    const link = { name: 'a', flag: '2', linkName: 'b' };
    expect(await refusal([link, { name: 'a/x', content: 'x' }])).toContain(
      '"a" is a file or a link',
    );
    expect(await refusal([{ name: 'a/x', content: 'x' }, link])).toContain(
      'there is a folder with the same path',
    );
  });
});

describe('an unsafe entry', () => {
  test.each([
    ['an absolute path', '/etc/passwd', 'absolute'],
    ['a parent folder', '../x', '".."'],
    ['a parent folder in the middle', 'a/../../x', '".."'],
    ['backslashes', 'a\\..\\..\\x', 'backslash'],
    ['a drive', 'C:/x', 'absolute'],
    ['a line break', 'a\nb', 'control character'],
    ['bytes that are not UTF-8', Uint8Array.of(0x61, 0xff, 0x62), 'UTF-8'],
  ])('is rejected with a message that names it: %s', async (_case, name, reason) => {
    const message = await refusal([docs, { name, content: 'x' }]);
    expect(message).toMatch(/^invalid_archive: The archive entry ".+" was refused/);
    expect(message).toContain(reason);
  });

  test('is rejected for its path in a pax header too, including a null byte', async () => {
    const withPath = (path: string) => [
      { name: 'P', flag: 'x', content: paxRecords({ path }) },
      { name: 'good', content: 'x' },
    ];
    expect(await refusal(withPath('../x'))).toContain('".."');
    expect(await refusal(withPath('a\0b'))).toContain('control character');
  });

  test('is rejected if its path is too long or too deep', async () => {
    const withPath = (path: string) => [
      { name: 'P', flag: 'x', content: paxRecords({ path }) },
      { name: 'good', content: 'x' },
    ];
    expect(await refusal(withPath(`${'a/'.repeat(600)}x`))).toContain('longer than 1024 bytes');
    expect(await refusal(withPath('a'.repeat(300)))).toContain('longer than 255 bytes');
    expect(await refusal(withPath(`${'a/'.repeat(70)}x`))).toContain('64 folders deep');
  });

  test('is rejected if its path is both a file and a folder', async () => {
    expect(
      await refusal([
        { name: 'a', content: 'x' },
        { name: 'a/b', content: 'x' },
      ]),
    ).toContain('"a" is a file');
  });

  test.each(['3', '4', '6', 'S', 'V'])(
    'is rejected if it is a device, a pipe or another special file: type %s',
    async (flag) => {
      expect(await refusal([docs, { name: 'dev/sda', flag }])).toContain(
        'neither a file nor a folder nor a link',
      );
    },
  );

  test('is rejected if it is a sparse file, whose bytes are not its content', async () => {
    const pax = {
      name: 'P',
      flag: 'x',
      content: paxRecords({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0' }),
    };
    expect(await refusal([pax, { name: 'sparse', content: 'x' }])).toContain('neither a file');
  });
});

describe('an oversized archive', () => {
  test('is rejected long before it is unpacked if it is a decompression bomb', async () => {
    const bomb = gzipSync(
      Buffer.concat([rawTar([docs]).subarray(0, 1024), Buffer.alloc(150_000_000)]),
    );
    const before = process.memoryUsage().arrayBuffers;
    await expect(filesOf(readArchive(inPieces(bomb)))).rejects.toMatchObject({
      code: 'invalid_archive',
      message: expect.stringContaining('200 times larger'),
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
  });

  test('is rejected by the limits for a file, the total size and the number of entries', async () => {
    const file = { name: 'big.bin', content: 'x'.repeat(3000) };
    expect(await refusal([file], { fileBytes: 2999 })).toContain(
      'The file "big.bin" is larger than',
    );
    expect(await refusal([file], { unpackedBytes: 4000 })).toContain('when unpacked');
    const many = Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` }));
    expect(await refusal(many, { files: 10 })).toContain('more than 10 entries');
    expect(Object.keys(await read(many, { files: 11 }))).toHaveLength(11);
    expect(await refusal([{ name: 'a/b/c/d/e/f/g/h', content: 'x' }], { files: 5 })).toContain(
      'more than 5 entries',
    );
  });

  test('is rejected at once for a header that claims a huge file', async () => {
    expect(await refusal([{ name: 'a', content: 'x', claimedBytes: 8 ** 11 - 1 }])).toContain(
      '"a" is larger than 64 MiB',
    );
  });

  test('is rejected for an endless extended header', async () => {
    const header = { name: 'P', flag: 'x', content: '', claimedBytes: 8 ** 11 - 1 };
    expect(await refusal([header, docs])).toMatch(/^invalid_archive/);
  });
});

describe('an invalid archive', () => {
  const fault = (bytes: Uint8Array) =>
    filesOf(readArchive(inPieces(bytes))).then(
      () => 'accepted',
      (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
    );
  const intact = rawTarGz([docs, { name: 'a', content: 'abc'.repeat(5000) }]);

  test('is rejected with a remedy if it is not gzip, not tar, or empty', async () => {
    expect(await fault(Buffer.from('PK\x03\x04 a zip'))).toContain('not a .tar.gz');
    expect(await fault(gzipSync(Buffer.from('hello '.repeat(500))))).toContain('not a .tar.gz');
    expect(await fault(new Uint8Array(0))).toMatch(/^invalid_archive/);
    expect(await fault(rawTarGz([]))).toContain('contains no files');
  });

  test('is rejected if it is truncated at any point', async () => {
    for (const part of [0.2, 0.5, 0.9]) {
      expect(await fault(intact.subarray(0, Math.floor(intact.length * part)))).toMatch(
        /^invalid_archive/,
      );
    }
    expect(await fault(intact.subarray(0, -4))).toContain('is incomplete');
    const tar = rawTar([docs, { name: 'a', content: 'abc'.repeat(5000) }]);
    expect(await fault(gzipSync(tar.subarray(0, 3000)))).toContain('is incomplete');
  });

  test('is rejected for a damaged byte, in the gzip and in the tar', async () => {
    const damaged = Uint8Array.from(intact);
    damaged[Math.floor(damaged.length / 2)]! ^= 0xff;
    expect(await fault(damaged)).toMatch(/^invalid_archive/);
    const tar = Uint8Array.from(rawTar([docs]));
    tar[0]! ^= 0xff;
    expect(await fault(gzipSync(tar))).toContain('damaged');
  });

  test('with random bytes is accepted or rejected, and never crashes', async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed % 256;
    };
    for (let round = 0; round < 100; round += 1) {
      const tar = Uint8Array.from(
        rawTar([
          docs,
          { name: 'P', flag: 'x', content: paxRecords({ path: 'p' }) },
          { name: 'a', content: 'x' },
        ]),
      );
      for (let change = 0; change < 5; change += 1)
        tar[(random() * 256 + random()) % tar.length] = random();
      expect(await fault(gzipSync(tar))).toMatch(/^(accepted|invalid_archive)/);
    }
  });

  test('is distinct from a failed upload, whose error is passed on unchanged', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield intact.subarray(0, 100);
      throw new Error('the client went away');
    }
    await expect(filesOf(readArchive(broken()))).rejects.toThrow('the client went away');
  });
});

describe('a packed folder', () => {
  let folder: string;
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function makeFolder(order: string[]): Promise<string> {
    folder = await mkdtemp(join(tmpdir(), 'docent-pack-'));
    for (const path of order) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), `content of ${path}`);
    }
    return folder;
  }

  const packed = async (place: string) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of packSourceFolder(place)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test('can be read back, without version control and installed packages', async () => {
    await makeFolder(['docs.json', 'a/b.mdx', 'leer ü.mdx', '.git/HEAD', 'x/node_modules/y.js']);
    await symlink('b.mdx', join(folder, 'a', 'link.mdx'));
    expect(await filesOf(readArchive(inPieces(await packed(folder))))).toEqual({
      'a/b.mdx': 'content of a/b.mdx',
      'a/link.mdx': 'content of a/b.mdx',
      'docs.json': 'content of docs.json',
      'leer ü.mdx': 'content of leer ü.mdx',
    });
  });

  test('has the same bytes as an equal folder, regardless of times and order of creation', async () => {
    const first = await packed(await makeFolder(['a.mdx', 'b/c.mdx']));
    await rm(folder, { recursive: true });
    await makeFolder(['b/c.mdx', 'a.mdx']);
    await utimes(join(folder, 'a.mdx'), 1, 1);
    expect(await packed(folder)).toEqual(first);
  });
});
