import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startDocent, TEMPLATE_VARIABLE, temporaryFolder } from './start-docent.ts';

/** Starts one Docent before all tests that use one, and keeps its data folder: each of theirs is a copy of it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of Vitest calls this; they share what the first one made.
  if (process.env[TEMPLATE_VARIABLE]) return undefined;
  const dataFolder = await temporaryFolder();
  const docent = await startDocent({ dataFolder });
  await docent.stop();
  await rm(join(dataFolder, 'docent.sock'), { force: true });
  process.env[TEMPLATE_VARIABLE] = dataFolder;
  return () => rm(dataFolder, { recursive: true, force: true });
}
