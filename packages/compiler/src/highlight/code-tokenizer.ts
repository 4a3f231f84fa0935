import type { HighlightedToken } from '@docent/format/content/page/page-renderer.ts';
import {
  createHighlighterCoreSync,
  type LanguageRegistration,
  type RegexEngine,
  type ThemeRegistrationRaw,
} from 'shiki/core';
import { bundledLanguages } from 'shiki/langs';
import { EncodedTokenMetadata, type IGrammar, INITIAL, type StateStack } from 'shiki/textmate';
import { plainScopes, tokenKinds } from './code-theme.ts';
import { fillQuoted, quotedParts, quotedReader } from './quoted-lines.ts';

const MAX_LINE_LENGTH = 5_000;
/**
 * Far above what real code takes on a busy machine: hitting it would make a build depend on the
 * machine's load.
 */
const BLOCK_LIMIT_MS = 10_000;
/** Number of lines cached per grammar. */
const MAX_LINES = 20_000;

type Tokens = HighlightedToken[];

interface LineResult {
  tokens: Tokens;
  state: StateStack;
}

interface ShapeResult extends LineResult {
  parts: NonNullable<ReturnType<typeof quotedParts>>;
}

/** Splits whole blocks of one language into tokens. */
export type Tokenizer = (code: string) => Tokens[];

/**
 * Creates the tokenizer of one grammar. Lines are cached together with the grammar's state before
 * them: a third of the lines in the examples of one documentation repeat, and most of the others
 * differ only in quoted texts.
 * @param kinds color id in the grammar's registry → kind of token
 */
function createTokenizer(language: string, grammar: IGrammar, kinds: Uint8Array): Tokenizer {
  const readQuoted = quotedReader(language);
  const states = new Map<number, StateStack[]>();
  const lines = new Map<StateStack, Map<string, LineResult | ShapeResult>>();
  let lineCount = 0;

  /** One shared object for all equal states, so that it can be a cache key. */
  function sharedState(state: StateStack, before: StateStack): StateStack {
    // Most lines end as they begin.
    if (before.equals(state)) return before;
    const statesAtDepth = states.get(state.depth) ?? [];
    if (statesAtDepth.length === 0) states.set(state.depth, statesAtDepth);
    const same = statesAtDepth.find((other) => other.equals(state));
    if (!same) statesAtDepth.push(state);
    return same ?? state;
  }

  function tokenizeLine(line: string, state: StateStack, timeLimitMs: number): LineResult {
    const after = lines.get(state) ?? new Map<string, LineResult | ShapeResult>();
    lines.set(state, after);
    const cachedLine = after.get(line);
    if (cachedLine) return cachedLine;
    const quoted = readQuoted?.(line);
    const like = quoted && after.get(quoted.shape);
    if (quoted && like && 'parts' in like)
      return { tokens: fillQuoted(like.parts, quoted), state: like.state };
    const grammarResult = grammar.tokenizeLine2(line, state, timeLimitMs);
    const result = {
      tokens: mergeTokens(line, grammarResult.tokens, kinds),
      state: sharedState(grammarResult.ruleStack, state),
    };
    const parts = quoted && quotedParts(quoted, result.tokens);
    if (quoted && parts && !grammarResult.stoppedEarly)
      after.set(quoted.shape, { ...result, parts });
    else if (!grammarResult.stoppedEarly) after.set(line, result);
    lineCount++;
    return result;
  }

  /** Text that the grammar cannot tokenize in time, or at all, is plain from there on. */
  return (code) => {
    if (lineCount > MAX_LINES) {
      states.clear();
      lines.clear();
      lineCount = 0;
    }
    const texts = code.split('\n');
    const result: Tokens[] = [];
    const deadline = performance.now() + BLOCK_LIMIT_MS;
    let state: StateStack = INITIAL;
    try {
      for (const line of texts) {
        if (line === '' || line.length > MAX_LINE_LENGTH) {
          result.push(plainLine(line));
          continue;
        }
        const left = deadline - performance.now();
        if (left <= 0) break;
        const lineResult = tokenizeLine(line, state, left);
        state = lineResult.state;
        result.push(lineResult.tokens);
      }
    } catch {
      // An error in a grammar must not break the page.
    }
    return [...result, ...texts.slice(result.length).map(plainLine)];
  };
}

