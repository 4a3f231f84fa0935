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
  required: RequiredText;
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
 * Finds the same matches as the underlying engine with a fraction of the searches. A grammar
 * requests the first match of up to a hundred expressions, again after every token. This engine
 * skips an expression in lines that lack its characters, skips it while its last match is still
 * ahead, and compiles it on first use.
 */
export function createLeanRegexEngine(engine: RegexEngine): RegexEngine {
  const patterns = new Map<string, Pattern>();

  function use(source: string): Pattern {
    let pattern = patterns.get(source);
    if (!pattern) {
      const dependsOnStart = source.includes('\\G');
      pattern = {
        source,
        required: requiredText(source),
        dependsOnStart,
        users: 0,
        from: 0,
        match: null,
      };
      patterns.set(source, pattern);
    }
    pattern.users++;
    return pattern;
  }

  function search(pattern: Pattern, string: LeanString, start: number): Match {
    if (
      pattern.string === string &&
      pattern.from <= start &&
      !pattern.dependsOnStart &&
      isAhead(pattern.match, start)
    ) {
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

  /**
   * Returns the match that starts first; of several at the same start, that of the first
   * expression.
   */
  function firstMatch(used: readonly Pattern[], string: LeanString, start: number): Match {
    let best: Match = null;
    let bestIndex = 0;
    let bestStart = Number.POSITIVE_INFINITY;
    for (let i = 0; i < used.length; i++) {
      const pattern = used[i] as Pattern;
      if (!canMatch(pattern.required, string.mask)) continue;
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
        const earliestMatch = firstMatch(used, string, start);
        if (typeof text === 'string') string.dispose?.();
        return earliestMatch;
      },
      dispose() {
        for (const pattern of used.splice(0)) {
          pattern.users--;
          // Some expressions are built from the text itself (the end of a here-document), so unused
          // ones must be evicted.
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
 * Computes what a line must contain before a regular expression can match in it. A grammar has
 * hundreds of expressions and most of them cannot match in most lines: `\b(import|export)\b` needs
 * the letters of one of its words. Searching for those letters is a hundred times cheaper than
 * running the expression.
 *
 * The characters that an expression needs are a mask of 128 bits, one per ASCII character, as four
 * numbers; an expression with alternatives has one mask for each. The analysis may always require
 * less than is true: syntax that it does not know requires nothing.
 */
type CharacterMask = readonly [number, number, number, number];

/** Alternatives, one of which a line must satisfy. */
type RequiredText = readonly CharacterMask[];

const NOTHING: CharacterMask = [0, 0, 0, 0];
const ANYTHING: RequiredText = [NOTHING];
const MAX_ALTERNATIVES = 24;

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

/**
 * Returns what a line must contain for this expression (Oniguruma syntax); nothing if it has
 * unknown syntax.
 */
export function requiredText(pattern: string): RequiredText {
  // These flags change the meaning of letters or white space in ways that the analysis does not
  // follow.
  if (/\(\?[a-z-]*[ix]|\(\?~|\(\?\(|\\Q|\(\?#/.test(pattern)) return ANYTHING;
  try {
    return requiredUntil(undefined, (pattern.match(PARTS) ?? []).values());
  } catch {
    return ANYTHING;
  }
}

function isEmpty(mask: CharacterMask): boolean {
  return (mask[0] | mask[1] | mask[2] | mask[3]) === 0;
}

function both(first: RequiredText, second: RequiredText): RequiredText {
  if (second === ANYTHING) return first;
  if (first === ANYTHING) return second;
  const kept = first.length * second.length > MAX_ALTERNATIVES ? [common(second)] : second;
  return first.flatMap((a) =>
    kept.map((b): CharacterMask => [a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]]),
  );
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
const ESCAPE =
  /\\(?:[pPxo]\{[^}]{0,80}\}|[kg](?:<[^>]{0,80}>|'[^']{0,80}')|x[\da-fA-F]{1,2}|u[\da-fA-F]{4}|c.|.)/;
const GROUP_START = /\((?:\?(?:[:=!>|]|<[=!]|<[A-Za-z_]\w*>|[a-z-]*[:)]))?/;
const CHARACTER_CLASS = /\[\^?\]?(?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*\]/;
const COUNT = /\{\d*(?:,\d*)?\}/;
const PARTS = new RegExp(
  [ESCAPE, GROUP_START, CHARACTER_CLASS, COUNT, /./].map(({ source }) => source).join('|'),
  'gs',
);

const QUANTIFIER = /^(?:[*+?]|\{.)/;
const OPTIONAL = /^(?:[*?]|\{0*[,}])/;
/** The character itself, escaped, or alone in a class. */
const CHARACTER = /^(?:\\[^a-zA-Z0-9]|\[[^\\^[\]]\]|[^.^$])$/s;

/**
 * Reads the alternatives of a group, or of the whole expression, up to its end.
 * @throws SyntaxError at unknown syntax
 */
function requiredUntil(end: ')' | undefined, parts: Iterator<string, undefined>): RequiredText {
  const options: RequiredText[] = [];
  let before = ANYTHING;
  let item: RequiredText | undefined;
  for (;;) {
    const part = parts.next().value;
    if (part === end || part === '|') {
      options.push(both(before, item ?? ANYTHING));
      if (part === end) return either(options);
      before = ANYTHING;
      item = undefined;
    } else if (part !== undefined && QUANTIFIER.test(part)) {
      if (!item) throw new SyntaxError('There is nothing to repeat.');
      if (OPTIONAL.test(part)) item = ANYTHING;
    } else {
      before = both(before, item ?? ANYTHING);
      item = requiredBy(part, parts);
    }
  }
}

/** What one part requires, with the rest of the group that it starts. */
function requiredBy(part: string | undefined, parts: Iterator<string, undefined>): RequiredText {
  if (part === undefined || part === ')' || part === '[' || part === '\\')
    throw new SyntaxError('Unknown syntax.');
  if (!part.startsWith('(')) return CHARACTER.test(part) ? [maskOf(part[1] ?? part)] : ANYTHING;
  if (part.endsWith(')')) return ANYTHING;
  const inside = requiredUntil(')', parts);
  return part.endsWith('!') ? ANYTHING : inside;
}
