import type { BundledLanguageInfo, RegexEngine } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { splitLanguage } from '../../core/content/code/code-meta.ts';
import type { HighlightedToken, Highlighter } from '../../core/content/page-renderer.ts';
import { createCodeExplainer } from './code-explainer.ts';
import type { CodeGrammar } from './code-grammars.ts';
import { findCodeLanguage } from './code-languages.ts';
import { plainLine, type Tokenizer } from './code-tokenizer.ts';
import { jsonLines } from './json-tokens.ts';
import { createLeanRegexEngine } from './lean-regex-engine.ts';
import { companionsOf, openGrammar } from './open-grammar.ts';
import { createSiteLanguages, createTokenCache } from './site-languages.ts';
import { terminalLines } from './terminal-tokens.ts';

const MAX_BLOCK_LENGTH = 200_000;

/**
 * Creates a highlighter on TextMate grammars. A grammar is loaded when a page first needs it, into its own registry: so the
 * appearance of a block never depends on the languages of earlier pages.
 * @param siteGrammars languages of the site itself; they take precedence over ours of the same name
 */
export function createShikiHighlighter(siteGrammars: readonly CodeGrammar[] = []): Highlighter {
  const siteLanguages = siteGrammars.length === 0 ? undefined : createSiteLanguages(siteGrammars);
  const explainer = createCodeExplainer();
  const grammars = new Map<string, Tokenizer>();
  const loading = new Map<string, Promise<void>>();
  const cache = createTokenCache();
  let engine: Promise<RegexEngine> | undefined;

  async function loadGrammar(info: BundledLanguageInfo): Promise<void> {
    engine ??= createOnigurumaEngine(import('shiki/wasm')).then(createLeanRegexEngine);
    const [languages, companions, loadedEngine] = await Promise.all([info.import(), companionsOf(info.id), engine]);
    grammars.set(info.id, openGrammar(info.id, [...companions, ...languages.default], loadedEngine));
  }

  return {
    async load(languages) {
      const unknown: string[] = [];
      const waiting: Promise<void>[] = [];
      for (const word of new Set(languages)) {
        if (siteLanguages?.has(splitLanguage(word).language)) continue;
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
      if (siteLanguages) {
        const name = splitLanguage(word).language;
        if (siteLanguages.has(name)) return siteLanguages.find(text, name) ?? plainLines(text);
      }
      const language = findCodeLanguage(word);
      const tokenize =
        language.kind === 'grammar' && text.length <= MAX_BLOCK_LENGTH ? grammars.get(language.info.id) : undefined;
      if (language.kind !== 'grammar' || !tokenize) return word.toLowerCase() === 'ansi' ? terminalLines(text) : plainLines(text);
      const key = `${language.info.id}\n${text}`;
      const known = cache.get(key);
      if (known) return known;
      const lines = (language.info.id === 'json' && jsonLines(text)) || tokenize(text);
      cache.set(key, lines);
      return lines;
    },

    explain: (code, language) => explainer.find(code, language),

    async settle() {
      const hasExplained = await explainer.settle();
      const problems = await siteLanguages?.settle();
      return hasExplained || problems ? { problems: problems ?? [] } : undefined;
    },
  };
}

function plainLines(code: string): HighlightedToken[][] {
  return code.split('\n').map(plainLine);
}
