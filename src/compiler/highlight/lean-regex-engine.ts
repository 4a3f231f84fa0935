import type { RegexEngine } from 'shiki/core';
import { type CharacterMask, canMatch, maskOf, needsNothing, type RequiredText, requiredText } from './regex-required-text.ts';

type Scanner = ReturnType<RegexEngine['createScanner']>;
type Match = ReturnType<Scanner['findNextMatchSync']>;
type ScannerString = ReturnType<RegexEngine['createString']>;

/** A string with what the search needs to know about it. */
interface LeanString extends ScannerString {
  inner: ScannerString;
  mask: CharacterMask;
}

/** One expression, for all the places of all grammars that use it. */
interface Pattern {
  source: string;
  /** Undefined where every line could match. */
  required: RequiredText | undefined;
  /** `\G` matches where the search starts, so a match from elsewhere says nothing. */
  dependsOnStart: boolean;
  users: number;
  /** Compiled when first searched for. */
  scanner: Scanner | undefined;
  /** The last search: in which string, from where, and what it found. */
  string: LeanString | undefined;
  from: number;
  match: Match;
}

/**
 * Finds the same matches as the engine that it stands on, with a fraction of the searches. A grammar asks for the first
 * match of up to a hundred expressions, again after every token. Here an expression is not searched for in a line that
 * lacks its characters, not again where its last match still lies ahead, and not compiled before it is searched for.
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

  /** Some expressions are made of the text itself (the end of a here-document), so what is not used any more must go. */
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

/** The match that starts first; of those that start together, the one of the first expression. */
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
