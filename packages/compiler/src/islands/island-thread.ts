import {
  formFor,
  type IslandCall,
  type IslandModule,
  type IslandOutcome,
  type IslandTree,
  type Look,
  type PageNames,
} from '@docent/format/content/nodes/island.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { answerCalls } from '../process/calls.ts';
import { type Bundle, bundleCalls } from './bundle.ts';
import { BundlerCrash, limitBundler } from './bundler.ts';
import { COMPONENT_CPU_MS, cpuMs, Sandbox, SandboxError } from './sandbox.ts';

/** The islands of one page. */
export interface PageRequest {
  calls: IslandCall[];
  page: PageNames;
  day: string;
  /** Numbers of calls to skip: they crashed a thread already. */
  banned: number[];
}

interface ModuleAnswer {
  /** Undefined if the site has no such file, or the file contains no code. */
  file: string | undefined;
  module: IslandModule | undefined;
}

/** What the thread asks and reports. */
export interface IslandThreadHost {
  /** Returns the module that an import refers to; without an importer, a file itself. */
  find(specifier: string, importer: string | undefined): ModuleAnswer;
  /**
   * Author code is about to run, for these calls, after which the thread may not answer again; or,
   * without calls, has run.
   */
  running(calls: number[]): void;
}

export interface IslandThreadCalls {
  renderPage(request: PageRequest): Promise<PageAnswer>;
}

/** A script that browsers load, and the calls in it by their number. */
interface IslandScript {
  text: string;
  hash: string;
  calls: number[];
  /** How far the code looks into its content: the form of the props that the calls got. */
  look: Look;
}

export interface PageAnswer {
  outcomes: IslandOutcome[];
  scripts: IslandScript[];
  diagnostics: Diagnostic[];
}

/** CPU time of all components of one page, after which the others get placeholders. */
const PAGE_CPU_MS = 10_000;
/** Maximum islands rendered per page; the others get placeholders. */
const MAX_PER_PAGE = 1000;
/** After this many crashes of the bundler the remaining components of a page are not bundled. */
const MAX_CRASHES = 3;

// Bundles and runs the components of one page after another. Their code is hostile: this thread may
// be terminated at any moment and holds nothing of value.

limitBundler();

const host = answerCalls<IslandThreadHost>({ renderPage } satisfies IslandThreadCalls);

async function renderPage({ calls, page, day, banned }: PageRequest): Promise<PageAnswer> {
  const outcomes: IslandOutcome[] = calls.map(() => ({
    kind: 'failed',
    reason: 'it does not respond',
    browser: 'asks',
  }));
  const scripts: IslandScript[] = [];
  const diagnostics: Diagnostic[] = [];
  const endMs = cpuMs() + PAGE_CPU_MS;
  let crashes = 0;

  /**
   * Bundles and runs calls together; if that fails, one by one and without files that the call does
   * not use, so that a broken one does not affect the others.
   */
  async function renderCalls(numbers: readonly number[], isAlone = false): Promise<void> {
    const chosen = numbers.map((number) => calls[number]).filter((call) => call !== undefined);
    let bundle: Bundle;
    try {
      if (crashes >= MAX_CRASHES) throw new BundlerCrash();
      bundle = await bundleLooking(chosen, isAlone);
    } catch (error) {
      if (error instanceof BundlerCrash) crashes++;
      if (!isAlone) return renderEach(numbers);
      const reason = error instanceof Error ? error.message : 'it cannot be compiled';
      for (const number of numbers) outcomes[number] = { kind: 'failed', reason, browser: 'never' };
      return;
    }
    const hasRendered = await runCalls(bundle, numbers);
    if (!hasRendered && !isAlone) return renderEach(numbers);
    diagnostics.push(...bundle.diagnostics);
    scripts.push({
      text: bundle.text,
      hash: bundle.hash,
      calls: [...numbers],
      look: lookOf(bundle),
    });
  }

  /** Code that asks for the components in its content gets them, with all that they import. */
  async function bundleLooking(chosen: readonly IslandCall[], isStrict: boolean): Promise<Bundle> {
    const bundle = await bundleCalls(chosen, page, host, { isStrict });
    if (lookOf(bundle) < 2) return bundle;
    const typed = chosen.map((call) => ({
      ...call,
      code: `Object.assign(${call.code},{docentTypes:()=>${call.types}})`,
    }));
    return bundleCalls(typed, page, host, { keepsNames: true, isStrict }).catch(() => bundle);
  }

  async function renderEach(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await renderCalls([number], true);
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
      outcomes[number] =
        outcome?.kind === 'rendered'
          ? { ...outcome, isGuess: true }
          : (before[index] as IslandOutcome);
    }
    return hasRun || asking.some((number) => outcomes[number]?.kind === 'rendered');
  }

  async function runIn(
    isPretended: boolean,
    bundle: Bundle,
    numbers: readonly number[],
    open: number[],
  ): Promise<boolean> {
    const { text, reasons } = bundle;
    const look = lookOf(bundle);
    const sandbox = await Sandbox.open(day);
    const innerCall = (number: number, seen: Set<number>): InnerCall => {
      const { json, inside, own } = formFor((calls[number] as IslandCall).forms, look);
      const isOpen = (innerNumber: number) =>
        numbers.includes(innerNumber) &&
        !banned.includes(innerNumber) &&
        !seen.has(innerNumber) &&
        seen.add(innerNumber);
      return {
        number,
        name: `call${numbers.indexOf(number)}`,
        props: json,
        own,
        inside: inside.map((slot) =>
          slot.filter(isOpen).map((innerNumber) => innerCall(innerNumber, seen)),
        ),
      };
    };
    try {
      void host.running.asEvent(open);
      try {
        if (isPretended) sandbox.pretendBrowser();
        sandbox.load(text);
      } catch (error) {
        for (const number of open) outcomes[number] = failed(error, reasons);
        return false;
      }
      const done = new Set<number>();
      // A call comes after those in its content, which it renders where it shows them.
      for (const number of [...open].reverse()) {
        if (done.has(number)) continue;
        if (cpuMs() > endMs) {
          outcomes[number] = {
            kind: 'failed',
            reason: 'the components of the page take too long',
            browser: 'asks',
          };
          continue;
        }
        void host.running.asEvent([number]);
        const call = innerCall(number, new Set());
        for (const ownNumber of ownIn(call)) {
          outcomes[ownNumber] = { kind: 'rendered', tree: [] };
          done.add(ownNumber);
        }
        for (const [rendered, outcome] of renderOne(sandbox, call, reasons)) {
          outcomes[rendered] =
            isPretended && outcome.kind === 'rendered' ? { ...outcome, isGuess: true } : outcome;
          done.add(rendered);
        }
      }
    } finally {
      sandbox.close();
      void host.running.asEvent([]);
    }
    return true;
  }

  const numbers = calls.map((_, index) => index).slice(0, MAX_PER_PAGE);
  for (let at = numbers.length; at < calls.length; at++) {
    outcomes[at] = {
      kind: 'failed',
      reason: `a page renders ${MAX_PER_PAGE} components at most`,
      browser: 'never',
    };
  }
  await renderCalls(numbers);
  return { outcomes, scripts, diagnostics };
}

