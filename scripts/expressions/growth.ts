import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser } from '@eslint-community/regexpp';

const KB = 1024;
const [SHORT, LONG] = [5 * KB, 20 * KB];
/** An expression that takes less time for the short text is not measured further. */
const SUSPECT_MS = 1;
/** From the short to the long text, linear time grows 4 times, quadratic time 16 times. */
const MAX_GROWTH = 8;
const ATTEMPTS = 2;
/** Texts measured in one call: a slow expression is found without all of them. */
const BATCH = 16;
/** Timeout for one text, of the clock and not of the processor: a busy machine reaches none. */
const LIMIT_MS = 5000;

interface SlowInput extends HostileInput {
  /** CPU milliseconds for 5 and 20 KB; `Infinity` beyond the limit. */
  times: number[];
}

const context = createContext({ expression: /x/, text: '', texts: [] as string[], now: cpuMs });
const MATCH =
  'expression.lastIndex = 0; expression.global ? text.replace(expression, "") : expression.exec(text);';
const run = new Script(MATCH);
/**
 * Measures many texts in one call, because a call with a time limit costs more than most matches.
 */
const runAll = new Script(
  `texts.map((text) => { const begun = now(); try { ${MATCH} } catch {} return now() - begun; })`,
);

/**
 * Returns the hostile input on which an expression takes more than linear time, if there is one.
 */
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
  const times =
    timesOf(expression, inputs, KB, LIMIT_MS) && timesOf(expression, inputs, SHORT, LIMIT_MS);
  for (const [index, input] of inputs.entries()) {
    if ((times?.[index] ?? Infinity) < SUSPECT_MS) continue;
    const isExponential = timeOf(expression, input, KB) === Infinity;
    const slow = isExponential ? [Infinity] : slowTimes(expression, input);
    if (slow) return { ...input, times: slow };
  }
  return undefined;
}

/** Returns CPU milliseconds per input; `undefined` if all of them together exceed the limit. */
function timesOf(
  expression: RegExp,
  inputs: readonly HostileInput[],
  size: number,
  limitMs: number,
): number[] | undefined {
  context.expression = expression;
  context.texts = inputs.map((input) => textOf(input, size));
  try {
    return runAll.runInContext(context, { timeout: limitMs });
  } catch {
    return undefined;
  }
}

/**
 * Returns the least times of a few measurements, to which other processes only add; `undefined` if
 * they grow as linear time does.
 */
function slowTimes(expression: RegExp, input: HostileInput): number[] | undefined {
  let [shortMs, longMs] = [Infinity, Infinity];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    shortMs = Math.min(shortMs, timeOf(expression, input, SHORT));
    longMs = Math.min(longMs, timeOf(expression, input, LONG));
    if (shortMs < SUSPECT_MS || longMs / shortMs < MAX_GROWTH) return undefined;
  }
  return [shortMs, longMs];
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

/** A text of any length on which an expression may be slow. */
interface HostileInput {
  before: string;
  repeated: string;
  after: string;
}

/** Characters that represent others of their kind. */
const SIGNS = [...' a0-_"\'`<>()[]{}*+~|\\&;=!@#$%^,.:/?\tA\n\r\u00e9\u3042'];
/** Characters that make most matches fail at the end. */
const ENDINGS = ['', '\u0000', '\n!', 'x'];
const MAX_CHOICES = 4;
/** A character that hardly any expression looks for. */
const OTHER = '\u3042';

/**
 * Returns texts derived from the structure of an expression, on which a backtracking matcher may
 * take more than linear time: what may be repeated, after its required prefix, and followed by
 * something that does not match; and prefixes that are repeated without an end. None for an
 * expression that repeats nothing.
 */
function hostileInputs(source: string, flags: string): HostileInput[] {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(
    source,
    0,
    source.length,
    mode,
  );
  if (!repeats(pattern)) return [];
  const inputs = new Map<string, HostileInput>();
  const add = (before: string, repeated: string, endings: readonly string[] = ENDINGS) => {
    if (repeated === '' || repeated.length > 2000) return;
    for (const after of endings)
      inputs.set(JSON.stringify([before, repeated, after]), { before, repeated, after });
  };
  const sample = (node: AST.Element | AST.Pattern) => samplesOf(node, flags)[0] ?? '';
  const visit = (alternatives: readonly AST.Alternative[], before: string) => {
    for (const { elements } of alternatives) {
      let prefix = before;
      for (const [index, element] of elements.entries()) {
        const rest = elements
          .slice(index + 1)
          .map(sample)
          .join('');
        if (element.type === 'Quantifier' && element.max > 20) {
          for (const pump of samplesOf(element.element, flags)) {
            add(prefix, pump);
            add(prefix, pump, [rest, rest.slice(0, -1)]);
            add('', prefix + pump);
            add('', prefix + pump + rest.slice(0, -1));
            add('', pump);
            // Not at the beginning, where another alternative may match it at once.
            add(OTHER, pump);
            if (prefix !== '') add('', prefix.slice(-1) + pump);
          }
        }
        const inner = element.type === 'Quantifier' ? element.element : element;
        if ('alternatives' in inner) visit(inner.alternatives, prefix);
        prefix += sample(element);
        add('', prefix);
      }
    }
  };
  visit(pattern.alternatives, '');
  return [...inputs.values()];
}

/**
 * Whether anything in an expression may match more than once: without that, the length of a match
 * is bounded.
 */
function repeats(node: AST.Element | AST.Pattern | AST.Alternative): boolean {
  if (node.type === 'Quantifier') return node.max > 1 || repeats(node.element);
  if ('alternatives' in node) return node.alternatives.some(repeats);
  return node.type === 'Alternative' && node.elements.some(repeats);
}

/** Returns texts that an element matches, a few if there are many. */
function samplesOf(node: AST.Element | AST.Pattern, flags: string): string[] {
  switch (node.type) {
    case 'Character':
      return [String.fromCodePoint(node.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return signsOf(node, flags);
    case 'Quantifier': {
      const times = Math.min(Math.max(node.min, node.max > 0 ? 1 : 0), 200);
      return samplesOf(node.element, flags).map((text) => text.repeat(times));
    }
    case 'Group':
    case 'CapturingGroup':
    case 'Pattern':
      return node.alternatives
        .slice(0, 12)
        .map(({ elements }) => elements.map((one) => samplesOf(one, flags)[0] ?? '').join(''));
    case 'Assertion':
      return [''];
    case 'Backreference':
      return [Array.isArray(node.resolved) ? '' : (samplesOf(node.resolved, flags)[0] ?? '')];
    default:
      return [''];
  }
}

function signsOf(
  node: AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass,
  flags: string,
): string[] {
  const one = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gy]/g, ''));
  const listed = node.type === 'CharacterClass' ? node.elements.flatMap(listedIn) : [];
  const matching = [...SIGNS, ...listed].filter((sign) => one.test(sign));
  return [...new Set(matching)].slice(0, MAX_CHOICES);
}

function listedIn(element: AST.CharacterClassElement): string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  return element.type === 'CharacterClassRange' ? [String.fromCodePoint(element.min.value)] : [];
}
