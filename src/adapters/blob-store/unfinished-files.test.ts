import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftOvers, unfinishedName } from './file-system.ts';

test('files left by ended processes are removed, and files of running processes stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-unfinished-'));
  const ours = hostname().replace(/[^A-Za-z0-9-]/g, '') || 'here';
  const names = { own: unfinishedName(), parent: `${ours}.${process.ppid}.a`, dead: `${ours}.999999999.a`, odd: 'left-over' };
  const foreign = { fresh: 'elsewhere.1.a', old: 'elsewhere.1.b' };
  for (const name of [...Object.values(names), ...Object.values(foreign)]) await writeFile(join(folder, name), 'half');
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(folder, foreign.old), longAgo, longAgo);
  await removeLeftOvers(folder);
  expect((await readdir(folder)).sort()).toEqual([names.parent, foreign.fresh].sort());
  await rm(folder, { recursive: true });
});
