import { join } from 'node:path';
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import * as z from 'zod';
import { openFileSystemBlobStore } from '../adapters/blob-store/file-system.ts';
import { createPinoLogger } from '../adapters/logger/pino.ts';
import { createHttpOutside } from '../adapters/outside-files/http.ts';
import { readSettings } from '../kernel/config/config.ts';
import { serverSettings } from '../kernel/config/server-settings.ts';
import { createOutsideFetcher } from '../outside/outside-fetcher.ts';
import { localCacheFolder } from './local-page-pack.ts';

const { DOCENT_FETCH_REMOTE, DOCENT_ALLOWED_PRIVATE_RANGES } = serverSettings;
const settings = z.object({ DOCENT_FETCH_REMOTE, DOCENT_ALLOWED_PRIVATE_RANGES });

/** The fetchers of a command that builds on the author's machine. */
export interface LocalOutside {
  /** Absent if nothing is to be fetched. */
  fetchOutside: FetchOutside | undefined;
  close(): Promise<void>;
}

/**
 * Opens the fetchers for the commands that build without a platform. Results are stored in the
 * user's cache folder.
 * @param isEnabled `false` for `--no-fetch`
 * @throws DocentError `invalid_setting`
 */
export async function openLocalOutside(
  env: NodeJS.ProcessEnv,
  isEnabled = true,
): Promise<LocalOutside> {
  const values = readSettings(settings, env);
  if (!isEnabled || !values.DOCENT_FETCH_REMOTE)
    return { fetchOutside: undefined, close: async () => {} };
  const outsideFiles = createHttpOutside({
    allowedRanges: values.DOCENT_ALLOWED_PRIVATE_RANGES ?? [],
  });
  const folder = join(localCacheFolder(env), 'outside');
  const open = openFileSystemBlobStore({
    folder,
    linkBaseUrl: '',
    secret: '',
    clock: { now: () => new Date() },
  });
  // If the folder is not writable, only the copies are lost.
  const blobs = await open.catch(() => undefined);
  const keeps = blobs ?? {
    put: refuse,
    read: refuse,
    stat: refuse,
    delete: refuse,
    async *list() {},
  };
  const fetcher = createOutsideFetcher({ outsideFiles, blobs: keeps, prefix: 'files/' });
  return {
    fetchOutside: fetcher.fetch,
    close: async () => {
      await Promise.all([outsideFiles.close(), blobs?.close()]);
    },
  };
}

/**
 * Opens the client that makes the calls of API pages for `docent dev`.
 * @throws DocentError `invalid_setting`
 */
export function openLocalCalls(env: NodeJS.ProcessEnv) {
  const allowedRanges = readSettings(settings, env).DOCENT_ALLOWED_PRIVATE_RANGES ?? [];
  return {
    outsideCalls: createHttpOutside({ allowedRanges }),
    logger: createPinoLogger({ level: 'warn' }),
    config: { trustedProxies: { kind: 'none' as const } },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('There is no cache folder.'));
}
