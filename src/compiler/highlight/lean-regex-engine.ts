import type { RegexEngine } from 'shiki/core';
import { type CharacterMask, canMatch, maskOf, needsNothing, type RequiredText, requiredText } from './regex-required-text.ts';

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
  scanner: Scanner | undefined;
  /** The last search: its string, its start, and its result. */
  string: LeanString | undefined;
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
      pattern = {
        source,
        required: needsNothing(required) ? undefined : required,
        dependsOnStart: source.includes('\\G'),
        users: 0,
        scanner: undefined,
        string: undefined,
        from: 0,
        match: null,
      };
      patterns.set(source, pattern);
    }
    pattern.users++;
    return pattern;
  }

  /** Some expressions are built from the text itself (the end of a here-document), so unused ones must be evicted. */
  function release(pattern: Pattern): void {
    pattern.users--;
    if (pattern.users > 0) return;
    patterns.delete(pattern.source);
    pattern.scanner?.dispose?.();
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

  function createScanner(sources: readonly (string | RegExp)[]): Scanner {
    const used = sources.map((source) => use(typeof source === 'string' ? source : source.source));
    return {
      findNextMatchSync(text, start) {
        const string = typeof text === 'string' ? createString(text) : (text as LeanString);
        const found = firstMatch(used, string, start, search);
        if (typeof text === 'string') string.dispose?.();
        return found;
      },
      dispose() {
        for (const pattern of used.splice(0)) release(pattern);
      },
    };
  }

  return { createScanner, createString };
}

function isAhead(match: Match, start: number): boolean {
  return match === null || (match.captureIndices[0]?.start ?? 0) >= start;
}

/** Returns the match that starts first; of several at the same start, that of the first expression. */
function firstMatch(
  patterns: readonly Pattern[],
  string: LeanString,
  start: number,
  search: (pattern: Pattern, string: LeanString, start: number) => Match,
): Match {
  let best: Match = null;
  let bestIndex = 0;
  let bestStart = Number.POSITIVE_INFINITY;
  for (let i = 0; i < patterns.length; i++) {
    const pattern = patterns[i] as Pattern;
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
