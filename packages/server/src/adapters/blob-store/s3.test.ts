import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasS3Server, startS3, type TestS3 } from '../../../../../test/support/s3.ts';
import { blobStoreContract } from '../../ports/blob-store.contract.ts';
import { openS3BlobStore } from './s3.ts';

const clock = { now: () => new Date() };
const hour = 3600;

async function follow(url: string) {
  const answer = await fetch(url);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status !== 200) return { ok: false as const };
  const name =
    /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? '';
  return { ok: true as const, bytes, filename: decodeURIComponent(name) };
}

describe.skipIf(!hasS3Server)('on an S3 server', () => {
  let server: TestS3;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server?.stop());

  blobStoreContract('S3', async () => {
    const store = await openS3BlobStore({
      settings: { ...(await server.createBucket()), prefix: 'docs/one/' },
      clock,
    });
    return { store, follow, close: () => store.close() };
  });

  test('a link works until it expires and never without its signature, and the store reports the expiry', async () => {
    const settings = await server.createBucket();
    const openAt = (secondsAgo: number) =>
      openS3BlobStore({ settings, clock: { now: () => new Date(Date.now() - secondsAgo * 1000) } });
    const [fresh, nearlyOld, old] = await Promise.all([
      openAt(0),
      openAt(hour - 3),
      openAt(hour + 1),
    ]);
    await fresh.put('bundles/a.tar.gz', Buffer.from('bundle'), { contentType: 'application/gzip' });
    const options = { expiresInSeconds: hour, filename: 'a.tar.gz' };
    const link = await nearlyOld.presign('bundles/a.tar.gz', options);
    expect(await follow(link.url)).toMatchObject({
      ok: true,
      bytes: new Uint8Array(Buffer.from('bundle')),
    });
    expect((await fetch((await old.presign('bundles/a.tar.gz', options)).url)).status).toBe(403);
    expect((await fetch(link.url.replace(/\?.*/, ''))).status).toBe(403);
    expect(link.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(3000);
    await new Promise((resolve) =>
      setTimeout(resolve, link.expiresAt.getTime() - Date.now() + 1100),
    );
    expect((await fetch(link.url)).status).toBe(403);
    await Promise.all([fresh, nearlyOld, old].map((store) => store.close()));
  });

  test('without configured keys, the store uses the AWS credential chain, and links expire with its credentials', async () => {
    const { credentials, ...settings } = await server.createBucket();
    const endsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 1_800_000);
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
    vi.stubEnv('AWS_CREDENTIAL_EXPIRATION', endsAt.toISOString());
    try {
      const store = await openS3BlobStore({ settings, clock });
      await store.put('a', Buffer.from('a'));
      const { url, expiresAt } = await store.presign('a', {
        expiresInSeconds: hour,
        filename: 'a',
      });
      expect((await follow(url)).ok).toBe(true);
      expect(expiresAt).toEqual(endsAt);
      await store.close();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('objects under one prefix are invisible to a store with another prefix', async () => {
    const settings = await server.createBucket();
    const one = await openS3BlobStore({ settings: { ...settings, prefix: 'docs/one/' }, clock });
    const other = await openS3BlobStore({ settings: { ...settings, prefix: 'docs/two/' }, clock });
    await one.put('a/b', Buffer.from('x'));
    const keysOf = async (store: typeof one) => {
      const keys: string[] = [];
      for await (const key of store.list('')) keys.push(key);
      return keys;
    };
    expect([await keysOf(one), await keysOf(other)]).toEqual([['a/b'], []]);
    expect(await other.read('a/b')).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
  });
});
