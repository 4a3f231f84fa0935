import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type {
  IslandBatch,
  IslandCall,
  IslandModules,
  IslandOutcome,
  IslandSource,
} from '@docent/format/content/nodes/island.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { inTurn, WorkerHost } from '../process/worker-host.ts';
import type {
  IslandThreadCalls,
  IslandThreadHost,
  PageAnswer,
  PageRequest,
} from './island-thread.ts';

/** How long an idle thread is kept for the next page. */
const IDLE_MS = 5000;
/**
 * Bundling takes milliseconds, seconds on a busy machine; a bundler that does not answer has
 * crashed, or is kept busy on purpose.
 */
const BUNDLE_MS = 30_000;
/**
 * After this many terminated threads, a site's remaining components are not rendered: a build must
 * finish.
 */
const MAX_ENDED = 12;

/**
 * Wall clock time after which a thread that does not answer is terminated: some loops inside the
 * engine cannot be interrupted. Long enough for a busy machine, on which a component would
 * otherwise be missing from the page.
 */
const SILENCE_MS = 8000;

/**
 * Renders authors' components in a separate thread, which starts with the first of them. A thread
 * that does not answer is terminated, and the rest of its page goes to a new one.
 */
export function createIslandRenderer(): IslandSource & { close(): Promise<void> } {
  let ended = 0;
  let current: IslandThreadHost | undefined;
  const host = new WorkerHost<IslandThreadCalls>({
    start: () =>
      new Worker(moduleUrl('./island-thread.ts', import.meta.url), {
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
      }),
    local: {
      find: (specifier, importer) =>
        current?.find(specifier, importer) ?? { file: undefined, module: undefined },
      running: (calls) => current?.running(calls),
    } satisfies IslandThreadHost,
    idleMs: IDLE_MS,
  });

  /** Returns the answer, or the numbers of the calls that were running when it hung or crashed. */
  async function ask(
    request: PageRequest,
    modules: IslandModules,
  ): Promise<PageAnswer | { silent: number[] }> {
    let running: number[] = [];
    const silence = Promise.withResolvers<{ silent: number[] }>();
    const giveUp = () => silence.resolve({ silent: running });
    let timer = setTimeout(giveUp, BUNDLE_MS);
    current = {
      find: (specifier, importer) => find(modules, specifier, importer),
      running(calls) {
        running = calls;
        clearTimeout(timer);
        timer = setTimeout(giveUp, running.length > 0 ? SILENCE_MS : BUNDLE_MS);
      },
    };
    const answer = host.run(({ renderPage }) => renderPage(request)).catch(giveUp);
    const result = await Promise.race([answer, silence.promise]);
    clearTimeout(timer);
    current = undefined;
    return result ?? silence.promise;
  }

  async function renderAll(
    calls: readonly IslandCall[],
    modules: IslandModules,
  ): Promise<PageAnswer> {
    const banned: number[] = [];
    while (ended < MAX_ENDED) {
      const { page, day } = modules;
      const result = await ask({ calls: [...calls], page, day, banned }, modules);
      if ('outcomes' in result) {
        for (const number of banned) result.outcomes[number] = overTime;
        return result;
      }
      ended++;
      await host.end();
      const open = result.silent.filter((number) => !banned.includes(number));
      banned.push(...(open.length > 0 ? open : calls.keys()));
      if (banned.length >= calls.length) break;
    }
    return { outcomes: calls.map(() => never), scripts: [], diagnostics: [] };
  }

  // One page after another: they share the thread.
  const renderInTurn = inTurn((work: () => Promise<IslandBatch>) => work());

  return {
    render(calls, files) {
      // The thread is answered from its events, but the reads must be recorded for this page.
      const inPage = AsyncLocalStorage.snapshot();
      const modules: IslandModules = {
        ...files,
        resolve: (specifier, importer) => inPage(() => files.resolve(specifier, importer)),
        read: (file) => inPage(() => files.read(file)),
      };
      return renderInTurn(async () => batchOf(calls, await renderAll(calls, modules)));
    },
    close: () => host.end(),
  };
}

const overTime: IslandOutcome = {
  kind: 'failed',
  reason: 'it does not terminate',
  browser: 'asks',
};
const never: IslandOutcome = { kind: 'failed', reason: 'it does not terminate', browser: 'never' };

function find(modules: IslandModules, specifier: string, importer: string | undefined) {
  const file = importer === undefined ? specifier : modules.resolve(specifier, importer);
  return { file, module: file === undefined ? undefined : modules.read(file) };
}

function batchOf(
  calls: readonly IslandCall[],
  { outcomes, scripts, diagnostics }: PageAnswer,
): IslandBatch {
  const places: IslandBatch['places'] = calls.map(() => undefined);
  const files: IslandBatch['files'] = [];
  for (const { text, hash, calls: numbers, look } of scripts) {
    const script = `_docent/islands-${hash}.js`;
    files.push({ path: script, text });
    numbers.forEach((number, index) => {
      const outcome = outcomes[number];
      if (outcome?.kind === 'rendered' || outcome?.browser !== 'never') {
        places[number] = { script, key: `${hash}:call${index}`, look };
      }
    });
  }
  return { outcomes, places, files, diagnostics };
}
