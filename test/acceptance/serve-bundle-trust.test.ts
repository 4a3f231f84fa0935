import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSignatureHash, signBundle } from '@docent/compiler/bundle/bundle-signature.ts';
import { createSigningKey, readSigningKey } from '@docent/compiler/bundle/signing-key.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundleServers } from '../support/bundle-servers.ts';
import { sharedBundle, type TestBundle } from '../support/exported-bundle.ts';
import { until } from '../support/http.ts';
import type { RunningBundleServer } from '../support/start-bundle-server.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';

const { serve, archive, closeAll } = bundleServers();
const key = createSigningKey();
const stranger = createSigningKey();
const signed = { env: { DOCENT_BUNDLE_PUBLIC_KEY: key.public } };
let one: TestBundle;
let other: TestBundle;

beforeAll(async () => {
  [one, other] = await Promise.all([sharedBundle('first'), sharedBundle('second')]);
});
afterEach(closeAll);
afterAll(removeTemporaryFolders);

function signatureOf({ bytes }: Pick<TestBundle, 'bytes'>, by = key): string {
  return signBundle(
    createSignatureHash().update(bytes).digest(),
    readSigningKey(by.secret),
    'a bundle',
  );
}

async function copyOf(bundle: TestBundle, signature?: string): Promise<string> {
  const file = join(await temporaryFolder(), 'bundle.tar.gz');
  writeFileSync(file, bundle.bytes);
  if (signature !== undefined) writeFileSync(`${file}.minisig`, signature);
  return file;
}

const faultOf = (server: RunningBundleServer, text: string) =>
  until(async () => {
    const { status, body } = await server.readiness();
    return (body.fault ?? body.reason)?.includes(text)
      ? { status, sha256: body.sha256 }
      : undefined;
  });

describe('a bundle that must be signed', () => {
  test('is accepted with the signature next to it, from a file or a link', async () => {
    const local = await serve(await copyOf(one, signatureOf(one)), signed);
    await local.serves(one.sha256);
    const store = await archive(other.bytes, { minisig: signatureOf(other) });
    const remote = await serve(store.link.split('?')[0] as string, signed);
    await remote.serves(other.sha256);
  });

  test('is rejected with a signature of another key, of another archive or in no valid format; the old one remains', async () => {
    const file = await copyOf(one, signatureOf(one));
    const server = await serve(file, signed);
    await server.serves(one.sha256);
    const take = (signature: string) => {
      writeFileSync(`${file}.minisig`, signature);
      writeFileSync(file, other.bytes);
      server.child.kill('SIGHUP');
    };
    for (const [signature, reason] of [
      [signatureOf(other, stranger), 'it was made with the key'],
      [signatureOf(one), 'does not belong to this archive'],
      ['nonsense', 'not in the minisign format'],
    ] as const) {
      take(signature);
      expect(await faultOf(server, reason)).toEqual({ status: 200, sha256: one.sha256 });
    }
    expect(await (await server.get('/guides/start')).text()).toContain('first edition');
    take(signatureOf(other));
    await server.serves(other.sha256);
  });

  test('is accepted once its signature is available, without a second download', async () => {
    const store = await archive(one.bytes);
    const server = await serve(store.link.split('?')[0] as string, signed);
    expect(await faultOf(server, 'no .minisig file beside it')).toMatchObject({ status: 503 });
    store.behavior.minisig = signatureOf(one);
    server.child.kill('SIGHUP');
    await server.serves(one.sha256);
    expect(store.log.filter((line) => line === '200')).toHaveLength(1);
  });

  test('behind a presigned link needs its signature in the settings, as a link or as text', async () => {
    const store = await archive(one.bytes, { minisig: signatureOf(one) });
    const unnamed = await serve(store.link, signed);
    expect(await faultOf(unnamed, 'set DOCENT_BUNDLE_SIGNATURE')).toMatchObject({ status: 503 });
    const beside = `${store.link.split('?')[0]}.minisig?signature=of-its-own`;
    const linked = await serve(store.link, {
      env: { ...signed.env, DOCENT_BUNDLE_SIGNATURE: beside },
    });
    await linked.serves(one.sha256);
    const given = await serve(store.link, {
      args: ['--key', key.public, '--signature', signatureOf(one)],
    });
    await given.serves(one.sha256);
  });

  test('is not served from a cache that was filled without verification', async () => {
    const unchecked = await serve(one.file);
    await unchecked.serves(one.sha256);
    await unchecked.stop();
    const store = await archive(other.bytes, { status: 403 });
    const server = await serve(store.link, { ...signed, cache: unchecked.cache });
    expect(await faultOf(server, 'answers 403')).toMatchObject({ status: 503, sha256: undefined });
    expect((await server.get('/guides/start')).status).toBe(503);
    const checked = await serve(await copyOf(one, signatureOf(one)), {
      ...signed,
      cache: unchecked.cache,
    });
    await checked.serves(one.sha256);
    await checked.stop();
    const again = await serve(store.link, { ...signed, cache: unchecked.cache });
    await again.serves(one.sha256);
  });

  test('is not served with an invalid public key', async () => {
    const run = await runDocent([
      'serve-bundle',
      one.file,
      '--key',
      'no key',
      '--port',
      '0',
      '--cache',
      await temporaryFolder(),
    ]);
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('DOCENT_BUNDLE_PUBLIC_KEY'),
    });
  });
});

