import { parentPort } from 'node:worker_threads';
import type { IslandOutcome, IslandTree } from '../../core/content/islands/island.ts';
import type { Diagnostic } from '../../core/diagnostics.ts';
import { type Bundle, bundleCalls } from './bundle.ts';
import { islandLimits } from './limits.ts';
import type { FromThread, IslandScript, ModuleAnswer, PageRequest, ToThread } from './messages.ts';
import { Sandbox, SandboxError } from './sandbox.ts';

// Bundles and runs the components of one page after another. Their code is hostile: this thread may be terminated at any moment
// and holds nothing of value.

const port = parentPort;
if (!port) throw new Error('island-thread.ts runs only as a worker thread');
const say = (message: FromThread): void => port.postMessage(message);

let nextQuestion = 0;
const questions = new Map<number, (answer: ModuleAnswer) => void>();

const finder = {
  find(specifier: string, importer: string | undefined): Promise<ModuleAnswer> {
    const id = nextQuestion++;
    say({ type: 'find', id, specifier, importer });
    return new Promise((resolve) => questions.set(id, resolve));
  },
};

let queue: Promise<void> = Promise.resolve();
port.on('message', (message: ToThread) => {
  if (message.type === 'page') queue = queue.then(() => renderPage(message));
  else {
    questions.get(message.id)?.(message);
    questions.delete(message.id);
  }
});

async function renderPage({ id, calls, page, banned }: PageRequest): Promise<void> {
  const outcomes: IslandOutcome[] = calls.map(() => ({ kind: 'failed', reason: 'it does not respond', browser: 'asks' }));
  const scripts: IslandScript[] = [];
  const diagnostics: Diagnostic[] = [];
  const endMs = performance.now() + islandLimits.pageMs;

  /** Bundles and runs calls together; if that fails, one by one, so that a broken call does not affect the others. */
  async function renderCalls(numbers: readonly number[]): Promise<void> {
    const chosen = numbers.map((number) => calls[number]).filter((call) => call !== undefined);
    let bundle: Bundle;
    try {
      bundle = await bundleCalls(chosen, page, finder);
    } catch (error) {
      if (numbers.length > 1) return renderEach(numbers);
      const reason = error instanceof Error ? error.message : 'it cannot be compiled';
      for (const number of numbers) outcomes[number] = { kind: 'failed', reason, browser: 'never' };
      return;
    }
    const found = await runCalls(bundle, numbers);
    if (!found && numbers.length > 1) return renderEach(numbers);
    diagnostics.push(...bundle.diagnostics);
    scripts.push({ text: bundle.text, hash: bundle.hash, calls: [...numbers], isDescribed: looksInside(bundle) });
  }

  async function renderEach(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await renderCalls([number]);
  }

  /** @returns whether the script itself ran; its components are known only then */
  async function runCalls(bundle: Bundle, numbers: readonly number[]): Promise<boolean> {
    const open = numbers.filter((number) => !banned.includes(number));
    if (open.length === 0) return true;
    const hasRun = await runIn(false, bundle, numbers, open);
    const asking = open.filter((number) => asksBrowser(outcomes[number]));
    // If the script as a whole fails, each call gets a script of its own first.
    if (asking.length === 0 || (!hasRun && numbers.length > 1)) return hasRun;
    const before = asking.map((number) => outcomes[number]);
    await runIn(true, bundle, numbers, asking);
    for (const [index, number] of asking.entries()) {
      const outcome = outcomes[number];
      // Without an answer of the browser nothing is certain, so the browser renders it again.
      outcomes[number] = outcome?.kind === 'rendered' ? { ...outcome, isGuess: true } : (before[index] as IslandOutcome);
    }
    return hasRun || asking.some((number) => outcomes[number]?.kind === 'rendered');
  }

  async function runIn(isPretended: boolean, bundle: Bundle, numbers: readonly number[], open: number[]): Promise<boolean> {
    const { text, reasons } = bundle;
    const isDescribed = looksInside(bundle);
    const sandbox = await Sandbox.open();
    try {
      say({ type: 'running', calls: open });
      try {
        if (isPretended) sandbox.pretendBrowser();
        sandbox.load(text);
      } catch (error) {
        for (const number of open) outcomes[number] = failed(error, reasons);
        return false;
      }
      for (const number of open) {
        if (performance.now() > endMs) {
          outcomes[number] = { kind: 'failed', reason: 'the components of the page take too long', browser: 'asks' };
          continue;
        }
        say({ type: 'running', calls: [number] });
        const { props = '{}', described } = calls[number] ?? {};
        const given = (isDescribed ? described : undefined) ?? props;
        outcomes[number] = renderOne(sandbox, `call${numbers.indexOf(number)}`, given, reasons);
      }
    } finally {
      sandbox.close();
      say({ type: 'idle' });
    }
    return true;
  }

  const numbers = calls.map((_, index) => index).slice(0, islandLimits.perPage);
  for (let at = numbers.length; at < calls.length; at++) {
    outcomes[at] = { kind: 'failed', reason: `a page renders ${islandLimits.perPage} components at most`, browser: 'never' };
  }
  await renderCalls(numbers);
  say({ type: 'page', id, outcomes, scripts, diagnostics });
}

/** Whether code reads the props of elements: of what the page passes to its components. */
function looksInside({ text }: Bundle): boolean {
  return /\.props\b|[{,]props:/.test(text);
}

const BROWSER =
  /^'(?:window|document|navigator|location|history|localStorage|sessionStorage|matchMedia|innerWidth|getComputedStyle)' is not defined$/;

function asksBrowser(outcome: IslandOutcome | undefined): boolean {
  return outcome?.kind === 'failed' && BROWSER.test(outcome.reason);
}

function renderOne(sandbox: Sandbox, name: string, props: string, reasons: ReadonlySet<string>): IslandOutcome {
  try {
    return { kind: 'rendered', tree: JSON.parse(sandbox.render(name, props)) as IslandTree };
  } catch (error) {
    return failed(error, reasons);
  }
}

function failed(error: unknown, reasons: ReadonlySet<string>): IslandOutcome {
  if (!(error instanceof SandboxError)) return { kind: 'failed', reason: 'its output cannot be read', browser: 'runs' };
  return {
    kind: 'failed',
    reason: error.message,
    browser: reasons.has(error.message) ? 'never' : error.isLimit ? 'asks' : 'runs',
  };
}
