import { createHash } from 'node:crypto';
import type { FetchOutside, OutsideRequest, OutsideResult } from '../build/outside.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Logger } from '../ports/logger.ts';
import { OutsideFault, type OutsideFiles } from '../ports/outside-files.ts';

const TIMEOUT_MS = 20_000;
const REQUESTS_AT_ONCE = 8;

export interface OutsideFetcherOptions {
  outsideFiles: OutsideFiles;
  /** Where results stay for a later build, in case an address is down then. */
  blobs: Pick<BlobStore, 'put' | 'read' | 'stat' | 'delete' | 'list'>;
  /** Key in the store, with a slash at its end. All of a site's results lie under it, and nothing else. */
  prefix: string;
  logger?: Pick<Logger, 'warn'>;
  signal?: AbortSignal | undefined;
}

/** Fetches for one build. */
export interface OutsideFetcher {
  fetch: FetchOutside;
  /** Deletes what earlier builds kept and this one did not ask for. Never rejects. */
  forgetUnused(): Promise<void>;
}

/** Reads addresses that a site names; what an address held at last is kept, and used where it cannot be read. */
export function createOutsideFetcher(options: OutsideFetcherOptions): OutsideFetcher {
  const { blobs, prefix, signal } = options;
  const answers = new Map<string, Promise<OutsideResult>>();
  const asked = new Set<string>();
  const takeTurn = createTurns(REQUESTS_AT_ONCE);

  async function fetchNow(url: string, { accept, maxBytes }: OutsideRequest, key: string): Promise<OutsideResult> {
    try {
      const { bytes, type } = await options.outsideFiles.fetch(url, {
        ...(accept !== undefined && { accept }),
        maxBytes,
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      await blobs.put(key, bytes, { contentType: type || 'application/octet-stream' }).catch(failed);
      return { bytes, type };
    } catch (error) {
      if (!(error instanceof OutsideFault)) throw error;
      const kept = await readKept(key, maxBytes).catch(failed);
      return kept ? { ...kept, kept: error.message } : { fault: error.message };
    }
  }

  async function readKept(key: string, maxBytes: number) {
    const info = await blobs.stat(key);
    const bytes = info && info.sizeBytes <= maxBytes ? await blobs.read(key) : undefined;
    return bytes && { bytes, type: info?.contentType ?? '' };
  }

  /** Keeping results only helps: a build goes on without it. */
  function failed(error: unknown): undefined {
    options.logger?.warn({ prefix, error: error instanceof Error ? error.message : String(error) }, 'a result was not kept');
  }

  return {
    fetch(url, request) {
      // What is asked for with other words is another answer, so it is kept apart.
      const key =
        prefix +
        createHash('sha256')
          .update(`${request.accept ?? ''}\n${url}`)
          .digest('hex');
      asked.add(key);
      const known = answers.get(key);
      if (known) return known;
      const answer = takeTurn(() => fetchNow(url, request, key));
      answers.set(key, answer);
      return answer;
    },
    async forgetUnused() {
      try {
        for await (const key of blobs.list(prefix)) if (!asked.has(key)) await blobs.delete(key);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Runs at most `count` of its tasks at the same time, in the order in which they came. */
function createTurns(count: number): <Value>(task: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
