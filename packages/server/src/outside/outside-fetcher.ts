import { createHash } from 'node:crypto';
import type { OutsideRequest, OutsideResult } from '@docent/compiler/outside/outside.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { hostOf } from '@docent/format/outside/address.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { OutsideFault, type OutsideFiles } from '../ports/outside-files.ts';

const TIMEOUT_MS = 20_000;
const REQUESTS_AT_ONCE = 8;
/** After this, a server that does not answer is not called again in this build. */
const MAX_SILENCES = 2;
/** Whatever a server allows, its content is revalidated once a day. */
const MAX_FRESH_SECONDS = 24 * 60 * 60;

const MAX_HEAD_BYTES = 1024;

/** Header before the bytes of a stored result: one line of JSON. */
interface KeptHead {
  type: string;
  /** Milliseconds since 1970. */
  freshUntil: number;
}

export interface OutsideFetcherOptions {
  outsideFiles: OutsideFiles;
  /** Where results are stored for a later build, in case a URL is unavailable then. */
  blobs: Pick<BlobStore, 'put' | 'read' | 'stat' | 'delete' | 'list'>;
  /**
   * Key prefix in the store, with a trailing slash. It contains all of a site's results, and
   * nothing else.
   */
  prefix: string;
  logger?: Pick<Logger, 'warn'>;
  clock?: Clock;
  signal?: AbortSignal | undefined;
}

/**
 * Fetches URLs that a site refers to, for one build; the last content of a URL is stored, and used
 * if it cannot be fetched.
 */
export function createOutsideFetcher(options: OutsideFetcherOptions) {
  const { blobs, prefix, signal } = options;
  const clock = options.clock ?? { now: () => new Date() };
  const answers = new Map<string, Promise<OutsideResult>>();
  const requestedKeys = new Set<string>();
  const silences = new Map<string, number>();
  const takeTurn = createTurns(REQUESTS_AT_ONCE);

  async function fetchNow(
    url: string,
    request: OutsideRequest,
    key: string,
  ): Promise<OutsideResult> {
    const kept = request.mayReuse ? await readKept(key, request.maxBytes).catch(failed) : undefined;
    if (kept && kept.freshUntil > clock.now().getTime())
      return { bytes: kept.bytes, type: kept.type };
    try {
      return await fetchAnew(url, request, key);
    } catch (error) {
      if (!(error instanceof OutsideFault)) throw error;
      if (error.kind === 'unreachable') silences.set(hostOf(url), silencesOf(url) + 1);
      const old = kept ?? (await readKept(key, request.maxBytes).catch(failed));
      return old
        ? { bytes: old.bytes, type: old.type, kept: error.message }
        : { fault: error.message };
    }
  }

  async function fetchAnew(
    url: string,
    { accept, userAgent, maxBytes }: OutsideRequest,
    key: string,
  ): Promise<OutsideResult> {
    if (silencesOf(url) >= MAX_SILENCES)
      throw new OutsideFault('refused', `${hostOf(url)} did not respond earlier.`);
    const limits = { maxBytes, timeoutMs: TIMEOUT_MS, signal };
    const file = await options.outsideFiles.fetch(url, {
      ...limits,
      ...(accept !== undefined && { accept }),
      userAgent,
    });
    const { bytes, type, freshSeconds = 0 } = file;
    const freshUntil = clock.now().getTime() + Math.min(freshSeconds, MAX_FRESH_SECONDS) * 1000;
    const head: KeptHead = { type, freshUntil };
    await blobs
      .put(key, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]))
      .catch(failed);
    return { bytes, type };
  }

  function silencesOf(url: string): number {
    return silences.get(hostOf(url)) ?? 0;
  }

  async function readKept(
    key: string,
    maxBytes: number,
  ): Promise<(KeptHead & { bytes: Uint8Array }) | undefined> {
    const info = await blobs.stat(key);
    const stored =
      info && info.sizeBytes <= maxBytes + MAX_HEAD_BYTES ? await blobs.read(key) : undefined;
    const end = stored?.indexOf(10) ?? -1;
    if (!stored || end < 0) return undefined;
    const head = JSON.parse(new TextDecoder().decode(stored.subarray(0, end))) as KeptHead;
    return { ...head, bytes: new Uint8Array(stored.subarray(end + 1)) };
  }

  /** Storing results is optional: a build continues without it. */
  function failed(error: unknown): undefined {
    options.logger?.warn({ prefix, error: errorMessage(error) }, 'a result could not be cached');
  }

  return {
    fetch(url: string, request: OutsideRequest): Promise<OutsideResult> {
      // Requests with other headers get another response, so they are stored separately.
      const key =
        prefix +
        createHash('sha256')
          .update(`${request.accept ?? ''}\n${url}`)
          .digest('hex');
      requestedKeys.add(key);
      const pendingAnswer = answers.get(key);
      if (pendingAnswer) return pendingAnswer;
      const answer = takeTurn(() => fetchNow(url, request, key));
      answers.set(key, answer);
      // Together, the files of a site may not fit in memory.
      const drop = (result?: OutsideResult) => (result && 'fault' in result) || answers.delete(key);
      answer.then(drop, () => drop());
      return answer;
    },
    /** Deletes results of earlier builds that this one did not request. Never rejects. */
    async deleteUnused(): Promise<void> {
      try {
        for await (const key of blobs.list(prefix))
          if (!requestedKeys.has(key)) await blobs.delete(key);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Runs at most `count` of its tasks concurrently, in order of arrival. */
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
