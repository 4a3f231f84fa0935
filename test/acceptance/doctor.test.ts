import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { postgresBin, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { hasRedisServer, startRedis } from '../support/redis.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 240_000 });

interface Finding {
  status: string;
  of: string;
  says: string;
  remedy?: string;
}

const examine = async (env: Record<string, string>, ...args: string[]) => {
  const { code, stdout, stderr } = await runDocent(['doctor', '--json', ...args], env);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return {
    code,
    stderr,
    stdout,
    findings,
    of: (name: string) => findings.filter((one) => one.of === name),
  };
};

describe('docent doctor', () => {
  let docent: RunningDocent;
  beforeAll(async () => {
    docent = await startDocent();
  });
  afterAll(async () => {
    await docent.stop();
    await removeTemporaryFolders();
  });

  test('finds nothing to fail at a healthy server, and leaves nothing behind', async () => {
    const before = readdirSync(docent.dataFolder).sort();
    const { code, findings, of } = await examine({ DOCENT_DATA: docent.dataFolder });
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(code).toBe(0);
    expect(of('server')).toEqual([
      { status: 'ok', of: 'server', says: 'a process has this data folder open' },
    ]);
    expect(of('database')[0]?.says).toMatch(/^PostgreSQL \d+.* \(embedded\), answers in \d+ ms$/);
    expect(of('files')).toEqual([
      { status: 'ok', of: 'files', says: '1 of 1 live sites looked at, nothing is missing' },
    ]);
    expect(
      readdirSync(docent.dataFolder)
        .filter((name) => name !== 'snapshots')
        .sort(),
    ).toEqual(before.filter((name) => name !== 'snapshots'));
    expect(readdirSync(join(docent.dataFolder, 'snapshots'))).toEqual([]);
  });

  test('names an open data folder and a wrong setting, each with a remedy', async () => {
    chmodSync(docent.dataFolder, 0o755);
    const open = await examine({ DOCENT_DATA: docent.dataFolder });
    chmodSync(docent.dataFolder, 0o700);
    expect(open.of('data folder')).toEqual([
      expect.objectContaining({ status: 'warn', remedy: expect.stringContaining('chmod 700') }),
    ]);
    const wrong = await examine({ DOCENT_PORTS: '1' });
    expect([wrong.code, wrong.findings]).toEqual([
      1,
      [
        expect.objectContaining({
          status: 'fail',
          of: 'settings',
          says: expect.stringContaining('did you mean DOCENT_PORT?'),
        }),
      ],
    ]);
  });

  test('writes a bundle for support in which no secret of any setting is, and lists dependencies that are away', async () => {
    const folder = await temporaryFolder();
    const secret = (name: string) => `hidden-${name}-0123456789-0123456789`;
    const env = {
      DOCENT_DATA: docent.dataFolder,
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: `postgres://someone:${secret('database')}@127.0.0.1:1/none`,
      DOCENT_LIMITER: 'redis',
      DOCENT_REDIS_URL: `redis://:${secret('redis')}@127.0.0.1:1/0`,
      DOCENT_CLICKHOUSE_URL: `http://someone:${secret('events')}@127.0.0.1:1/none`,
      DOCENT_BLOBS: 's3',
      DOCENT_S3_BUCKET: 'none',
      DOCENT_S3_ENDPOINT: 'http://127.0.0.1:1',
      DOCENT_S3_ACCESS_KEY_ID: 'an-access-key',
      DOCENT_S3_SECRET_ACCESS_KEY: secret('store'),
      DOCENT_SECRET: secret('own'),
      DOCENT_METRICS_TOKEN: secret('metrics'),
      DOCENT_SMTP_URL: `smtp://someone:${secret('mail')}@127.0.0.1:1`,
      DOCENT_MAIL_FROM: 'docs@example.com',
      DOCENT_MODEL: 'anthropic:claude',
      DOCENT_MODEL_API_KEY: secret('model'),
    };
    const bundle = join(folder, 'report.tar.gz');
    const { code, stdout, stderr, findings } = await examine(env, '--bundle', bundle);
    expect(code).toBe(1);
    const failed = findings.filter(({ status }) => status === 'fail').map(({ of }) => of);
    expect(failed).toEqual(['database', 'file store', 'rate limits', 'ClickHouse']);
    execFileSync('tar', ['-xzf', bundle], { cwd: folder });
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(names.sort()).toEqual([
      'counts.json',
      'failures.json',
      'findings.json',
      'settings.json',
      'versions.json',
    ]);
    const { servers } = JSON.parse(readFileSync(join(folder, 'versions.json'), 'utf8'));
    expect(servers).toEqual({});
    const all = names.map((name) => readFileSync(join(folder, name), 'utf8')).join();
    expect(all).toContain('"database.urlWithPassword": "***"');
    for (const text of [all, stdout, stderr]) expect(text).not.toContain('hidden-');
  });
});

describe.skipIf(!(postgresBin && hasRedisServer && hasClickHouse))(
  'docent doctor with servers that answer',
  () => {
    afterAll(removeTemporaryFolders);

    test('says which server and version each is, and the bundle for support has the same, without a password', async () => {
      const [database, redis, events] = await Promise.all([
        startPostgres(),
        startRedis(),
        startClickHouse(),
      ]);
      const store = createServer((request, response) => answerAsStore(request, response)).listen(
        0,
        '127.0.0.1',
      );
      await once(store, 'listening');
      try {
        const folder = await temporaryFolder();
        const bundle = join(folder, 'report.tar.gz');
        const { of, stdout } = await examine(
          {
            DOCENT_DATA: folder,
            DOCENT_DATABASE: 'postgres',
            DOCENT_DATABASE_URL: await database.createDatabase(),
            DOCENT_LIMITER: 'redis',
            DOCENT_REDIS_URL: redis.url,
            DOCENT_CLICKHOUSE_URL: events.url,
            DOCENT_BLOBS: 's3',
            DOCENT_S3_BUCKET: 'docs',
            DOCENT_S3_ENDPOINT: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
            DOCENT_S3_ACCESS_KEY_ID: 'an-access-key',
            DOCENT_S3_SECRET_ACCESS_KEY: 'hidden-secret-of-the-store',
            DOCENT_SECRET: 'a secret of this test that is long enough',
          },
          '--bundle',
          bundle,
        );
        const expected = {
          database: expect.stringMatching(/^PostgreSQL \d+\.\d/),
          'rate limits': expect.stringMatching(/^(Redis|Valkey) \d+\.\d/),
          ClickHouse: expect.stringMatching(/^ClickHouse \d+\.\d/),
          'file store': 'S3 of Some Store/2.1 (fast)',
        };
        for (const [name, version] of Object.entries(expected))
          expect(of(name)[0], stdout).toMatchObject({ status: 'ok', version });
        execFileSync('tar', ['-xzf', bundle, 'versions.json'], { cwd: folder });
        const versions = readFileSync(join(folder, 'versions.json'), 'utf8');
        expect(JSON.parse(versions).servers).toEqual(expected);
        const passwords = [
          redis.password,
          new URL(events.url).password,
          'hidden-secret-of-the-store',
        ];
        for (const password of passwords) expect(versions + stdout).not.toContain(password);
      } finally {
        store.close();
        await Promise.all([database.stop(), redis.stop(), events.stop()]);
      }
    });
  },
);

/** The few operations that a check of a bucket needs, of a store that names itself. */
const stored = new Map<string, Buffer>();
async function answerAsStore(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [key = ''] = String(request.url).split('?');
  const body = await buffer(request);
  if (request.method === 'PUT') stored.set(key, body);
  const isListing = request.url?.includes('list-type=2');
  const listing =
    '<ListBucketResult><Name>docs</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>';
  const content = isListing
    ? Buffer.from(listing)
    : request.method === 'GET'
      ? stored.get(key)
      : Buffer.alloc(0);
  const headers = {
    server: 'Some Store/2.1 (fast)\u0085',
    'content-length': String(content?.length ?? 0),
  };
  response.writeHead(content === undefined ? 404 : 200, headers);
  response.end(content);
}

describe.skipIf(postgresBin === undefined)('docent doctor with a PostgreSQL server', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.stop();
    await removeTemporaryFolders();
  });

  test('names pending migrations before the first start, and then the running process with its version', async () => {
    const env = { DOCENT_DATABASE: 'postgres', DOCENT_DATABASE_URL: await server.createDatabase() };
    const before = await examine({ ...env, DOCENT_DATA: await temporaryFolder() });
    expect(before.of('migrations')).toEqual([
      expect.objectContaining({
        status: 'warn',
        says: expect.stringMatching(/^\d+ pending: 0001-/),
        remedy: expect.stringContaining('docent migrate'),
      }),
    ]);
    const docent = await startDocent({ env });
    try {
      const { of } = await examine({ ...env, DOCENT_DATA: docent.dataFolder });
      expect(of('migrations')).toEqual([
        { status: 'ok', of: 'migrations', says: 'the database is up to date' },
      ]);
      expect(of('processes')).toEqual([
        { status: 'ok', of: 'processes', says: expect.stringMatching(/^1 running, of version \d/) },
      ]);
      expect(of('clock')).toEqual([
        { status: 'ok', of: 'clock', says: 'it agrees with that of the database' },
      ]);
    } finally {
      await docent.stop();
    }
  });
});
