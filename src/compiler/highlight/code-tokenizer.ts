import { EncodedTokenMetadata, type IGrammar, INITIAL, type StateStack } from 'shiki/textmate';
import type { HighlightedToken, Highlighter } from '../../core/content/page-renderer.ts';
import { type FieldTokens, fieldReader, fieldTokens, fillField } from './field-lines.ts';

const MAX_LINE_LENGTH = 5_000;
/** Far above what real code takes on a busy machine: hitting it would make a build depend on the machine's load. */
const BLOCK_LIMIT_MS = 10_000;
/** Number of lines cached per grammar. */
const MAX_LINES = 20_000;

type Tokens = HighlightedToken[];

interface LineResult {
  tokens: Tokens;
  state: StateStack;
}

interface FieldResult extends LineResult {
  field: FieldTokens;
}

/** Splits whole blocks of one language into tokens. */
export type Tokenizer = (code: string) => Tokens[];

/**
 * Creates the tokenizer of one grammar. Lines are cached together with the grammar's state before them: a third of the lines in
 * the examples of one documentation repeat, and most of the others are fields that differ only in their names.
 * @param kinds color id in the grammar's registry → kind of token
 */
export function createTokenizer(language: string, grammar: IGrammar, kinds: Uint8Array): Tokenizer {
  const readField = fieldReader(language);
  const states = new Map<number, StateStack[]>();
  let lines = new Map<StateStack, Map<string, LineResult | FieldResult>>();
  let lineCount = 0;

  /** One shared object for all equal states, so that it can be a cache key. */
  function sharedState(state: StateStack, before: StateStack): StateStack {
    // Most lines end as they begin.
    if (before.equals(state)) return before;
    const known = states.get(state.depth) ?? [];
    if (known.length === 0) states.set(state.depth, known);
    const same = known.find((other) => other.equals(state));
    if (!same) known.push(state);
    return same ?? state;
  }

  function clearAll(): void {
    states.clear();
    lines = new Map();
    lineCount = 0;
  }

  function tokenizeLine(line: string, state: StateStack, timeLimitMs: number): LineResult {
    const after = lines.get(state) ?? new Map<string, LineResult | FieldResult>();
    lines.set(state, after);
    const known = after.get(line);
    if (known) return known;
    const field = readField?.(line);
    const like = field && after.get(field.shape);
    if (field && like && 'field' in like) return { tokens: fillField(like.field, field), state: like.state };
    const made = grammar.tokenizeLine2(line, state, timeLimitMs);
    const result = { tokens: mergeTokens(line, made.tokens, kinds), state: sharedState(made.ruleStack, state) };
    const places = field && fieldTokens(field, result.tokens);
    if (field && places && !made.stoppedEarly) after.set(field.shape, { ...result, field: places });
    else if (!made.stoppedEarly) after.set(line, result);
    lineCount++;
    return result;
  }

  return (code) => {
    if (lineCount > MAX_LINES) clearAll();
    return tokenizeBlock(code, tokenizeLine);
  };
}

/** Text that a grammar cannot tokenize in time, or at all, is plain from there on. */
function tokenizeBlock(
  code: string,
  tokenizeLine: (line: string, state: StateStack, timeLimitMs: number) => LineResult,
): Tokens[] {
  const lines = code.split('\n');
  const result: Tokens[] = [];
  const deadline = performance.now() + BLOCK_LIMIT_MS;
  let state: StateStack = INITIAL;
  try {
    for (const line of lines) {
      if (line === '' || line.length > MAX_LINE_LENGTH) {
        result.push(plainLine(line));
        continue;
      }
      const left = deadline - performance.now();
      if (left <= 0) break;
      const made = tokenizeLine(line, state, left);
      state = made.state;
      result.push(made.tokens);
    }
  } catch {
    // An error in a grammar must not break the page; the rest of the block is plain.
  }
  for (let i = result.length; i < lines.length; i++) result.push(plainLine(lines[i] as string));
  return result;
}

/** A line without colors. */
export function plainLine(text: string): Tokens {
  return text === '' ? [] : [{ text, kind: 0 }];
}

/**
 * Converts pairs of start and metadata to runs of one kind. White space has no color, so it joins the run before it, and runs of
 * the same kind separated only by a space are merged.
 */
function mergeTokens(line: string, pairs: Uint32Array, kinds: Uint8Array): Tokens {
  const result: Tokens = [];
  let start = 0;
  let kind = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const from = pairs[i] as number;
    const next = i + 2 < pairs.length ? (pairs[i + 2] as number) : line.length;
    const own = kinds[EncodedTokenMetadata.getForeground(pairs[i + 1] as number)] ?? 0;
    if (from === 0) kind = own;
    else if (own !== kind && !isBlank(line, from, next)) {
      if (from > start) result.push({ text: line.slice(start, from), kind });
      start = from;
      kind = own;
    }
  }
  if (line.length > start) result.push({ text: line.slice(start), kind });
  return result;
}

function isBlank(line: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = line.charCodeAt(i);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}

/** Wraps a highlighter: knows the same languages and reports the same problems, but does not color code. */
export function withoutColors(highlighter: Highlighter): Highlighter {
  return {
    load: (languages) => highlighter.load(languages),
    highlight: (code) => code.split(/\r?\n/).map(plainLine),
    ...(highlighter.explain ? { explain: (code, language) => highlighter.explain?.(code, language) } : {}),
    ...(highlighter.settle ? { settle: async () => highlighter.settle?.() } : {}),
  };
}
