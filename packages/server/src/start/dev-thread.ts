import { parentPort, workerData } from 'node:worker_threads';
import { loadThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { DevSite } from '@docent/compiler/dev/dev-site.ts';
import { type ChangeHints, watchFolder } from '@docent/compiler/dev/dev-source.ts';
import { compilerVersion, openPagePack } from '@docent/compiler/pages/page-pack.ts';
import type { SourcePart } from '@docent/compiler/source/folder-files.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { inFolder } from '@docent/format/docs-json/site-sources.ts';
import { DocentError, type ErrorCode } from '@docent/format/errors.ts';
import { startDevServer } from '../dev/dev-server.ts';
import { openLocalCalls, openLocalOutside } from './compose-outside.ts';
import { gitFactsOf } from './git-facts.ts';
import { localPagePack } from './local-page-pack.ts';

/** Start data of the `docent dev` thread. */
export interface DevThreadData {
  folder: string;
  parts: readonly SourcePart[];
  port: number;
  host: string | undefined;
  /** Groups of the reader who sees the site; absent: nobody in particular. */
  groups?: readonly string[] | undefined;
  env: Record<string, string | undefined>;
  /** Whether to fetch what the site refers to by URL. */
  fetches: boolean;
  /** Whether to use and keep compiled pages. */
  caches: boolean;
}

/** Its messages. */
export type DevThreadMessage =
  | { type: 'ready'; port: number; isWatched: boolean }
  /** After each change: the time until browsers were notified, and the current problems. */
  | { type: 'changed'; names: string[]; durationMs: number; fault: Diagnostic | undefined }
  /** All pages were compiled. */
  | { type: 'checked'; diagnostics: Diagnostic[] }
  | { type: 'refused'; code: ErrorCode; detail: string };

const port = parentPort;
if (!port) throw new Error('dev-thread.ts runs only as a worker thread');
const send = (message: DevThreadMessage) => port.postMessage(message);

try {
  await run(workerData as DevThreadData);
} catch (error) {
  if (!(error instanceof DocentError)) throw error;
  send({ type: 'refused', code: error.code, detail: error.message });
}

async function run({
  folder,
  parts,
  env,
  fetches,
  caches,
  ...options
}: DevThreadData): Promise<void> {
  const waiting = new Set<string>();
  let hasAnything = false;
  let isBusy = true;
  // Watch before the first scan, so that nothing in between is missed.
  const watchers = [{ folder, path: '' }, ...parts].map((source) =>
    watchFolder(source.folder, (hints) => {
      if (hints === 'anything') hasAnything = true;
      else for (const hint of hints) waiting.add(inFolder(source.path, hint));
      if (!isBusy) void work();
    }),
  );
  const [site, theme] = await Promise.all([
    Promise.all([
      openLocalOutside(env, fetches),
      gitFactsOf(folder),
      localPagePack(env, folder, 'site', caches),
    ]).then(([{ fetchOutside }, gitFacts, files]) =>
      DevSite.open(folder, {
        fetchOutside,
        gitFacts,
        parts,
        groups: options.groups,
        pack: files && openPagePack(files, compilerVersion()),
      }),
    ),
    loadThemeFiles(),
  ]);
  const server = await startDevServer({ site, theme, playground: openLocalCalls(env), ...options });

  /** Processes one change after another; those that arrive meanwhile are processed together. */
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
    send({ type: 'changed', names: [...site.changedFiles], durationMs, fault: site.fault });
    void checkAll();
  }

  async function checkAll(): Promise<void> {
    if (!(await site.makeAll())) return;
    server.checked();
    send({ type: 'checked', diagnostics: site.diagnostics() });
  }

  send({
    type: 'ready',
    port: server.port,
    isWatched: watchers.every(({ isWatched }) => isWatched),
  });
  await work();
  void checkAll();
}
