import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../../../../test/support/fault-proxy.ts';
import { hasS3Server, startS3, type TestS3 } from '../../../../../test/support/s3.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { openS3BlobStore } from './s3.ts';
import type { S3Settings } from './s3-client.ts';

const clock = { now: () => new Date() };
const patience = { connectionTimeoutMs: 5000, idleTimeoutMs: 5000, attempts: 3 };
const MB = 1 << 20;

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(MB, index);
}

const isPart = ({ method, path }: { method: string; path: string }) =>
  method === 'PUT' && path.includes('partNumber=');
const slowDown = {
  status: 503,
  body: '<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>',
};

describe.skipIf(!hasS3Server)('an S3 store over an unreliable network', () => {
  let server: TestS3;
  let proxy: FaultProxy;
  let settings: Awaited<ReturnType<TestS3['createBucket']>>;
  let store: BlobStore;
  let direct: S3Client;

  beforeAll(async () => {
    server = await startS3();
    settings = await server.createBucket();
    proxy = await startFaultProxy(server.endpoint);
    store = await openS3BlobStore({
      settings: { ...settings, endpoint: proxy.url },
      clock,
      patience,
    });
    direct = new S3Client({ ...settings, region: 'us-east-1' });
  });
  afterAll(async () => {
    await store?.close();
    await proxy?.close();
    direct?.destroy();
    await server?.stop();
  });
  beforeEach(() => proxy.onRequest(() => 'none'));

  const unfinished = async () =>
    (await direct.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }))).Uploads
      ?.length ?? 0;
  const keys = async () => {
    const found: string[] = [];
    for await (const key of store.list('')) found.push(key);
    return found;
  };
  /** Causes the fault in the first requests that meet the condition. */
  const timesTo = (
    times: number,
    meets: typeof isPart,
    fault: Parameters<FaultProxy['onRequest']>[0],
  ) => {
    let left = times;
    proxy.onRequest((request) => (meets(request) && left-- > 0 ? fault(request) : 'none'));
  };

  test.each([
    ['breaks', 'cut' as const],
    ['loses a response', 'lose-answer' as const],
    ['is throttled', slowDown],
    ['stalls', 'hang' as const],
  ])('stores a complete multipart upload whose connection %s once', async (_, fault) => {
    timesTo(
      1,
      ({ method, path }) => isPart({ method, path }) && path.includes('partNumber=2'),
      () => fault,
    );
    expect(await store.put('whole', megabytes(20))).toMatchObject({ sizeBytes: 20 * MB });
    let position = 0;
    for await (const chunk of (await store.get('whole')) ?? []) {
      for (let index = 0; index < chunk.length; index += 4099) {
        if (chunk[index] !== Math.floor((position + index) / MB))
          throw new Error(`wrong byte at ${position + index}`);
      }
      position += chunk.length;
    }
    expect(position).toBe(20 * MB);
    await store.delete('whole');
    expect(await unfinished()).toBe(0);
  });

  test.each([
    ['breaks', 'cut' as const],
    ['is throttled', slowDown],
    [
      'is denied',
      { status: 403, body: '<Error><Code>AccessDenied</Code><Message>no</Message></Error>' },
    ],
  ])(
    'leaves no blob and no parts of a multipart upload whose connection %s repeatedly',
    async (_, fault) => {
      proxy.onRequest((request) =>
        isPart(request) && request.path.includes('partNumber=2') ? fault : 'none',
      );
      let yielded = 0;
      async function* endless(): AsyncGenerator<Uint8Array> {
        for (; yielded < 400; yielded += 1) {
          yield Buffer.alloc(MB);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
      await expect(store.put('lost', endless())).rejects.toThrow();
      // The fault ended it before the source was read to its end.
      expect(yielded).toBeLessThan(400);
      expect(await keys()).toEqual([]);
      expect(await unfinished()).toBe(0);
    },
  );

  test('leaves no blob and no parts of an upload that is aborted midway', async () => {
    const abort = new AbortController();
    proxy.onRequest((request) => {
      if (isPart(request) && request.path.includes('partNumber=2')) {
        setImmediate(() => abort.abort(new Error('no longer wanted')));
        return 'hang';
      }
      return 'none';
    });
    await expect(store.put('aborted', megabytes(40), { signal: abort.signal })).rejects.toThrow(
      'no longer wanted',
    );
    expect(await keys()).toEqual([]);
    expect(await unfinished()).toBe(0);
  });

  test('reports success if the response to the last step of an upload is lost', async () => {
    timesTo(
      1,
      ({ method, path }) => method === 'POST' && path.includes('uploadId='),
      () => 'lose-answer',
    );
    expect(await store.put('completed', megabytes(10))).toMatchObject({ sizeBytes: 10 * MB });
    expect((await store.stat('completed'))?.sizeBytes).toBe(10 * MB);
    await store.delete('completed');
  });

  test('retries a small put and a read, and waits for a slow response', async () => {
    timesTo(
      1,
      ({ method }) => method === 'PUT',
      () => 'cut',
    );
    await store.put('small', Buffer.from('small'));
    timesTo(
      2,
      ({ method }) => method === 'GET',
      () => slowDown,
    );
    expect(Buffer.from((await store.read('small')) ?? []).toString()).toBe('small');
    timesTo(
      1,
      ({ method }) => method === 'HEAD',
      () => ({ waitMs: 700 }),
    );
    expect((await store.stat('small'))?.sizeBytes).toBe(5);
    await store.delete('small');
  });

  test('resumes an interrupted read, also within a range, and never mixes in bytes of another blob', async () => {
    const text = 'abcdefghij'.repeat(10_000);
    await store.put('long', Buffer.from(text));
    timesTo(
      2,
      ({ method }) => method === 'GET',
      () => ({ cutAnswerAfterBytes: 30_001 }),
    );
    expect(Buffer.from((await store.read('long')) ?? []).toString()).toBe(text);
    expect(proxy.seen).toHaveLength(3);
    timesTo(
      1,
      ({ method }) => method === 'GET',
      () => ({ cutAnswerAfterBytes: 7 }),
    );
    const parts: Uint8Array[] = [];
    for await (const part of (await store.get('long', { start: 5, end: 50_004 })) ?? [])
      parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(text.slice(5, 50_005));

    timesTo(
      1,
      ({ method }) => method === 'GET',
      () => ({ cutAnswerAfterBytes: 10 }),
    );
    const chunks = (await store.get('long')) ?? [];
    await store.put('long', Buffer.from('other'.repeat(20_000)));
    const readAll = async () => {
      for await (const _ of chunks);
    };
    await expect(readAll()).rejects.toThrow();
    await store.delete('long');
  });

  test('reports an unavailable bucket as a dependency failure with a time to retry', async () => {
    const away = { code: 'dependency_unavailable', retryAfterSeconds: 5 };
    proxy.onRequest(() => ({
      status: 503,
      body: '<Error><Code>ServiceUnavailable</Code><Message>no</Message></Error>',
    }));
    await Promise.all([
      expect(store.read('a')).rejects.toMatchObject(away),
      expect(store.stat('a')).rejects.toMatchObject(away),
      expect(store.put('a', Buffer.from('a'))).rejects.toMatchObject(away),
      expect(store.put('a', megabytes(1))).rejects.toMatchObject(away),
      expect(store.delete('a')).rejects.toMatchObject(away),
      expect(keys()).rejects.toMatchObject(away),
    ]);
  });

  test('releases the connection of a reader that stops early, even before the first chunk', async () => {
    await store.put('left', Buffer.alloc(200_000));
    for (let index = 0; index < 300; index += 1) {
      const chunks = (await store.get('left')) as AsyncIterable<Uint8Array>;
      const iterator = chunks[Symbol.asyncIterator]();
      if (index % 2 === 0) await iterator.next();
      await iterator.return?.();
    }
    // Those were more readers than connections; without a free one, this read would never end.
    expect((await store.read('left'))?.byteLength).toBe(200_000);
    await store.delete('left');
  });

  describe('reports at startup, in one line,', () => {
    const start = async (change: Partial<S3Settings>) => {
      const opened = openS3BlobStore({
        settings: { ...settings, ...change },
        clock,
        patience: { ...patience, attempts: 1 },
      });
      const fault = await opened.then(
        () => '',
        (error: Error) => error.message,
      );
      expect(fault).not.toMatch(/\n|secret-of-docent-test/);
      return fault;
    };
    const { credentials } = {
      credentials: { accessKeyId: 'docent-test', secretAccessKey: 'wrong' },
    };

    test.each<[string, Partial<S3Settings>, string]>([
      [
        'a bucket that does not exist',
        { bucket: 'nobodys' },
        'DOCENT_S3_BUCKET: there is no bucket "nobodys"',
      ],
      ['a wrong secret', { credentials }, 'DOCENT_S3_SECRET_ACCESS_KEY: '],
      [
        'an unknown key',
        { credentials: { ...credentials, accessKeyId: 'nobody' } },
        'DOCENT_S3_ACCESS_KEY_ID: ',
      ],
      [
        'an endpoint that refuses connections',
        { endpoint: 'http://127.0.0.1:1' },
        'DOCENT_S3_ENDPOINT: http://127.0.0.1:1 cannot be reached',
      ],
      [
        'a host name that does not resolve',
        { endpoint: 'http://store.invalid' },
        'DOCENT_S3_ENDPOINT: http://store.invalid cannot be reached',
      ],
    ])('%s', async (_, change, expected) => {
      expect(await start(change)).toContain(expected);
    });

    test.each([
      ['GET', 'may not list (s3:ListBucket) the bucket'],
      ['PUT', 'may not write to (s3:PutObject) the bucket'],
      ['DELETE', 'may not delete from (s3:DeleteObject) the bucket'],
    ])('a policy without %s', async (refused, expected) => {
      const denied = {
        status: 403,
        body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
      };
      proxy.onRequest(({ method }) => (method === refused ? denied : 'none'));
      expect(await start({ endpoint: proxy.url })).toContain(expected);
    });

    test.each([
      ['a clock that is wrong', 403, 'RequestTimeTooSkewed', 'The clock of this machine'],
      ['a wrong region', 400, 'AuthorizationHeaderMalformed', 'DOCENT_S3_REGION: '],
      [
        'expired credentials',
        400,
        'ExpiredToken',
        'DOCENT_S3_ACCESS_KEY_ID: the temporary credentials have expired',
      ],
    ])('%s', async (_, status, code, expected) => {
      proxy.onRequest(() => ({
        status,
        body: `<Error><Code>${code}</Code><Message>no</Message></Error>`,
      }));
      expect(await start({ endpoint: proxy.url })).toContain(expected);
    });

    test('a clock so slightly wrong that requests still pass, because links would expire at the wrong time', async () => {
      const date = new Date(Date.now() + 10 * 60_000).toUTCString();
      proxy.onRequest(() => ({
        status: 200,
        headers: { date },
        body: '<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>',
      }));
      expect(await start({ endpoint: proxy.url })).toContain('The clock of this machine');
    });

    test('a server that does not speak S3', async () => {
      proxy.onRequest(() => ({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><p>Hello',
      }));
      expect(await start({ endpoint: proxy.url })).toContain('DOCENT_S3_ENDPOINT: the bucket');
    });
  });
});
