import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, type TestPostgres } from './postgres.ts';
import {
  freePort,
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from './start-docent.ts';

/** Two processes of the platform that share a PostgreSQL server, limits and a folder of blobs. */
export interface TwoProcesses {
  server: TestPostgres;
  one: RunningDocent;
  two: RunningDocent;
  stop(): Promise<void>;
}

export async function startTwoProcesses(more: Record<string, string> = {}): Promise<TwoProcesses> {
  const server = await startPostgres();
  const shared = await temporaryFolder();
  const running: RunningDocent[] = [];
  const stop = async () => {
    for (const docent of running) await docent.stop();
    await server.stop();
    await rm(shared, { recursive: true, force: true });
    await removeTemporaryFolders();
  };
  try {
    const port = await freePort();
    const env = {
      // Links and bundles contain the address of the live site, which must be the same in both
      // processes.
      DOCENT_PUBLIC_URL: `http://localhost:${port}`,
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: await server.createDatabase(),
      DOCENT_LIMITER: 'postgres',
      DOCENT_BLOBS_FOLDER: join(shared, 'blobs'),
      ...more,
    };
    const one = await startDocent({ env, port });
    running.push(one);
    const two = await startDocent({ env });
    running.push(two);
    two.apiUrl = `http://localhost:${two.port}`;
    return { server, one, two, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
