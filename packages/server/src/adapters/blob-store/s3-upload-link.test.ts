import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasS3Server, startS3, type TestS3 } from '../../../../../test/support/s3.ts';
import { sealSecret } from '../../kernel/sealed-secrets.ts';
import { sendBatch } from '../../streams/deliver-stream.ts';
import type { AnalyticsStream } from '../../streams/queries.ts';
import { createHttpOutside } from '../outside-files/http.ts';
import { createS3Client, usualPatience } from './s3-client.ts';
import { s3UploadLink } from './s3-upload-link.ts';

const SERVER_SECRET = 'test-secret';

describe.skipIf(!hasS3Server)('a batch for an S3 bucket', () => {
  let server: TestS3;
  const outsideCalls = createHttpOutside({
    allowedRanges: [parseIpRange('127.0.0.1/32') as IpRange],
  });
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(async () => {
    await outsideCalls.close();
    await server?.stop();
  });

  const deps = {
    outsideCalls,
    uploadLinks: s3UploadLink,
    secret: SERVER_SECRET,
    clock: { now: () => new Date() },
  };
  const batch = {
    id: 'msg_1',
    key: 'dt=2026-11-22/s-0000000000000007.ndjson',
    body: Buffer.from('{"id":7}\n'),
  };

  test('is stored as one object even if sent twice, and errors name a wrong key or bucket', async () => {
    const settings = await server.createBucket();
    const { accessKeyId, secretAccessKey } = server.credentials;
    const streamOf = (bucket: string, secret: string) =>
      ({
        target: {
          kind: 's3',
          bucket,
          prefix: 'docs/',
          endpoint: server.endpoint,
          region: 'us-east-1',
          forcePathStyle: true,
          accessKeyId,
        },
        secret: sealSecret(SERVER_SECRET, 'analytics streams', secret),
      }) as AnalyticsStream;
    const good = streamOf(settings.bucket, secretAccessKey);
    expect(await sendBatch(deps, good, batch)).toBeUndefined();
    expect(await sendBatch(deps, good, batch)).toBeUndefined();
    const client = createS3Client(settings, server.endpoint, usualPatience);
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: settings.bucket }));
    expect(Contents?.map(({ Key }) => Key)).toEqual([`docs/${batch.key}`]);
    const found = await client.send(
      new GetObjectCommand({ Bucket: settings.bucket, Key: `docs/${batch.key}` }),
    );
    expect([found.ContentType, await found.Body?.transformToString()]).toEqual([
      'application/x-ndjson',
      '{"id":7}\n',
    ]);
    client.destroy();
    expect((await sendBatch(deps, streamOf(settings.bucket, 'wrong'), batch))?.reason).toContain(
      '403',
    );
    expect(
      (await sendBatch(deps, streamOf('no-such-bucket', secretAccessKey), batch))?.reason,
    ).toContain('no such bucket');
  });

  test('is not sent to a private address that is not allowed', async () => {
    const guarded = createHttpOutside();
    const target = {
      kind: 's3',
      bucket: 'b-1',
      prefix: '',
      endpoint: server.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      accessKeyId: 'a',
    };
    const stream = {
      target,
      secret: sealSecret(SERVER_SECRET, 'analytics streams', 'x'),
    } as AnalyticsStream;
    expect((await sendBatch({ ...deps, outsideCalls: guarded }, stream, batch))?.reason).toContain(
      'private or reserved',
    );
    await guarded.close();
  });
});
