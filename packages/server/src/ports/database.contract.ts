import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, QueryRunner } from './database.ts';

/** What every database adapter guarantees. `open` returns an empty one each time. */
export function databaseContract(name: string, open: () => Promise<Database>): void {
  describe(`database: ${name}`, () => {
    let database: Database;
    beforeAll(async () => {
      database = await open();
      await database.migrate();
    });
    afterAll(() => database.close());

    describeQueries(() => database);
    describeTransactions(() => database);
    describeSchema(() => database);

    test('repeated and concurrent migrations change nothing', async () => {
      expect(
        await Promise.all([database.migrate(), database.migrate(), database.migrate()]),
      ).toEqual([[], [], []]);
    });

    test('closing is idempotent, and a closed database rejects queries and fails its ping', async () => {
      const other = await open();
      await Promise.all([other.close(), other.close()]);
      await other.close();
      expect(await other.ping()).toBe(false);
      await expect(other.execute('SELECT 1')).rejects.toThrow();
    });
  });
}

let count = 0;
function uniqueName(): string {
  count += 1;
  return `n${Date.now()}-${count}`;
}

async function addOrganization(queries: QueryRunner): Promise<string> {
  const id = uniqueName();
  await queries
    .insertInto('organizations')
    .values({ id, slug: id, name: 'A "quoted" näme 😀', plan: 'pro' })
    .execute();
  return id;
}

async function addSite(
  queries: QueryRunner,
): Promise<{ organizationId: string; siteId: string; deploymentId: string }> {
  const organizationId = await addOrganization(queries);
  const siteId = uniqueName();
  await queries
    .insertInto('sites')
    .values({ id: siteId, organization_id: organizationId, slug: siteId, name: 'Docs' })
    .execute();
  const deployment = {
    id: uniqueName(),
    site_id: siteId,
    status: 'queued' as const,
    source_key: 'k',
    summary: '',
  };
  await queries.insertInto('deployments').values(deployment).execute();
  return { organizationId, siteId, deploymentId: deployment.id };
}

const organization = (queries: QueryRunner, id: string) =>
  queries.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();

function describeQueries(get: () => Database): void {
  test('an open database answers a ping', async () => {
    expect(await get().ping()).toBe(true);
  });

  test('text of any kind, times to the millisecond, lists and JSON are read back as written', async () => {
    const { queries } = get();
    const { organizationId, siteId, deploymentId } = await addSite(queries);
    expect((await organization(queries, organizationId))?.name).toBe('A "quoted" näme 😀');
    const expires = new Date('2031-02-03T04:05:06.789Z');
    const key = {
      kind: 'assistant' as const,
      name: 'k',
      masked: '…',
      expires_at: expires,
      origin_allowlist: ['https://a.example'],
    };
    const id = uniqueName();
    await queries
      .insertInto('api_keys')
      .values({
        ...key,
        id,
        organization_id: organizationId,
        site_id: siteId,
        hash: id,
        scopes: ['read', 'write'],
        ip_allowlist: [],
      })
      .execute();
    const stored = await queries
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(stored).toMatchObject({
      ...key,
      scopes: ['read', 'write'],
      ip_allowlist: [],
      revoked_at: null,
    });
    const report = {
      pageCount: 1,
      failedPageCount: 0,
      fileCount: 2,
      durationMs: 3.5,
      diagnostics: [],
    };
    await queries
      .updateTable('deployments')
      .set({ report: JSON.stringify(report) })
      .where('id', '=', deploymentId)
      .execute();
    const deployment = await queries
      .selectFrom('deployments')
      .select('report')
      .where('id', '=', deploymentId)
      .executeTakeFirst();
    expect(deployment?.report).toEqual(report);
  });

  test('a time that was read finds its row again, so that it can be part of a cursor', async () => {
    const { queries } = get();
    const id = await addOrganization(queries);
    const createdAt = (await organization(queries, id))?.created_at ?? new Date(0);
    const found = queries
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', id)
      .where('created_at', '=', createdAt);
    expect(await found.executeTakeFirst()).toEqual({ id });
  });

  test('counts, sums and averages are numbers, and an integer too large for a number is an error', async () => {
    const { rows } = await get().execute(
      'SELECT count(*) AS count, sum(n) AS sum, avg(n) AS average FROM generate_series(1, 4) n',
    );
    expect(rows).toEqual([{ count: 4, sum: 10, average: 2.5 }]);
    await expect(get().execute('SELECT 9007199254740993::bigint AS large')).rejects.toThrow(
      'too large',
    );
    expect(await get().ping()).toBe(true);
  });

  test('plain SQL accepts parameters and returns the rows of every statement', async () => {
    expect((await get().execute('SELECT $1::text AS a, $2::int AS b', ['x', 2])).rows).toEqual([
      { a: 'x', b: 2 },
    ]);
    expect((await get().execute('SELECT 1 AS a; SELECT 2 AS b')).rows).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
  });

  test('a value of several megabytes is returned unchanged', async () => {
    const large = 'ä0123456789'.repeat(300_000);
    const { rows } = await get().execute('SELECT $1::text AS text', [large]);
    expect(rows[0]?.text === large).toBe(true);
  });

  test('a failed query reports its error code and does not affect the next query', async () => {
    const id = await addOrganization(get().queries);
    const again = get()
      .queries.insertInto('organizations')
      .values({ id: uniqueName(), slug: id, name: '', plan: 'free' });
    await expect(again.execute()).rejects.toMatchObject({ code: '23505' });
    await expect(get().execute('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
    expect(await organization(get().queries, id)).toBeDefined();
  });

  test('each of a hundred concurrent callers gets its own result', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => get().execute('SELECT $1::int AS n', [n])),
    );
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });
}

