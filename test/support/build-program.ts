import { ensureBuilt } from '../../scripts/toolchain.mjs';

/** Builds what the processes of tests run, if its sources have changed since. */
export function setup(): void {
  ensureBuilt(process.execPath);
}