/** How far code looks into elements: into those that the page passes to its components. */
function lookOf({ text }: Bundle): Look {
  const readsProps = /\.props\b|[{,]props:/.test(text);
  if (/\bcloneElement\b|\.props\.children\b/.test(text) || (readsProps && /\.type\b/.test(text)))
    return 2;
  return readsProps ? 1 : 0;
}

const BROWSER =
  /^'(?:window|document|navigator|location|history|localStorage|sessionStorage|matchMedia|innerWidth|getComputedStyle)' is not defined$/;

function asksBrowser(outcome: IslandOutcome | undefined): boolean {
  return outcome?.kind === 'failed' && BROWSER.test(outcome.reason);
}

/** A call with those in its content, by slot. */
interface InnerCall {
  number: number;
  name: string;
  props: string;
  /** The calls that it renders itself. */
  own: readonly number[];
  inside: InnerCall[][];
}

/** Maximum calls in the content of another that prolong its time. */
const MAX_PROLONGING = 20;

/**
 * Renders a call and those in its content that it shows. If that takes too long, the call alone.
 */
function renderOne(
  sandbox: Sandbox,
  call: InnerCall,
  reasons: ReadonlySet<string>,
): [number, IslandOutcome][] {
  const { number, name, props } = call;
  const offered = numbersIn(call.inside);
  const limitMs = COMPONENT_CPU_MS * (1 + Math.min(offered.size, MAX_PROLONGING));
  try {
    const { tree, inner } = JSON.parse(
      sandbox.render(name, props, JSON.stringify(call.inside), limitMs),
    ) as Rendered;
    const innerOutcomes = inner
      .filter(([one]) => offered.has(one))
      .map(([one, result]): [number, IslandOutcome] => {
        if (result.tree !== undefined) return [one, { kind: 'rendered', tree: result.tree }];
        return [one, failed(new SandboxError(String(result.reason).slice(0, 200), false), reasons)];
      });
    return [...innerOutcomes, [number, { kind: 'rendered', tree }]];
  } catch (error) {
    if (offered.size > 0 && error instanceof SandboxError && error.isLimit)
      return renderOne(sandbox, { ...call, inside: [] }, reasons);
    return [[number, failed(error, reasons)]];
  }
}

interface Rendered {
  tree: IslandTree;
  inner: [number, { tree?: IslandTree; reason?: string }][];
}

function ownIn(call: InnerCall): number[] {
  return [...call.own, ...call.inside.flat().flatMap(ownIn)];
}

function numbersIn(slots: InnerCall[][], numbers = new Set<number>()): Set<number> {
  for (const call of slots.flat()) numbersIn(call.inside, numbers.add(call.number));
  return numbers;
}

function failed(error: unknown, reasons: ReadonlySet<string>): IslandOutcome {
  if (!(error instanceof SandboxError))
    return { kind: 'failed', reason: 'its output cannot be read', browser: 'runs' };
  return {
    kind: 'failed',
    reason: error.message,
    browser: reasons.has(error.message) ? 'never' : error.isLimit ? 'asks' : 'runs',
  };
}