function describeTransactions(get: () => Database): void {
  test('a transaction that throws is rolled back', async () => {
    let id = '';
    const work = get()
      .queries.transaction()
      .execute(async (transaction) => {
        id = await addOrganization(transaction);
        expect(await organization(transaction, id)).toBeDefined();
        throw new Error('changed its mind');
      });
    await expect(work).rejects.toThrow('changed its mind');
    expect(await organization(get().queries, id)).toBeUndefined();
  });

  test('a transaction with a failed query is rolled back, and the next one succeeds', async () => {
    let id = '';
    const work = get()
      .queries.transaction()
      .execute(async (transaction) => {
        id = await addOrganization(transaction);
        await sql`SELECT nonsense`.execute(transaction);
      });
    await expect(work).rejects.toMatchObject({ code: '42703' });
    expect(await organization(get().queries, id)).toBeUndefined();
    const next = await get().queries.transaction().execute(addOrganization);
    expect(await organization(get().queries, next)).toBeDefined();
  });

  test('concurrent queries outside an open transaction are not part of it', async () => {
    const opened = Promise.withResolvers<void>();
    const transaction = get()
      .queries.transaction()
      .execute(async (inner) => {
        await addOrganization(inner);
        opened.resolve();
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('rolled back');
      });
    await opened.promise;
    const [outside] = await Promise.all([
      addOrganization(get().queries),
      expect(transaction).rejects.toThrow('rolled back'),
    ]);
    expect(await organization(get().queries, outside)).toBeDefined();
  });
}

function describeSchema(get: () => Database): void {
  test('deleting an organization deletes its sites and everything that belongs to them', async () => {
    const { queries } = get();
    const { organizationId, siteId, deploymentId } = await addSite(queries);
    await queries
      .updateTable('sites')
      .set({ live_deployment_id: deploymentId })
      .where('id', '=', siteId)
      .execute();
    await queries
      .insertInto('site_hostnames')
      .values({ hostname: `${siteId}.example`, site_id: siteId })
      .execute();
    await addExport(queries, { organizationId, siteId, deploymentId }, 'key');
    await queries.deleteFrom('organizations').where('id', '=', organizationId).execute();
    const { rows } = await get().execute(
      `SELECT (SELECT count(*) FROM sites WHERE id = $1) + (SELECT count(*) FROM deployments WHERE site_id = $1)
            + (SELECT count(*) FROM export_jobs WHERE site_id = $1) + (SELECT count(*) FROM site_hostnames WHERE site_id = $1) AS left`,
      [siteId],
    );
    expect(rows).toEqual([{ left: 0 }]);
  });

  test('a row that references a missing row is rejected', async () => {
    const orphan = { id: uniqueName(), organization_id: 'nobody', slug: uniqueName(), name: '' };
    await expect(get().queries.insertInto('sites').values(orphan).execute()).rejects.toMatchObject({
      code: '23503',
    });
  });

  test('an idempotency key is unique within an organization, and exports without a key are not limited', async () => {
    const { queries } = get();
    const site = await addSite(queries);
    await addExport(queries, site, 'once');
    await expect(addExport(queries, site, 'once')).rejects.toMatchObject({ code: '23505' });
    await addExport(queries, site, null);
    await addExport(queries, site, null);
    await addExport(queries, await addSite(queries), 'once');
  });

  test('an assistant key without a site and a deployment with an unknown status are rejected', async () => {
    const { queries } = get();
    const { organizationId, deploymentId } = await addSite(queries);
    const key = {
      id: uniqueName(),
      organization_id: organizationId,
      kind: 'assistant' as const,
      name: '',
      hash: uniqueName(),
    };
    const lists = { masked: '', scopes: [], ip_allowlist: [], origin_allowlist: [] };
    await expect(
      queries
        .insertInto('api_keys')
        .values({ ...key, ...lists })
        .execute(),
    ).rejects.toMatchObject({ code: '23514' });
    const wrong = queries
      .updateTable('deployments')
      .set({ status: 'done' as 'success' })
      .where('id', '=', deploymentId);
    await expect(wrong.execute()).rejects.toMatchObject({ code: '23514' });
  });

  test('messages of one transaction keep the order in which they were written', async () => {
    const { queries } = get();
    const { siteId } = await addSite(queries);
    const threadId = uniqueName();
    await queries
      .insertInto('threads')
      .values({ id: threadId, site_id: siteId, fp: '', key_hash: '' })
      .execute();
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    await queries.transaction().execute(async (transaction) => {
      for (const content of texts) {
        const message = {
          id: uniqueName(),
          thread_id: threadId,
          role: 'user' as const,
          content,
          status: 'complete' as const,
        };
        await transaction.insertInto('messages').values(message).execute();
      }
    });
    const stored = await queries
      .selectFrom('messages')
      .selectAll()
      .where('thread_id', '=', threadId)
      .orderBy('position')
      .execute();
    expect(stored.map(({ content }) => content)).toEqual(texts);
    expect(stored[0]).toMatchObject({ sources: [], model: null, position: expect.any(Number) });
  });
}

async function addExport(
  queries: QueryRunner,
  site: { organizationId: string; siteId: string; deploymentId: string },
  idempotencyKey: string | null,
): Promise<void> {
  const owner = {
    organization_id: site.organizationId,
    site_id: site.siteId,
    deployment_id: site.deploymentId,
  };
  const state = {
    status: 'queued' as const,
    progress: 0,
    page_count: 0,
    idempotency_key: idempotencyKey,
  };
  await queries
    .insertInto('export_jobs')
    .values({ id: uniqueName(), domain: 'docs', ...owner, ...state })
    .execute();
}
