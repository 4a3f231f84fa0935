import { totalmem } from 'node:os';
import * as z from 'zod';
import { notes, wholeNumber } from './setting.ts';

/** Returns the memory in MB of the container (cgroup v1 and v2) or machine, whichever is less. */
export function memoryHereMb(): number {
  // 0 if unknown.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem()) / 1024 / 1024;
}

/** The default is this share of the memory, within these bounds. */
const DEFAULT_SHARE = 1 / 8;
const MIN_DEFAULT_MB = 64;
const MAX_DEFAULT_MB = 512;

/** Settings of what a process keeps in memory. */
export const memorySettings = {
  DOCENT_SITE_CACHE_MB: wholeNumber(16, 1_048_576, 'MB').optional().register(notes, {
    default: '<an eighth of the memory, 64 to 512>',
    meaning:
      'Memory for the manifests and search indexes of the sites that are being served; others are read again when they are requested. While it is full, one organization keeps at most half of it.',
  }),
};

const schema = z.object(memorySettings);

/** Returns the bounds of what a process keeps in memory, in bytes. */
export function memoryFrom({ DOCENT_SITE_CACHE_MB: set }: z.output<typeof schema>) {
  const preset = Math.round(
    Math.min(MAX_DEFAULT_MB, Math.max(MIN_DEFAULT_MB, memoryHereMb() * DEFAULT_SHARE)),
  );
  return { siteCacheBytes: (set ?? preset) * 1024 * 1024 };
}
