import { type BundledLanguageInfo, createHighlighterCoreSync, type RegexEngine, type ThemeRegistrationRaw } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import type { IGrammar } from 'shiki/textmate';
import type { HighlightedToken, Highlighter } from '../core/content/page-renderer.ts';
import { findCodeLanguage } from './code-languages.ts';
import { createTokenCache } from './code-token-cache.ts';
import { plainScopes, tokenKinds } from './code-token-kinds.ts';
import { createTokenizer, plainLine, type Tokenizer } from './code-tokenizer.ts';
import { createLeanRegexEngine } from './lean-regex-engine.ts';

const LONGEST_BLOCK = 200_000;

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
  const grammars = new Map<string, Tokenizer>();
  const loading = new Map<string, Promise<void>>();
  const cache = createTokenCache();
  let engine: Promise<RegexEngine> | undefined;

  async function loadGrammar(info: BundledLanguageInfo): Promise<void> {
    engine ??= createOnigurumaEngine(import('shiki/wasm')).then(createLeanRegexEngine);
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
      const tokenize = language.kind === 'grammar' && text.length <= LONGEST_BLOCK ? grammars.get(language.info.id) : undefined;
      if (language.kind !== 'grammar' || !tokenize) return plainLines(word.toLowerCase() === 'ansi' ? withoutAnsi(text) : text);
      const key = `${language.info.id}\n${text}`;
      const known = cache.get(key);
      if (known) return known;
      const lines = tokenize(text);
      cache.set(key, lines);
      return lines;
    },
  };
}

function openGrammar(
  name: string,
  languages: Awaited<ReturnType<BundledLanguageInfo['import']>>['default'],
  engine: RegexEngine,
): Tokenizer {
  const core = createHighlighterCoreSync({ langs: languages, themes: [kindTheme], engine, warnings: false });
  const { colorMap } = core.setTheme('kinds');
  const kinds = Uint8Array.from(colorMap, (colour) =>
    colour === undefined || colour.length !== 7 ? 0 : Number.parseInt(colour.slice(1), 16) & 0xff,
  );
  return createTokenizer(core.getLanguage(name) as unknown as IGrammar, kinds);
}

function plainLines(code: string): HighlightedToken[][] {
  return code.split('\n').map(plainLine);
}

/** Colours of a terminal have no meaning here; without their codes the text stays readable. */
function withoutAnsi(code: string): string {
  return code.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}
