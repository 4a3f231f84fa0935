import type { RegexEngine } from 'shiki/core';

type Scanner = ReturnType<RegexEngine['createScanner']>;
type Match = ReturnType<Scanner['findNextMatchSync']>;
type ScannerString = ReturnType<RegexEngine['createString']>;

/** A string with the data that the search needs about it. */
interface LeanString extends ScannerString {
  inner: ScannerString;
  mask: CharacterMask;
}

/** One expression, shared by all grammars that use it. */
interface Pattern {
  source: string;
  /** Undefined if every line could match. */
  required: RequiredText | undefined;
  /** `\G` matches where the search starts, so a match from another start cannot be reused. */
  dependsOnStart: boolean;
  users: number;
  /** Compiled on first search. */
  scanner?: Scanner;
  /** The last search: its string, its start, and its result. */
  string?: LeanString;
  from: number;
  match: Match;
}

/**
 * Finds the same matches as the underlying engine with a fraction of the searches. A grammar requests the first match of up to a
 * hundred expressions, again after every token. This engine skips an expression in lines that lack its characters, skips it while
 * its last match is still ahead, and compiles it on first use.
 */
export function createLeanRegexEngine(engine: RegexEngine): RegexEngine {
  const patterns = new Map<string, Pattern>();

  function use(source: string): Pattern {
    let pattern = patterns.get(source);
    if (!pattern) {
      const required = requiredText(source);
      const dependsOnStart = source.includes('\\G');
      const neededText = needsNothing(required) ? undefined : required;
      pattern = { source, required: neededText, dependsOnStart, users: 0, from: 0, match: null };
      patterns.set(source, pattern);
    }
    pattern.users++;
    return pattern;
  }

  function search(pattern: Pattern, string: LeanString, start: number): Match {
    if (pattern.string === string && pattern.from <= start && !pattern.dependsOnStart && isAhead(pattern.match, start)) {
      return pattern.match;
    }
    pattern.scanner ??= engine.createScanner([pattern.source]);
    pattern.match = pattern.scanner.findNextMatchSync(string.inner, start, 0);
    pattern.string = string;
    pattern.from = start;
    return pattern.match;
  }

  function createString(content: string): LeanString {
    const inner = engine.createString(content);
    return { content, inner, mask: maskOf(content), dispose: () => inner.dispose?.() };
  }

  /** Returns the match that starts first; of several at the same start, that of the first expression. */
  function firstMatch(used: readonly Pattern[], string: LeanString, start: number): Match {
    let best: Match = null;
    let bestIndex = 0;
    let bestStart = Number.POSITIVE_INFINITY;
    for (let i = 0; i < used.length; i++) {
      const pattern = used[i] as Pattern;
      if (pattern.required !== undefined && !canMatch(pattern.required, string.mask)) continue;
      const match = search(pattern, string, start);
      const matchStart = match?.captureIndices[0]?.start;
      if (matchStart === undefined || matchStart >= bestStart) continue;
      best = match;
      bestIndex = i;
      bestStart = matchStart;
      if (matchStart === start) break;
    }
    return best && { index: bestIndex, captureIndices: best.captureIndices };
  }

  function createScanner(sources: readonly (string | RegExp)[]): Scanner {
    const used = sources.map((source) => use(typeof source === 'string' ? source : source.source));
    return {
      findNextMatchSync(text, start) {
        const string = typeof text === 'string' ? createString(text) : (text as LeanString);
        const found = firstMatch(used, string, start);
        if (typeof text === 'string') string.dispose?.();
        return found;
      },
      dispose() {
        for (const pattern of used.splice(0)) {
          pattern.users--;
          // Some expressions are built from the text itself (the end of a here-document), so unused ones must be evicted.
          if (pattern.users > 0) continue;
          patterns.delete(pattern.source);
          pattern.scanner?.dispose?.();
        }
      },
    };
  }

  return { createScanner, createString };
}

function isAhead(match: Match, start: number): boolean {
  return match === null || (match.captureIndices[0]?.start ?? 0) >= start;
}

/**
 * Computes what a line must contain before a regular expression can match in it. A grammar has hundreds of expressions and most
 * of them cannot match in most lines: `\b(import|export)\b` needs the letters of one of its words. Searching for those letters is
 * a hundred times cheaper than running the expression.
 *
 * The characters that an expression needs are a mask of 128 bits, one per ASCII character, as four numbers; an expression with
 * alternatives has one mask for each. The analysis may always require less than is true: syntax that it does not know requires
 * nothing.
 */
type CharacterMask = readonly [number, number, number, number];

/** Alternatives, one of which a line must satisfy. */
type RequiredText = readonly CharacterMask[];

const NOTHING: CharacterMask = [0, 0, 0, 0];
const ANYTHING: RequiredText = [NOTHING];
const MAX_ALTERNATIVES = 24;
const MAX_DEPTH = 60;

/** Returns the mask of a text's characters. */
export function maskOf(text: string): CharacterMask {
  const mask: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128) mask[code >> 5] = (mask[code >> 5] as number) | (1 << (code & 31));
  }
  return mask;
}

/** Returns whether a text with these characters can match; `false` is certain, `true` is not. */
export function canMatch(required: RequiredText, text: CharacterMask): boolean {
  for (const mask of required) {
    if (
      (mask[0] & text[0]) === mask[0] &&
      (mask[1] & text[1]) === mask[1] &&
      (mask[2] & text[2]) === mask[2] &&
      (mask[3] & text[3]) === mask[3]
    ) {
      return true;
    }
  }
  return false;
}

