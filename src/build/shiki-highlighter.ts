import { type BundledLanguageInfo, createHighlighterCoreSync, type ThemeRegistrationRaw } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { EncodedTokenMetadata, type IGrammar, INITIAL } from 'shiki/textmate';
import type { HighlightedToken, Highlighter } from '../core/content/page-renderer.ts';
import { findCodeLanguage } from './code-languages.ts';
import { createTokenCache } from './code-token-cache.ts';
import { plainScopes, tokenKinds } from './code-token-kinds.ts';

const LONGEST_BLOCK = 200_000;
const LONGEST_LINE = 5_000;
/** Far above what real code takes on a busy machine: reaching it would make a build depend on the time of day. */
const BLOCK_LIMIT_MS = 10_000;

type Engine = Awaited<ReturnType<typeof createOnigurumaEngine>>;

interface LoadedGrammar {
  grammar: IGrammar;
  /** Id of a colour in the grammar's registry → kind of token. */
  kinds: Uint8Array;
}

/**
 * A theme whose colours are numbers: `#00000c` is kind 12. Code is so cut into tokens once, for every appearance, and
 * the stylesheet colours the kinds.
 */
const kindTheme: ThemeRegistrationRaw = {
  name: 'kinds',
  settings: [
    { settings: { foreground: kindColour(0), background: '#ffffff' } },
    ...tokenKinds.map((kind, index) => ({ scope: [...kind.scopes], settings: { foreground: kindColour(index + 1) } })),
    { scope: [...plainScopes], settings: { foreground: kindColour(0) } },
  ],
};

function kindColour(kind: number): string {
  return `#${kind.toString(16).padStart(6, '0')}`;
}

/**
 * Makes a highlighter on TextMate grammars. A grammar is loaded when a page first needs it, each into a registry of
 * its own: what a block looks like then never depends on the languages of the pages before it.
 */
export function createShikiHighlighter(): Highlighter {
  const grammars = new Map<string, LoadedGrammar>();
  const loading = new Map<string, Promise<void>>();
  const cache = createTokenCache();
  let engine: Promise<Engine> | undefined;

  async function loadGrammar(info: BundledLanguageInfo): Promise<void> {
    engine ??= createOnigurumaEngine(import('shiki/wasm'));
    const [languages, loadedEngine] = await Promise.all([info.import(), engine]);
    grammars.set(info.id, openGrammar(info.id, languages.default, loadedEngine));
  }

  return {
    async load(languages) {
      const unknown: string[] = [];
      const waiting: Promise<void>[] = [];
      for (const word of new Set(languages)) {
        const language = findCodeLanguage(word);
        if (language.kind === 'unknown') unknown.push(word);
        if (language.kind !== 'grammar' || grammars.has(language.info.id)) continue;
        const { info } = language;
        const load = loading.get(info.id) ?? loadGrammar(info);
        loading.set(info.id, load);
        waiting.push(load);
      }
      await Promise.all(waiting);
      return unknown;
    },

    highlight(code, word) {
      const text = code.includes('\r') ? code.replaceAll('\r\n', '\n') : code;
      const language = findCodeLanguage(word);
      const loaded = language.kind === 'grammar' && text.length <= LONGEST_BLOCK ? grammars.get(language.info.id) : undefined;
      if (language.kind !== 'grammar' || !loaded) return plainLines(word.toLowerCase() === 'ansi' ? withoutAnsi(text) : text);
      const key = `${language.info.id}\n${text}`;
      const known = cache.get(key);
      if (known) return known;
      const lines = tokenize(text, loaded);
      cache.set(key, lines);
      return lines;
    },
  };
}

function openGrammar(
  name: string,
  languages: Awaited<ReturnType<BundledLanguageInfo['import']>>['default'],
  engine: Engine,
): LoadedGrammar {
  const core = createHighlighterCoreSync({ langs: languages, themes: [kindTheme], engine, warnings: false });
  const { colorMap } = core.setTheme('kinds');
  const kinds = Uint8Array.from(colorMap, (colour) =>
    colour === undefined || colour.length !== 7 ? 0 : Number.parseInt(colour.slice(1), 16) & 0xff,
  );
  return { grammar: core.getLanguage(name) as unknown as IGrammar, kinds };
}

function plainLines(code: string): HighlightedToken[][] {
  return code.split('\n').map((text) => (text === '' ? [] : [{ text, kind: 0 }]));
}

/** Colours of a terminal have no meaning here; without their codes the text stays readable. */
function withoutAnsi(code: string): string {
  return code.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

/** Text that a grammar cannot be finished with in time, or at all, is shown plain from there on. */
function tokenize(code: string, loaded: LoadedGrammar): HighlightedToken[][] {
  const lines = code.split('\n');
  const result: HighlightedToken[][] = [];
  const deadline = performance.now() + BLOCK_LIMIT_MS;
  let state = INITIAL;
  try {
    for (const line of lines) {
      if (line === '') result.push([]);
      else if (line.length > LONGEST_LINE) result.push([{ text: line, kind: 0 }]);
      else {
        const left = deadline - performance.now();
        if (left <= 0) break;
        const tokens = loaded.grammar.tokenizeLine2(line, state, left);
        state = tokens.ruleStack;
        result.push(mergeTokens(line, tokens.tokens, loaded.kinds));
      }
    }
  } catch {
    // A fault in a grammar must not cost the page; the rest of the block is plain.
  }
  for (let i = result.length; i < lines.length; i++) result.push(lines[i] === '' ? [] : [{ text: lines[i] as string, kind: 0 }]);
  return result;
}

/**
 * Pairs of start and metadata → runs of one kind. Blank text has no colour, so it goes with the run before it, and
 * runs that only a space kept apart become one.
 */
function mergeTokens(line: string, pairs: Uint32Array, kinds: Uint8Array): HighlightedToken[] {
  const result: HighlightedToken[] = [];
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
