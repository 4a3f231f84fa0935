import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { expectFilled, type Filled, fillPlatform } from '../support/filled-platform.ts';
import { filesBelow, KILLS, killWhen, seeded } from '../support/kill-when.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 400_000 });

let docent: RunningDocent;
let filled: Filled;
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  docent = await startDocent();
  filled = await fillPlatform(docent);
});
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await docent?.stop();
  await removeTemporaryFolders();
});

test(`after kill -9 at ${KILLS} moments of a backup, no file with its name is half, and the next backup leaves nothing behind`, async () => {
  const env = { DOCENT_DATA: docent.dataFolder };
  const first = await runDocent(['backup', at('whole.tar.gz'), '--json'], env);
  expect(first.code).toBe(0);
  const size = statSync(at('whole.tar.gz')).size;
  const random = seeded(11);
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const part = random.next().value * size;
    const file = at(`killed-${round}.tar.gz`);
    // A third of the kills comes while the database is copied.
    const isReached =
      round % 3 === 0
        ? () => readdirSync(join(docent.dataFolder, 'snapshots')).length > 0
        : () => existsSync(`${file}.partial`) && statSync(`${file}.partial`).size >= part;
    if (await killWhen(['backup', file], env, isReached)) killed += 1;
    // The only name that it may have is complete.
    if (existsSync(file)) expect(statSync(file).size).toBeGreaterThan(size * 0.9);
  }
  expect(killed).toBeGreaterThan(KILLS / 2);
  const last = await runDocent(['backup', at('last.tar.gz')], env);
  expect([last.code, last.stderr]).toEqual([0, '']);
  expect(readdirSync(join(docent.dataFolder, 'snapshots'))).toEqual([]);
  // The server did not notice.
  expect((await fetch(`${docent.apiUrl}/readyz`)).status).toBe(200);
});

test(`after kill -9 at ${KILLS} moments of a restore, the target has everything or no database, and the next restore completes it`, async () => {
  const made = await runDocent(['backup', at('kept.tar.gz'), '--json'], {
    DOCENT_DATA: docent.dataFolder,
  });
  const { files } = JSON.parse(made.stdout) as { files: number };
  const env = { DOCENT_DATA: at('restored') };
  const restore = ['restore', at('kept.tar.gz'), '--replace'];
  const random = seeded(12);
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const before = filesBelow(at('restored/blobs'));
    const count = before >= files ? 0 : before + random.next().value * (files - before) * 0.4;
    const isReached =
      round % 3 === 0
        ? () => existsSync(at('restored/database.restored'))
        : () => filesBelow(at('restored/blobs')) >= count;
    if (await killWhen(restore, env, isReached)) killed += 1;
    expect(existsSync(at('restored/database'))).toBe(false);
  }
  expect(killed).toBe(KILLS);
  const last = await runDocent(restore, env);
  expect([last.code, last.stderr]).toEqual([0, '']);
  const copy = await startDocent({ dataFolder: at('restored') });
  try {
    await expectFilled(copy, filled, copy.port);
  } finally {
    await copy.stop();
  }
});
