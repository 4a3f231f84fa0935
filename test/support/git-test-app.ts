import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IpRange, parseIpRange } from '../../packages/format/src/access/ip.ts';
import { openSystemGit } from '../../packages/server/src/adapters/git/system-git.ts';
import { type GitServer, startGitServer } from './git-server.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

const MB = 1024 * 1024;
const LIMITS = { maxBytes: 50 * MB, seconds: 60, cacheBytes: 200 * MB };
const allowedRanges = ['127.0.0.1/32', '::1/128'].map((text) => parseIpRange(text) as IpRange);

/**
 * Opens an application that fetches with the system's Git, and a server of repositories on this
 * machine that it may reach.
 */
export async function openGitTestApp(
  options: Pick<TestAppOptions, 'outsideCalls' | 'proseLinter'> = {},
): Promise<{
  server: GitServer;
  test: TestApp;
  close(): Promise<void>;
}> {
  const server = await startGitServer();
  const folder = mkdtempSync(join(tmpdir(), 'docent-git-app-'));
  const test = await openTestApp({
    ...options,
    git: await openSystemGit({ folder, allowedRanges, ...LIMITS }),
  });
  return {
    server,
    test,
    async close() {
      await test.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