/** Returns what a line must contain for this expression (Oniguruma syntax); nothing if it has unknown syntax. */
export function requiredText(pattern: string): RequiredText {
  // These flags change the meaning of letters or white space in ways that the analysis does not follow.
  if (/\(\?[a-z-]*[ix]|\(\?~|\(\?\(|\\Q|\(\?#/.test(pattern)) return ANYTHING;
  const reader = new PatternReader(pattern);
  const required = reader.alternatives(0);
  return reader.isUnderstood ? required : ANYTHING;
}

/** Returns whether every line could match, so that the check is useless. */
export function needsNothing(required: RequiredText): boolean {
  return required.some(isEmpty);
}

function isEmpty(mask: CharacterMask): boolean {
  return (mask[0] | mask[1] | mask[2] | mask[3]) === 0;
}

function both(first: RequiredText, second: RequiredText): RequiredText {
  if (second === ANYTHING) return first;
  if (first === ANYTHING) return second;
  const kept = first.length * second.length > MAX_ALTERNATIVES ? [common(second)] : second;
  return first.flatMap((a) => kept.map((b): CharacterMask => [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]]));
}

function either(options: readonly RequiredText[]): RequiredText {
  const all = options.flat();
  if (all.some(isEmpty)) return ANYTHING;
  return all.length > MAX_ALTERNATIVES ? [common(all)] : all;
}

function common(masks: RequiredText): CharacterMask {
  return masks.reduce((a, b) => [a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]]);
}

/** `\\p{L}`, `\\k<name>`, `\\x{1F600}`, `\\u00e9`: the characters after the letter belong to it. */
const ESCAPE_WITH_ARGUMENT = /^(?:[pPxo]\{[^}]*\}|[kg](?:<[^>]*>|'[^']*')|x[\da-fA-F]{1,2}|u[\da-fA-F]{4}|c.)/;

/** Parses an expression from left to right. Stops at unknown syntax as if the text ended there. */
class PatternReader {
  readonly #text: string;
  #at = 0;
  #failed = false;

  constructor(text: string) {
    this.#text = text;
  }

  get isUnderstood(): boolean {
    return !this.#failed && this.#at === this.#text.length;
  }

  get #isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  alternatives(depth: number): RequiredText {
    const options: RequiredText[] = [];
    do {
      options.push(this.#sequence(depth));
    } while (this.#take('|'));
    return options.length === 1 ? (options[0] as RequiredText) : either(options);
  }

  #sequence(depth: number): RequiredText {
    let required = ANYTHING;
    while (!this.#isDone && !this.#peek('|') && !this.#peek(')')) {
      const item = this.#item(depth);
      required = both(required, this.#isOptional() ? ANYTHING : item);
    }
    return required;
  }

  #item(depth: number): RequiredText {
    const char = this.#text[this.#at++] as string;
    if (char === '(') return this.#group(depth);
    if (char === '[') return this.#charClass();
    if (char === '\\') return this.#escape();
    if (char === '.' || char === '^' || char === '$') return ANYTHING;
    return [maskOf(char)];
  }

  #group(depth: number): RequiredText {
    const prefix = /^\?(?:[:=!>|]|<[=!]|<[A-Za-z_]\w*>|[a-z-]*[:)])/.exec(this.#text.slice(this.#at, this.#at + 40))?.[0];
    if (prefix === undefined && this.#peek('?')) return this.#giveUp();
    this.#at += prefix?.length ?? 0;
    if (prefix?.endsWith(')')) return ANYTHING;
    if (depth > MAX_DEPTH) return this.#giveUp();
    const inside = this.alternatives(depth + 1);
    if (!this.#take(')')) return this.#giveUp();
    return prefix?.endsWith('!') ? ANYTHING : inside;
  }

  /** A class requires its character only if it has a single one; nested brackets are only counted. */
  #charClass(): RequiredText {
    const start = this.#at;
    if (this.#peek('^')) this.#at++;
    if (this.#peek(']')) this.#at++;
    for (let open = 1; open > 0; this.#at++) {
      if (this.#isDone) return this.#giveUp();
      const char = this.#text[this.#at];
      if (char === '\\') this.#at++;
      else if (char === '[') open++;
      else if (char === ']') open--;
    }
    const inside = this.#text.slice(start, this.#at - 1);
    return /^[^\\^[\]]$/.test(inside) ? [maskOf(inside)] : ANYTHING;
  }

  #escape(): RequiredText {
    const char = this.#text[this.#at++];
    if (char === undefined) return this.#giveUp();
    if (!/[a-zA-Z0-9]/.test(char)) return [maskOf(char)];
    const argument = ESCAPE_WITH_ARGUMENT.exec(this.#text.slice(this.#at - 1, this.#at + 80));
    if (argument) this.#at += argument[0].length - 1;
    return ANYTHING;
  }

  /** Parses the quantifier after an item and returns whether the item may be absent. */
  #isOptional(): boolean {
    let optional = false;
    for (;;) {
      const rest = this.#text[this.#at];
      if (rest === '*' || rest === '?') optional = true;
      else if (rest === '{') {
        const count = /^\{(\d*)(?:,\d*)?\}/.exec(this.#text.slice(this.#at, this.#at + 20));
        if (!count) return optional;
        optional ||= count[1] === '' || Number(count[1]) === 0;
        this.#at += count[0].length - 1;
      } else if (rest !== '+') return optional;
      this.#at++;
    }
  }

  #giveUp(): RequiredText {
    this.#failed = true;
    this.#at = this.#text.length;
    return ANYTHING;
  }

  #peek(char: string): boolean {
    return this.#text[this.#at] === char;
  }

  #take(char: string): boolean {
    if (!this.#peek(char)) return false;
    this.#at++;
    return true;
  }
}
