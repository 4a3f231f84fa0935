import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectFilled, type Filled, fillPlatform, SITE } from '../support/filled-platform.ts';
import { filesBelow, KILLS, killWhen, seeded } from '../support/kill-when.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 900_000, hookTimeout: 400_000 });

const USUAL_TABLES = 30;

describe.skipIf(postgresBin === undefined)('a restore into PostgreSQL', () => {
  let server: TestPostgres;
  let filled: Filled;
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startPostgres();
    const docent = await startDocent();
    filled = await fillPlatform(docent);
    const { code, stderr } = await runDocent(['backup', at('backup.tar.gz')], {
      DOCENT_DATA: docent.dataFolder,
    });
    expect(code, stderr).toBe(0);
    await docent.stop();
  });
  afterAll(async () => {
    await server?.stop();
    await removeTemporaryFolders();
  });

  const restore = () => ['restore', at('backup.tar.gz')];
  const settings = async () => ({
    DOCENT_DATA: await temporaryFolder(),
    DOCENT_DATABASE: 'postgres',
    DOCENT_DATABASE_URL: await server.createDatabase(),
  });

  type Target = Awaited<ReturnType<typeof settings>>;

  async function query(target: Target, text: string): Promise<{ name: string }[]> {
    const client = new pg.Client(target.DOCENT_DATABASE_URL);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** @returns the sites that a server on this database would serve */
  async function servedSites(target: Target): Promise<string[]> {
    const tables = await query(
      target,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename = 'sites'",
    );
    return tables.length === 0
      ? []
      : (await query(target, 'SELECT slug AS name FROM public.sites')).map(({ name }) => name);
  }

  /** Whether a share of the tables is there, in the schema that a restore fills. */
  async function areTablesBegun(target: Target, share: number): Promise<boolean> {
    const tables = await query(
      target,
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'docent_restore'",
    );
    return tables.length > share * USUAL_TABLES;
  }

  test(`that was killed at ${KILLS} random moments has left no site to serve each time, and the next one completes it`, async () => {
    const whole = await settings();
    expect((await runDocent(restore(), whole)).code).toBe(0);
    const files = filesBelow(join(whole.DOCENT_DATA, 'blobs'));
    const all = await servedSites(whole);
    expect(all).toContain(SITE);

    const env = await settings();
    const blobs = join(env.DOCENT_DATA, 'blobs');
    const random = seeded(13);
    let killed = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const count = random.next().value * 0.9 * files;
      await rm(blobs, { recursive: true, force: true });
      // A third of the kills comes while the tables are filled, before the files.
      const isReached =
        round % 3 === 0
          ? () => areTablesBegun(env, count / files)
          : () => filesBelow(blobs) >= count;
      if (await killWhen(restore(), env, isReached)) killed += 1;
      else break;
      expect(await servedSites(env)).toEqual([]);
      // A server that was started meanwhile has made its own tables.
      if (round === Math.floor(KILLS / 2)) expect((await runDocent(['migrate'], env)).code).toBe(0);
    }
    expect(killed).toBe(KILLS);
    const last = await runDocent(restore(), env);
    expect([last.code, last.stderr]).toEqual([0, '']);
    expect(await servedSites(env)).toEqual(all);
    const again = await runDocent(restore(), env);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining('The PostgreSQL database is in use'),
    ]);
    const copy = await startDocent({
      env,
      dataFolder: env.DOCENT_DATA,
      isFirst: true,
      isBasic: true,
    });
    try {
      await expectFilled(copy, filled, copy.port);
    } finally {
      await copy.stop();
    }
  });
});
