import { resolve } from 'node:path';
import type { Deps } from '../kernel/deps.ts';

/**
 * Where sources are unpacked during a build; the next start needs nothing in it. Absolute, since a
 * build runs in a folder of its own.
 */
export function workFolder(config: Pick<Deps['config'], 'dataFolder'>): string {
  return resolve(config.dataFolder, 'work');
}
