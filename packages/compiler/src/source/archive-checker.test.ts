import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { rawTarGz } from '../../../../test/support/raw-tar.ts';
import { createArchiveChecker } from './archive-checker.ts';

const checker = createArchiveChecker();
afterAll(() => checker.close());

async function* inPieces(bytes: Uint8Array, size = 50): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

async function passed(bytes: Uint8Array): Promise<Buffer> {
  return Buffer.concat(await all(checker.checked(inPieces(bytes))));
}

const sound = rawTarGz([
  { name: 'docs.json', content: '{}' },
  { name: 'index.mdx', content: 'x'.repeat(100_000) },
]);

test('the checker passes valid archives unchanged, and rejects only the concurrent one with an unsafe entry', async () => {
  const bad = passed(rawTarGz([{ name: '../out.mdx', content: 'x' }]));
  const good = Array.from({ length: 5 }, () => passed(sound));
  await expect(bad).rejects.toMatchObject({
    code: 'invalid_archive',
    message: expect.stringContaining('"../out.mdx"'),
  });
  for (const bytes of await Promise.all(good)) expect(bytes.equals(sound)).toBe(true);
});

test('the checker rejects an archive that is truncated, invalid or empty', async () => {
  for (const bytes of [
    sound.subarray(0, sound.length - 20),
    Buffer.from('not an archive'),
    Buffer.alloc(0),
  ])
    await expect(passed(bytes)).rejects.toMatchObject({ code: 'invalid_archive' });
});

test('the checker also passes data after the end of the tar', async () => {
  const padded = Buffer.concat([rawTarGz([{ name: 'a.md', content: 'a' }]), Buffer.alloc(200_000)]);
  await expect(passed(padded)).resolves.toHaveLength(padded.length);
});

test('a crash of the checker process is a temporary error, and an error of the source is passed on unchanged', async () => {
  const pieces = checker.checked(inPieces(sound));
  await pieces.next();
  checker.close();
  await expect(all(pieces)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  expect((await passed(sound)).equals(sound)).toBe(true);
  const broken = (async function* () {
    yield sound.subarray(0, 100);
    throw new Error('the client went away');
  })();
  await expect(all(checker.checked(broken))).rejects.toThrow('the client went away');
});

test('a process that can open no more files reports a temporary error', () => {
  const script = fileURLToPath(
    new URL('../../../../test/support/check-without-files.ts', import.meta.url),
  );
  const run = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, script],
    { encoding: 'utf8' },
  );
  expect(run.stdout + run.stderr).toBe('dependency_unavailable');
});
