import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

// Packs the program of a revision, without its tests and documentation, for
// test/deploy/upgrade.test.ts, which runs it beside this one. Run after each release: `node
// scripts/pack-previous-release.ts v0.1.0`. A packed file and not a tag, because the test must also
// run where there is no history.
const target = fileURLToPath(new URL('../test/deploy/previous-release.tar.br', import.meta.url));
const [revision] = process.argv.slice(2);
if (!revision)
  throw new Error('Name the revision to pack: node scripts/pack-previous-release.ts v0.1.0');
const { status, stdout, stderr } = spawnSync(
  'git',
  [
    'archive',
    revision,
    '--',
    'packages',
    'scripts',
    'package.json',
    'tsconfig.json',
    ...['*.test.ts', '*.test.tsx', '*.contract.ts'].map((pattern) => `:(exclude)${pattern}`),
  ],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), maxBuffer: 256 * 1024 * 1024 },
);
if (status !== 0) throw new Error(stderr.toString('utf8'));
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
const params = {
  [BROTLI_PARAM_QUALITY]: 11,
  [BROTLI_PARAM_LGWIN]: 24,
  [BROTLI_PARAM_SIZE_HINT]: stdout.byteLength,
};
const packed = brotliCompressSync(stdout, { params });
writeFileSync(target, packed);
process.stdout.write(`${revision}: ${stdout.byteLength} bytes in ${packed.byteLength}\n`);
