import { ExpressionError } from './value.ts';

const MAX_COST = 10_000_000;

/** A regular expression of the page with bounded running time. */
export class RegexValue {
  readonly #expression: RegExp;
  readonly #weight: PatternWeight;
  constructor(pattern: string, flags: string) {
    this.#weight = weighPattern(pattern);
    try {
      this.#expression = new RegExp(pattern, flags.replace(/[^gimsu]/g, ''));
    } catch {
      throw new ExpressionError('syntax', 'A regular expression is invalid');
    }
  }

  /** Start of the next search; 0 except for `g` expressions after `exec`. */
  get lastIndex(): number {
    return this.#expression.lastIndex;
  }

  get isGlobal(): boolean {
    return this.#expression.global;
  }

  /** The expression, ready to run on the whole text. Throws if that could take too long. */
  on(text: string, caller: { spend(steps: number): void }): RegExp {
    this.#pay(text, caller);
    this.#expression.lastIndex = 0;
    return this.#expression;
  }

  /** Returns the next match after the last one, like `RegExp.prototype.exec`. */
  exec(text: string, caller: { spend(steps: number): void }): RegExpExecArray | null {
    this.#pay(text, caller);
    return this.#expression.exec(text);
  }

  #pay(text: string, caller: { spend(steps: number): void }): void {
    const cost = text.length ** (this.#weight.repetitions + 1) * 2 ** this.#weight.choices;
    // An island runs it, with a limit of time instead of this estimate.
    if (cost > MAX_COST)
      throw new ExpressionError('needs-browser', 'A regular expression could take too long on such a long text');
    caller.spend(1 + Math.ceil(cost / 500));
  }
}

interface PatternWeight {
  /** Each can match any part of the text. */
  repetitions: number;
  /** Each doubles the number of attempts. */
  choices: number;
}

/**
 * Matching takes at most the length of the text to the power of the repetitions plus one, times two for every choice, provided
 * that no group is repeated and there is no lookaround; patterns with those are rejected.
 */
function weighPattern(source: string): PatternWeight {
  const pattern = source.replace(/\\[\s\S]/g, 'e').replace(/\[[^\]]*(?:\]|$)/g, 'c');
  if (pattern.length > 200 || /\)[*+?{]|\(\?[=!<]/.test(pattern) || /\\[1-9k]/.test(source)) {
    throw new ExpressionError('needs-browser', 'This regular expression is too complicated for the server');
  }
  return {
    repetitions: pattern.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0,
    choices: pattern.match(/[?|]/g)?.length ?? 0,
  };
}
