import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningDocent, removeTemporaryFolders, root, startDocent } from '../support/start-docent.ts';

/*
 * The real AI SDK clients, as runnable checks that stand beside the project where it is developed. They are installed once
 * into a cache folder. Where they are not there, this says so and is skipped.
 */
const source = join(root, '..', 'shared', 'clients');
const clients = join(root, '.cache', 'clients');
const areThere = existsSync(join(source, 'v4.mjs'));
if (!areThere)
  process.stdout.write('skipped: the checks with the real AI SDK clients are not beside this checkout (../shared/clients)\n');

const minimal = ['--sdk', 'first', '--body', '{"wire":"minimal"}'];
const strict = ['--sdk', 'strict'];
const ways: [string, string, string[]][] = [
  ['v4', 'the newest release', []],
  ['v4', 'the first release, with the minimal wire', minimal],
  ['v4', 'a full history with an attachment', ['--history', 'full', '--attach']],
  ['v4', 'a page of another origin, and a follow-up in the same thread', otherOrigin()],
  ['v5', 'the newest release', []],
  ['v5', 'the first release, with the minimal wire', minimal],
  [
    'v5',
    'a release that fails on unknown keys, with a full history and an attachment',
    [...strict, '--history', 'full', '--attach'],
  ],
  ['v6', 'the newest release, of another origin, and a follow-up in the same thread', otherOrigin()],
  ['v6', 'a release that fails on unknown keys', strict],
  ['v6', 'a reader who stops', ['--abort-after-ms', '100']],
  ['v7', 'the newest release, of another origin, and a follow-up in the same thread', otherOrigin()],
  [
    'v7',
    'a release that fails on unknown keys, with a full history and an attachment',
    [...strict, '--history', 'full', '--attach'],
  ],
];

describe.skipIf(!areThere)('real AI SDK clients', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    install();
    docent = await startDocent();
  }, 180_000);
  afterAll(async () => {
    await docent.stop();
    await removeTemporaryFolders();
  });

  test.each(ways)(
    '%s: %s reads an answer to its end',
    async (client, _, options) => {
      const args = [`${client}.mjs`, docent.apiUrl, docent.domain, docent.assistantKey, 'How do I publish a site?', ...options];
      const child = spawn(process.execPath, args, { cwd: clients, stdio: ['ignore', 'pipe', 'pipe'] });
      let report = '';
      child.stdout.on('data', (chunk: Buffer) => {
        report += chunk.toString('utf8');
      });
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code, report.slice(0, 4000)).toBe(0);
    },
    90_000,
  );
});

function otherOrigin(): string[] {
  return ['--origin', 'https://docs.example.com', '--follow-up', 'and how long does that take?'];
}

function install(): void {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  const stamp = join(clients, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  mkdirSync(clients, { recursive: true });
  cpSync(source, clients, { recursive: true, force: true, mode: 0 });
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: clients,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`npm ci of the clients failed: ${done.stderr}`);
  writeFileSync(stamp, lock);
}
