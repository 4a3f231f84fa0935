import {
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localPagePack } from './local-page-pack.ts';

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docent-pack-home-'));
  env = { XDG_CACHE_HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => join(home, 'docent/pages');

/** A file that takes no room on the disk. */
function sparse(name: string, megabytes: number, ageDays: number): void {
  writeFileSync(join(folder(), name), '');
  truncateSync(join(folder(), name), megabytes * 1024 * 1024);
  const at = new Date(Date.now() - ageDays * 24 * 60 * 60 * 1000);
  utimesSync(join(folder(), name), at, at);
}

test('each folder and use has its own pack, in a folder that only its user can read', async () => {
  const [site, again, check, other] = [
    await localPagePack(env, home, 'site'),
    await localPagePack(env, `${home}/docent/..`, 'site'),
    await localPagePack(env, home, 'check'),
    await localPagePack(env, tmpdir(), 'site'),
  ];
  expect(again).toEqual(site);
  expect(new Set([site, check, other].map((files) => files?.to)).size).toBe(3);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
});

test('the packs of a user are bounded: those unused for longest are deleted, as are remains of killed commands', async () => {
  const files = await localPagePack(env, home, 'site');
  sparse('a.pack', 400, 1);
  sparse('b.pack', 300, 2);
  sparse('c.pack', 300, 3);
  sparse('killed.part', 1, 2);
  sparse('running.part', 1, 0);
  writeFileSync(files?.to ?? '', 'mine');
  await localPagePack(env, home, 'site');
  expect(
    readdirSync(folder())
      .filter((name) => /^[a-z]+\.(?:pack|part)$/.test(name) && !/^[0-9a-f]{32}/.test(name))
      .sort(),
  ).toEqual(['a.pack', 'b.pack', 'running.part']);
  expect(statSync(files?.to ?? '').size).toBe(4);
});

test('nothing is kept if the caller does not want it, or the cache folder cannot be used', async () => {
  expect(await localPagePack(env, home, 'site', false)).toBeUndefined();
  const file = join(home, 'file');
  writeFileSync(file, '');
  expect(await localPagePack({ XDG_CACHE_HOME: file }, home, 'site')).toBeUndefined();
});
