import { createContext, Script } from 'node:vm';
import { type HostileInput, hostileInputs } from './hostile-inputs.ts';

const KB = 1024;
/** An expression that needs less for 10 KB is not looked at closely. */
const SUSPECT_MS = 1;
/** From 10 to 40 KB linear time grows 4 times, squared time 16 times. */
const MAX_GROWTH = 8;
const TRIES = 3;
/** Linear time for 10 KB is a hundredth of this on any machine. */
const HOPELESS_MS = 150;
/** A text that takes longer is not waited for. */
const LIMIT_MS = 1000;

export interface SlowInput extends HostileInput {
  /** Milliseconds for 10, 20 and 40 KB; `Infinity` past the limit. */
  times: number[];
}

const context = createContext({ expression: /x/, text: '', texts: [] as string[], now: cpuMs });
const MATCH = 'expression.lastIndex = 0; expression.global ? text.replace(expression, "") : expression.exec(text);';
const run = new Script(MATCH);
/** Times many texts in one call, because a call with a time limit costs more than most matches. */
const runAll = new Script(`texts.map((text) => { const begun = now(); try { ${MATCH} } catch {} return now() - begun; })`);

/** The hostile input on which an expression takes more than linear time, if there is one. */
export function findSlowInput(source: string, flags: string): SlowInput | undefined {
  const expression = new RegExp(source, flags);
  const inputs = hostileInputs(source, flags);
  // A text of 1 KB ends an exponential one before it takes hours.
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

/** CPU milliseconds for each input; `undefined` where all of them together are past the limit. */
function timesOf(expression: RegExp, inputs: readonly HostileInput[], size: number, limitMs: number): number[] | undefined {
  context.expression = expression;
  context.texts = inputs.map((input) => textOf(input, size));
  try {
    return runAll.runInContext(context, { timeout: limitMs });
  } catch {
    return undefined;
  }
}

/** Measured again on doubt: another process may have had the processor. */
function isSlow(expression: RegExp, input: HostileInput): number[] | undefined {
  let times: number[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    times = [10 * KB, 20 * KB, 40 * KB].map((size) => timeOf(expression, input, size));
    const [short, , long] = times as [number, number, number];
    if (short < HOPELESS_MS && (short < SUSPECT_MS || long / short < MAX_GROWTH)) return undefined;
    if (short === Infinity) return times;
  }
  return times;
}

/** CPU milliseconds for one input; `Infinity` past the limit. */
function timeOf(expression: RegExp, input: HostileInput, size: number): number {
  context.expression = expression;
  context.text = textOf(input, size);
  const begun = cpuMs();
  try {
    run.runInContext(context, { timeout: LIMIT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Infinity;
    // The matcher gives up on too deep a stack, which is an end too.
  }
  return cpuMs() - begun;
}

/** CPU milliseconds of this process. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function textOf({ before, repeated, after }: HostileInput, size: number): string {
  return before + repeated.repeat(Math.ceil(size / repeated.length)) + after;
}
