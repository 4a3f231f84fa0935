import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { expectFilled, type Filled, fillPlatform } from '../support/filled-platform.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { hasS3Server, startS3, type TestS3 } from '../support/s3.ts';
import {
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });
const canRun = postgresBin !== undefined && hasS3Server;

describe.skipIf(!canRun)('what one process with embedded storage has', () => {
  let database: TestPostgres;
  let store: TestS3;
  let folder: string;
  let filled: Filled;
  let secret: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    [database, store] = await Promise.all([startPostgres(), startS3()]);
    const docent = await startDocent({ isFirst: true, isBasic: true });
    filled = await fillPlatform(docent);
    await docent.stop();
    await cp(docent.dataFolder, at('data'), { recursive: true });
    expect(
      (await runDocent(['backup', at('backup.tar.gz')], { DOCENT_DATA: at('data') })).code,
    ).toBe(0);
    secret = (await readFile(at('data/link-secret'), 'utf8')).trim();
  });
  afterAll(async () => {
    await Promise.all([database?.stop(), store?.stop()]);
    await removeTemporaryFolders();
  });

  /** Settings of new, empty storage. */
  const servers = async (more: Record<string, string> = {}): Promise<Record<string, string>> => {
    const { bucket, endpoint, credentials } = await store.createBucket();
    return {
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: await database.createDatabase(),
      DOCENT_SECRET: secret,
      DOCENT_BLOBS: 's3',
      DOCENT_S3_BUCKET: bucket,
      DOCENT_S3_ENDPOINT: endpoint,
      DOCENT_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      DOCENT_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...more,
    };
  };
  const run = (args: string[], env: Record<string, string>) =>
    runDocent(args, { DOCENT_DATA: at('work'), ...env });
  const expectServed = async (env: Record<string, string>) => {
    const copy = await startDocent({ env });
    try {
      await expectFilled(copy, filled, undefined);
    } finally {
      await copy.stop();
    }
  };

  test('is complete in PostgreSQL and a bucket after "docent migrate --from", events in ClickHouse, and then in a backup of those', async () => {
    const events = hasClickHouse ? await startClickHouse() : undefined;
    onTestFinished(() => events?.stop());
    const env = await servers(events && { DOCENT_CLICKHOUSE_URL: events.url });
    const moved = await run(['migrate', '--from', at('data')], env);
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    const again = await run(['migrate', '--from', at('data')], env);
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining('The PostgreSQL database is in use'),
    ]);
    const onward = join(await temporaryFolder(), 'onward.tar.gz');
    const saved = await run(['backup', onward], env);
    expect([saved.code, saved.stderr]).toEqual([0, '']);
    await expectServed(env);
    // From ClickHouse into the partitions of PostgreSQL.
    const other = await servers();
    const restored = await run(['restore', onward], other);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    await expectServed(other);
  });

  test('is complete in PostgreSQL and a bucket that a server has started on, from a backup', async () => {
    const env = await servers();
    expect((await run(['migrate'], env)).code).toBe(0);
    const restored = await run(['restore', at('backup.tar.gz')], env);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    await expectServed(env);
  });

  test('is not restored where the secret is another one, or a process runs', async () => {
    const env = await servers({ DOCENT_SECRET: 'x'.repeat(40) });
    const { code, stderr } = await run(['migrate', '--from', at('data')], env);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('set DOCENT_SECRET to the one in the backup'),
    ]);
    expect((await run(['migrate', '--from', at('data'), '--new-secret'], env)).code).toBe(0);
    const running = await servers();
    const docent = await startDocent({ env: running });
    try {
      const refused = await run(['restore', at('backup.tar.gz'), '--replace'], running);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('is running on this database; stop all'),
      ]);
    } finally {
      await docent.stop();
    }
    expect((await run(['restore', at('backup.tar.gz'), '--replace'], running)).code).toBe(0);
    await expectServed(running);
  });
});
