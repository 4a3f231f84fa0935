import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchSite } from './http.ts';
import {
  type FirstStart,
  firstStartFile,
  startDocent,
  TEMPLATE_VARIABLE,
  temporaryFolder,
} from './start-docent.ts';

/** Starts a Docent before all tests that use one, and keeps its data folder, which they copy. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of Vitest calls this; they share the folder of the first one.
  if (process.env[TEMPLATE_VARIABLE]) return undefined;
  const cwd = await temporaryFolder();
  // Relative, as the default of DOCENT_DATA is.
  const docent = await startDocent({ cwd, dataFolder: 'data' });
  const { siteUrl, apiUrl, domain, assistantKey, adminKey, port } = docent;
  const page = await fetchSite(docent, domain, '/quickstart');
  const first: FirstStart = {
    ...{ siteUrl, apiUrl, domain, assistantKey, adminKey, port },
    page: { status: page.status, text: await page.text() },
    exitCode: await docent.stop(),
  };
  const dataFolder = join(cwd, 'data');
  await rm(join(dataFolder, 'docent.sock'), { force: true });
  await writeFile(firstStartFile(dataFolder), JSON.stringify(first));
  process.env[TEMPLATE_VARIABLE] = dataFolder;
  return () => {
    // The next run in this process starts one of its own.
    delete process.env[TEMPLATE_VARIABLE];
    return rm(cwd, { recursive: true, force: true });
  };
}
