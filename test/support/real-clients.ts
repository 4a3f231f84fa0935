import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './start-docent.ts';

/*
 * The real AI SDK clients, as runnable checks next to this checkout on development machines. They
 * are installed once into a cache folder. If they are missing, the tests that need them are skipped
 * with a message.
 */
const source = join(root, '..', 'shared', 'clients');

/** The folder of the clients after `installClients`. */
export const clientsFolder = join(root, '.cache', 'clients');

/** Returns whether the clients are available, and reports on standard output if they are not. */
export function haveClients(what: string): boolean {
  const found = existsSync(join(source, 'v4.mjs'));
  if (!found)
    process.stdout.write(
      `skipped: ${what}: the real AI SDK clients are not next to this checkout (../shared/clients)\n`,
    );
  return found;
}

export function installClients(): void {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const stamp = join(clientsFolder, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  mkdirSync(clientsFolder, { recursive: true });
  cpSync(source, clientsFolder, { recursive: true, force: true, mode: 0 });
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(
    command,
    [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: clientsFolder,
      encoding: 'utf8',
    },
  );
  if (done.status !== 0) throw new Error(`npm ci of the clients failed: ${done.stderr}`);
  writeFileSync(stamp, lock);
}
