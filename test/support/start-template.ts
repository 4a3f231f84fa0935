import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startDocent, TEMPLATE_VARIABLE, temporaryFolder } from './start-docent.ts';

/** Starts a Docent before all tests that use one, and keeps its data folder, which they copy. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of Vitest calls this; they share the folder of the first one.
  if (process.env[TEMPLATE_VARIABLE]) return undefined;
  const dataFolder = await temporaryFolder();
  const docent = await startDocent({ dataFolder });
  await docent.stop();
  await rm(join(dataFolder, 'docent.sock'), { force: true });
  process.env[TEMPLATE_VARIABLE] = dataFolder;
  return () => {
    // The next run in this process starts one of its own.
    delete process.env[TEMPLATE_VARIABLE];
    return rm(dataFolder, { recursive: true, force: true });
  };
}