describe('a restart with a filled cache', () => {
  async function filled(): Promise<string> {
    const old = await serve(one.file);
    await old.serves(one.sha256);
    await old.stop();
    return old.cache;
  }

  test('is ready once another configured bundle is served; until then, readers get the old one', async () => {
    const store = await archive(other.bytes, { pauseMs: 60 });
    const server = await serve(store.link, { cache: await filled() });
    const before = await server.readiness();
    expect(before).toMatchObject({
      status: 503,
      body: { status: 'not ready', sha256: one.sha256 },
    });
    expect(await (await server.get('/guides/start')).text()).toContain('first edition');
    const ready = await until(async () => {
      const now = await server.readiness();
      return now.status === 200 ? now.body : undefined;
    });
    expect(ready.sha256).toBe(other.sha256);
  });

  test('is ready with the old bundle after one failed attempt to get another one, and reports why', async () => {
    const cache = await filled();
    const store = await archive(other.bytes, { status: 403 });
    for (const reason of ['answers 403', 'cannot be read']) {
      const server = await serve(store.link, { cache });
      await server.serves(one.sha256);
      expect((await server.readiness()).body.fault).toContain(reason);
      expect(server.log()).toContain('the local copy is not the configured bundle');
      expect(server.log()).toContain('still serving the local copy');
      await server.stop();
      await store.close();
    }
  });

  test('is not ready while the pinned version is missing or the new archive is invalid', async () => {
    const cache = await filled();
    const pinned = await serve(one.file, { cache, args: ['--version', '2'] });
    expect(await faultOf(pinned, '"2" is configured')).toEqual({ status: 503, sha256: one.sha256 });
    await pinned.stop();
    const store = await archive(Buffer.from('nonsense'));
    const broken = await serve(store.link, { cache });
    expect(await faultOf(broken, 'not a .tar.gz')).toEqual({ status: 503, sha256: one.sha256 });
    store.behavior.bytes = other.bytes;
    broken.child.kill('SIGHUP');
    await broken.serves(other.sha256);
  });

  test('is ready immediately if only the signature of the link has changed', async () => {
    const store = await archive(one.bytes);
    const first = await serve(store.link);
    await first.serves(one.sha256);
    await first.stop();
    await store.close();
    const second = await serve(store.link.replace('very-secret', 'fresh'), { cache: first.cache });
    expect(await second.readiness()).toMatchObject({ status: 200, body: { sha256: one.sha256 } });
  });
});

describe('the metrics of a bundle server', () => {
  const metricsOf = async (server: RunningBundleServer, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${new URL(server.url).origin}/metrics`, { headers });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    };
  };

  test('report requests, the bundle and whether it is the configured one, if enabled, on the local network only', async () => {
    const store = await archive(one.bytes);
    const env = { DOCENT_BUNDLE_METRICS: 'true', DOCENT_TRUSTED_PROXIES: '1' };
    const server = await serve(store.link, { env, args: ['--base-path', '/docs'] });
    await server.serves(one.sha256);
    await server.get('/guides/start');
    await server.get('/nowhere');
    const { status, type, text } = await metricsOf(server);
    expect([status, type]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(text).toMatch(
      /docent_http_request_duration_seconds_count\{method="GET",route="[^"]*",status="200"\} \d+/,
    );
    expect(text).toMatch(
      /docent_http_request_duration_seconds_count\{method="GET",route="[^"]*",status="404"\} 1/,
    );
    expect(text).toContain(`sha256="${one.sha256}"} 1`);
    expect(text).toContain('docent_bundle_configured_is_served 1');
    expect(text).toContain('docent_bundle_checks_total{outcome="good"} 1');
    expect(text).toContain('process_resident_memory_bytes');
    store.behavior.status = 403;
    server.child.kill('SIGHUP');
    await until(async () =>
      (await metricsOf(server)).text.includes('docent_bundle_checks_total{outcome="failed"} 1')
        ? true
        : undefined,
    );
    expect((await metricsOf(server)).text).toContain('docent_bundle_configured_is_served 0');
    expect((await metricsOf(server, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
  });

  test('are disabled by default', async () => {
    const server = await serve(one.file);
    await server.serves(one.sha256);
    expect((await metricsOf(server)).status).toBe(404);
  });
});
