import { createContext, Script } from 'node:vm';
import { type HostileInput, hostileInputs } from './hostile-inputs.ts';

const KB = 1024;
/** An expression that takes less time for 10 KB is not measured further. */
const SUSPECT_MS = 1;
/** From 10 to 40 KB, linear time grows 4 times, quadratic time 16 times. */
const MAX_GROWTH = 8;
const ATTEMPTS = 3;
/** Texts measured in one call: a slow expression is found without all of them. */
const BATCH = 16;
/** No expression of linear time takes this long for 40 KB: the slowest machine takes a tenth of it. */
const HOPELESS_MS = 150;
/** Timeout for one text. */
const LIMIT_MS = 1000;

export interface SlowInput extends HostileInput {
  /** Milliseconds for 10, 20 and 40 KB, up to the first above `HOPELESS_MS`; `Infinity` beyond the limit. */
  times: number[];
}

const context = createContext({ expression: /x/, text: '', texts: [] as string[], now: cpuMs });
const MATCH = 'expression.lastIndex = 0; expression.global ? text.replace(expression, "") : expression.exec(text);';
const run = new Script(MATCH);
/** Measures many texts in one call, because a call with a time limit costs more than most matches. */
const runAll = new Script(`texts.map((text) => { const begun = now(); try { ${MATCH} } catch {} return now() - begun; })`);

/** Returns the hostile input on which an expression takes more than linear time, if there is one. */
export function findSlowInput(source: string, flags: string): SlowInput | undefined {
  const expression = new RegExp(source, flags);
  const inputs = hostileInputs(source, flags);
  for (let first = 0; first < inputs.length; first += BATCH) {
    const slow = findSlowIn(expression, inputs.slice(first, first + BATCH));
    if (slow) return slow;
  }
  return undefined;
}

function findSlowIn(expression: RegExp, inputs: readonly HostileInput[]): SlowInput | undefined {
  // A text of 1 KB exposes an exponential one before it takes hours.
  const times = timesOf(expression, inputs, KB, LIMIT_MS) && timesOf(expression, inputs, 10 * KB, 20 * LIMIT_MS);
  for (const [index, input] of inputs.entries()) {
    const shortMs = times?.[index] ?? Infinity;
    if (shortMs < SUSPECT_MS) continue;
    if (shortMs < HOPELESS_MS && timeOf(expression, input, 40 * KB) / shortMs < MAX_GROWTH) continue;
    const slow = timeOf(expression, input, KB) < Infinity ? isSlow(expression, input) : [Infinity];
    if (slow) return { ...input, times: slow };
  }
  return undefined;
}

/** Returns CPU milliseconds per input; `undefined` if all of them together exceed the limit. */
function timesOf(expression: RegExp, inputs: readonly HostileInput[], size: number, limitMs: number): number[] | undefined {
  context.expression = expression;
  context.texts = inputs.map((input) => textOf(input, size));
  try {
    return runAll.runInContext(context, { timeout: limitMs });
  } catch {
    return undefined;
  }
}

/** Repeats a suspicious measurement: another process may have used the processor. */
function isSlow(expression: RegExp, input: HostileInput): number[] | undefined {
  let times: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    times = [];
    for (const size of [10 * KB, 20 * KB, 40 * KB]) {
      times.push(timeOf(expression, input, size));
      if ((times.at(-1) as number) >= HOPELESS_MS) return times;
    }
    const [short, , long] = times as [number, number, number];
    if (short < SUSPECT_MS || long / short < MAX_GROWTH) return undefined;
  }
  return times;
}

/** Returns CPU milliseconds for one input; `Infinity` beyond the limit. */
function timeOf(expression: RegExp, input: HostileInput, size: number): number {
  context.expression = expression;
  context.text = textOf(input, size);
  const begun = cpuMs();
  try {
    run.runInContext(context, { timeout: LIMIT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Infinity;
    // The matcher aborts if the stack is too deep, which also ends it.
  }
  return cpuMs() - begun;
}

/** Returns CPU milliseconds of this process. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function textOf({ before, repeated, after }: HostileInput, size: number): string {
  return before + repeated.repeat(Math.ceil(size / repeated.length)) + after;
}
