import { describe, expect, test } from 'vitest';
import { fakeOutsideFiles } from '../../../../test/support/fakes.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { OutsideFault, type OutsideFiles } from '../ports/outside-files.ts';
import { createOutsideFetcher } from './outside-fetcher.ts';

const url = 'https://api.example.com/openapi.json';
const bytes = new TextEncoder().encode('{"openapi": "3.1.0"}');
const request = { maxBytes: 1000 };

function memoryBlobs(): Pick<BlobStore, 'put' | 'read' | 'stat' | 'delete' | 'list'> & {
  keys(): string[];
} {
  const kept = new Map<string, { bytes: Uint8Array; contentType: string }>();
  return {
    keys: () => [...kept.keys()],
    async put(key, body, { contentType = '' } = {}) {
      kept.set(key, { bytes: body as Uint8Array, contentType });
      return { sizeBytes: (body as Uint8Array).length, contentType };
    },
    read: async (key) => kept.get(key)?.bytes,
    async stat(key) {
      const found = kept.get(key);
      return found && { sizeBytes: found.bytes.length, contentType: found.contentType };
    },
    async delete(key) {
      kept.delete(key);
    },
    async *list(prefix) {
      yield* [...kept.keys()].filter((key) => key.startsWith(prefix));
    },
  };
}

const up = () => fakeOutsideFiles({ [url]: { bytes, type: 'application/json' } });

describe('an outside URL', () => {
  test('is fetched once per build, even for concurrent requests', async () => {
    let calls = 0;
    const inner = up();
    const counting: OutsideFiles = {
      fetch(...args) {
        calls++;
        return inner.fetch(...args);
      },
    };
    const fetcher = createOutsideFetcher({
      outsideFiles: counting,
      blobs: memoryBlobs(),
      prefix: 'outside/a/',
    });
    const [one, two] = await Promise.all([
      fetcher.fetch(url, request),
      fetcher.fetch(url, request),
    ]);
    expect([one, two, calls]).toEqual([{ bytes, type: 'application/json' }, one, 1]);
  });

  test('returns the copy of an earlier build of the site while it is down, and reports the reason', async () => {
    const blobs = memoryBlobs();
    await createOutsideFetcher({ outsideFiles: up(), blobs, prefix: 'outside/a/' }).fetch(
      url,
      request,
    );
    const down = createOutsideFetcher({
      outsideFiles: fakeOutsideFiles(),
      blobs,
      prefix: 'outside/a/',
    });
    expect(await down.fetch(url, request)).toEqual({
      bytes,
      type: 'application/json',
      kept: `${url} could not be reached.`,
    });
    const other = createOutsideFetcher({
      outsideFiles: fakeOutsideFiles(),
      blobs,
      prefix: 'outside/b/',
    });
    expect(await other.fetch(url, request)).toEqual({ fault: `${url} could not be reached.` });
  });

  test('is forgotten when a build no longer requests it', async () => {
    const blobs = memoryBlobs();
    await createOutsideFetcher({ outsideFiles: up(), blobs, prefix: 'outside/a/' }).fetch(
      url,
      request,
    );
    const next = createOutsideFetcher({ outsideFiles: up(), blobs, prefix: 'outside/a/' });
    await next.deleteUnused();
    expect(blobs.keys()).toEqual([]);
  });

  test('is not fetched again while the server allows reuse and the build accepts it', async () => {
    const blobs = memoryBlobs();
    let now = Date.parse('2026-01-01T00:00:00Z');
    let calls = 0;
    const outsideFiles: OutsideFiles = {
      async fetch(address) {
        calls++;
        return { url: address, bytes, type: 'image/png', freshSeconds: 600 };
      },
    };
    const build = (mayReuse: boolean) =>
      createOutsideFetcher({
        outsideFiles,
        blobs,
        prefix: 'outside/a/',
        clock: { now: () => new Date(now) },
      }).fetch(url, {
        ...request,
        mayReuse,
      });
    expect([await build(true), await build(true), calls]).toEqual([
      { bytes, type: 'image/png' },
      { bytes, type: 'image/png' },
      1,
    ]);
    await build(false);
    now += 600_001;
    await build(true);
    expect(calls).toBe(3);
  });

  test('is skipped immediately after its server has timed out repeatedly', async () => {
    let calls = 0;
    const silent: OutsideFiles = {
      async fetch(address) {
        calls++;
        throw new OutsideFault('unreachable', `${address} did not respond within 20 s.`);
      },
    };
    const fetcher = createOutsideFetcher({
      outsideFiles: silent,
      blobs: memoryBlobs(),
      prefix: 'outside/a/',
    });
    for (const path of ['1', '2', '3']) await fetcher.fetch(`https://down.test/${path}`, request);
    expect(await fetcher.fetch('https://down.test/4', request)).toEqual({
      fault: 'down.test did not respond earlier.',
    });
    await fetcher.fetch('https://other.test/1', request);
    expect(calls).toBe(3);
  });

  test('is returned even if its copy cannot be stored', async () => {
    const refuse = () => Promise.reject(new Error('The disk is full.'));
    const blobs = { ...memoryBlobs(), put: refuse, stat: refuse };
    const fetcher = createOutsideFetcher({ outsideFiles: up(), blobs, prefix: 'outside/a/' });
    expect(await fetcher.fetch(url, request)).toEqual({ bytes, type: 'application/json' });
  });
});
