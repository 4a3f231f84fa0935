import { parentPort, workerData } from 'node:worker_threads';
import { loadThemeFiles } from './compiler/assets/theme-files.ts';
import { DevSite } from './compiler/dev/dev-site.ts';
import type { ChangeHints } from './compiler/dev/dev-source.ts';
import { watchFolder } from './compiler/dev/watch-folder.ts';
import { openLocalCalls, openLocalOutside } from './compose-outside.ts';
import type { Diagnostic } from './core/diagnostics.ts';
import { DocentError, type ErrorCode } from './core/errors.ts';
import { startDevServer } from './http/dev/dev-server.ts';

/** What the thread of `docent dev` is started with. */
export interface DevThreadData {
  folder: string;
  port: number;
  host: string | undefined;
  env: Record<string, string | undefined>;
  /** Whether what the site names by its address may be fetched. */
  fetches: boolean;
}

/** What it says. */
export type DevThreadMessage =
  | { type: 'ready'; port: number; isWatched: boolean }
  /** After each change: how long it took until browsers were notified, and what is wrong now. */
  | { type: 'changed'; names: string[]; durationMs: number; fault: Diagnostic | undefined }
  /** All pages were compiled. */
  | { type: 'checked'; diagnostics: Diagnostic[] }
  | { type: 'refused'; code: ErrorCode; detail: string };

const port = parentPort;
if (!port) throw new Error('dev-thread.ts runs only as a worker thread');
const say = (message: DevThreadMessage) => port.postMessage(message);

try {
  await run(workerData as DevThreadData);
} catch (error) {
  if (!(error instanceof DocentError)) throw error;
  say({ type: 'refused', code: error.code, detail: error.message });
}

async function run({ folder, env, fetches, ...options }: DevThreadData): Promise<void> {
  const waiting = new Set<string>();
  let hasAnything = false;
  let isBusy = true;
  // Watched from before the first look, so that nothing between the two is missed.
  const watcher = watchFolder(folder, (hints) => {
    if (hints === 'anything') hasAnything = true;
    else for (const hint of hints) waiting.add(hint);
    if (!isBusy) void work();
  });
  const [site, theme] = await Promise.all([
    openLocalOutside(env, fetches).then(({ fetchOutside }) => DevSite.open(folder, fetchOutside)),
    loadThemeFiles(),
  ]);
  const server = await startDevServer({ site, theme, playground: openLocalCalls(env), ...options });

  /** One change after the other; what comes in the meantime is looked at together. */
  async function work(): Promise<void> {
    isBusy = true;
    while (hasAnything || waiting.size > 0) {
      const hints: ChangeHints = hasAnything ? 'anything' : new Set(waiting);
      hasAnything = false;
      waiting.clear();
      await look(hints);
    }
    isBusy = false;
  }

  async function look(hints: ChangeHints): Promise<void> {
    const startedAt = performance.now();
    const change = await site.change(hints);
    if (change === 'none') return;
    await server.changed(change);
    const durationMs = performance.now() - startedAt;
    say({ type: 'changed', names: [...site.changedFiles], durationMs, fault: site.fault });
    void checkAll();
  }

  async function checkAll(): Promise<void> {
    if (!(await site.makeAll())) return;
    server.checked();
    say({ type: 'checked', diagnostics: site.diagnostics() });
  }

  say({ type: 'ready', port: server.port, isWatched: watcher.isWatched });
  await work();
  void checkAll();
}
