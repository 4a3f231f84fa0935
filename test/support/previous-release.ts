import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { endWithUs } from './end-with-us.ts';
import { root } from './start-docent.ts';

const packed = join(root, 'test/deploy/previous-release.tar.br');

/**
 * Unpacks the program of the previous release (`scripts/pack-previous-release.ts`) and builds its
 * `dist`. It runs with the dependencies of this release, as links to their files: its processes may
 * read only what is in its own folder.
 * @returns what runs its commands, in a folder that is deleted with this process
 */
export function unpackPreviousRelease(): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/previous-release-'));
  endWithUs(folder, []);
  run('tar', ['-xf', '-', '-C', folder], brotliDecompressSync(readFileSync(packed)));
  run('cp', ['-Rl', join(root, 'node_modules'), folder]);
  run(process.execPath, [join(folder, 'scripts/build.ts'), 'theme', 'database']);
  return join(folder, 'src/main.ts');
}

function run(command: string, args: string[], input?: Buffer): void {
  const { status, stderr } = spawnSync(command, args, { input });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
}
