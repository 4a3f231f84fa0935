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

const context = createContext({ expression: /x/, text: '' });
const run = new Script('expression.lastIndex = 0; expression.global ? text.replace(expression, "") : expression.exec(text)');

/** The hostile input on which an expression takes more than linear time, if there is one. */
export function findSlowInput(source: string, flags: string): SlowInput | undefined {
  const expression = new RegExp(source, flags);
  for (const input of hostileInputs(source, flags)) {
    // A text of 1 KB ends an exponential one before it takes hours.
    if (timeOf(expression, input, KB) < Infinity && timeOf(expression, input, 10 * KB) < SUSPECT_MS) continue;
    const times = isSlow(expression, input);
    if (times) return { ...input, times };
  }
  return undefined;
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

/** CPU milliseconds of this process. */
function timeOf(expression: RegExp, { before, repeated, after }: HostileInput, size: number): number {
  context.expression = expression;
  context.text = before + repeated.repeat(Math.ceil(size / repeated.length)) + after;
  const begun = process.cpuUsage();
  try {
    run.runInContext(context, { timeout: LIMIT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Infinity;
    // The matcher gives up on too deep a stack, which is an end too.
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
