import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type {
  IslandBatch,
  IslandCall,
  IslandModules,
  IslandOutcome,
  IslandSource,
} from '@docent/format/content/islands/island.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type { FromThread, PageRequest, ToThread } from './island-thread.ts';

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

type PageAnswer = Extract<FromThread, { type: 'page' }>;

/**
 * Renders authors' components in a separate thread, which starts with the first of them. A thread
 * that does not answer is terminated, and the rest of its page goes to a new one.
 */
export function createIslandRenderer(): IslandSource & { close(): Promise<void> } {
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let ended = 0;

  function start(): Worker {
    clearTimeout(idleTimer);
    worker ??= new Worker(moduleUrl('./island-thread.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    worker.ref();
    return worker;
  }

  function rest(): void {
    worker?.unref();
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => void end(), IDLE_MS).unref();
  }

  async function end(): Promise<void> {
    const last = worker;
    worker = undefined;
    await last?.terminate();
  }

  async function renderAll(
    calls: readonly IslandCall[],
    modules: IslandModules,
  ): Promise<PageAnswer> {
    const banned: number[] = [];
    while (ended < MAX_ENDED) {
      const result = await ask(
        start(),
        { type: 'page', calls: [...calls], page: modules.page, day: modules.day, banned },
        modules,
      );
      if ('outcomes' in result) {
        for (const number of banned) result.outcomes[number] = overTime;
        return result;
      }
      ended++;
      await end();
      const open = result.silent.filter((number) => !banned.includes(number));
      banned.push(...(open.length > 0 ? open : calls.keys()));
      if (banned.length >= calls.length) break;
    }
    return { type: 'page', outcomes: calls.map(() => never), scripts: [], diagnostics: [] };
  }

  return {
    render(calls, files) {
      // The thread is answered from its events, but the reads must be recorded for this page.
      const inPage = AsyncLocalStorage.snapshot();
      const modules: IslandModules = {
        ...files,
        resolve: (specifier, importer) => inPage(() => files.resolve(specifier, importer)),
        read: (file) => inPage(() => files.read(file)),
      };
      // One page after another: they share the thread.
      const rendered = queue.then(async () => {
        try {
          return batchOf(calls, await renderAll(calls, modules));
        } finally {
          rest();
        }
      });
      queue = rendered.catch(() => {});
      return rendered;
    },
    async close() {
      clearTimeout(idleTimer);
      await end();
    },
  };
}

const overTime: IslandOutcome = {
  kind: 'failed',
  reason: 'it does not terminate',
  browser: 'asks',
};
const never: IslandOutcome = { kind: 'failed', reason: 'it does not terminate', browser: 'never' };

/**
 * The answer of the thread, or the numbers of the calls that were running when it hung or crashed.
 */
function ask(
  worker: Worker,
  request: PageRequest,
  modules: IslandModules,
): Promise<PageAnswer | { silent: number[] }> {
  return new Promise((resolve) => {
    let running: number[] = [];
    let timer = setTimeout(giveUp, BUNDLE_MS);
    function finish(result: PageAnswer | { silent: number[] }): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', giveUp).off('exit', giveUp);
      resolve(result);
    }
    function giveUp(): void {
      finish({ silent: running });
    }
    function onMessage(message: FromThread): void {
      if (message.type === 'page') finish(message);
      else if (message.type === 'find') worker.postMessage(answer(message, modules));
      else {
        running = message.calls;
        clearTimeout(timer);
        timer = setTimeout(giveUp, running.length > 0 ? SILENCE_MS : BUNDLE_MS);
      }
    }
    worker.on('message', onMessage).on('error', giveUp).on('exit', giveUp);
    worker.postMessage(request satisfies ToThread);
  });
}

function answer(
  { id, specifier, importer }: Extract<FromThread, { type: 'find' }>,
  modules: IslandModules,
): ToThread {
  const file = importer === undefined ? specifier : modules.resolve(specifier, importer);
  return { type: 'module', id, file, module: file === undefined ? undefined : modules.read(file) };
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