/**
 * Returns a copy of a text. The engine keeps a part of a text as a reference to the whole of it: what
 * is cached of a block of code would keep its whole page in memory.
 */
export function detached(text: string): string {
  return text.isWellFormed() ? Buffer.from(text).toString() : text;
}

/** A line without colors. */
export function plainLine(text: string): Tokens {
  return text === '' ? [] : [{ text, kind: 0 }];
}

/**
 * Converts pairs of start and metadata to runs of one kind. White space has no color, so it joins
 * the run before it, and runs of the same kind separated only by a space are merged.
 */
function mergeTokens(line: string, pairs: Uint32Array, kinds: Uint8Array): Tokens {
  const result: Tokens = [];
  let start = 0;
  let kind = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const from = pairs[i] as number;
    const next = i + 2 < pairs.length ? (pairs[i + 2] as number) : line.length;
    const tokenKind = kinds[EncodedTokenMetadata.getForeground(pairs[i + 1] as number)] ?? 0;
    if (from === 0) kind = tokenKind;
    else if (tokenKind !== kind && !isBlank(line, from, next)) {
      if (from > start) result.push({ text: line.slice(start, from), kind });
      start = from;
      kind = tokenKind;
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

/**
 * A theme whose colors are numbers: `#00000c` is kind 12. So code is tokenized once for every
 * appearance, and the stylesheet colors the kinds.
 */
const kindTheme: ThemeRegistrationRaw = {
  name: 'kinds',
  settings: [
    { settings: { foreground: kindColor(0), background: '#ffffff' } },
    ...tokenKinds.map((kind, index) => ({
      scope: kind.scopes,
      settings: { foreground: kindColor(index + 1) },
    })),
    { scope: plainScopes, settings: { foreground: kindColor(0) } },
  ],
};

function kindColor(kind: number): string {
  return `#${kind.toString(16).padStart(6, '0')}`;
}

/** JSON that a command sends, in quotes: highlighted as JSON, not as one long string. */
const jsonInShell: LanguageRegistration = {
  name: 'json-in-shell',
  scopeName: 'docent.json-in-shell',
  injectTo: ['source.shell'],
  injectionSelector: 'L:source.shell -string -comment',
  patterns: [
    {
      begin: "(?<=\\s(?:-d|--data|--data-raw|--data-binary|--json)[\\s=])'(?=\\s*[\\[{])",
      end: "'",
      beginCaptures: { '0': { name: 'punctuation.definition.string.begin.shell' } },
      endCaptures: { '0': { name: 'punctuation.definition.string.end.shell' } },
      patterns: [{ include: 'source.json' }],
    },
  ],
  repository: {},
};

/**
 * What grammars need of others that they do not load themselves; without TSX, the components of MDX
 * would be plain text.
 */
const COMPANIONS: ReadonlyMap<string, readonly ('json' | 'tsx' | 'yaml')[]> = new Map([
  ['shellscript', ['json']],
  ['mdx', ['tsx', 'yaml']],
  ['markdown', ['yaml']],
]);

/** What a grammar needs besides its own languages. */
export async function companionsOf(name: string): Promise<LanguageRegistration[]> {
  const loaded = await Promise.all(
    (COMPANIONS.get(name) ?? []).map((other) => bundledLanguages[other]()),
  );
  return [
    ...loaded.flatMap((language) => language.default),
    ...(name === 'shellscript' ? [jsonInShell] : []),
  ];
}

/**
 * Creates the tokenizer of one grammar; `languages` contains it and those that it builds on, in a
 * separate registry.
 */
export function openGrammar(
  name: string,
  languages: LanguageRegistration[],
  engine: RegexEngine,
): Tokenizer {
  const core = createHighlighterCoreSync({
    langs: languages,
    themes: [kindTheme],
    engine,
    warnings: false,
  });
  const { colorMap } = core.setTheme('kinds');
  const kinds = Uint8Array.from(colorMap, (color) =>
    color === undefined || color.length !== 7 ? 0 : Number.parseInt(color.slice(1), 16) & 0xff,
  );
  return createTokenizer(name, core.getLanguage(name) as unknown as IGrammar, kinds);
}
