import { LRUCache } from 'lru-cache';
import type { HighlightedToken } from '../../core/content/page-renderer.ts';
import { createBoundedProcess } from '../process/bounded-process.ts';
import type { CodeGrammar } from './code-grammars.ts';
import type { GrammarAnswer, GrammarQuestion } from './grammar-process.ts';

const MAX_CODE_LENGTH = 100_000;

/** Highlights a site's own languages in a separate process, because their grammars are untrusted. */
export interface SiteLanguages {
  has(language: string): boolean;
  /** Undefined until the answer was awaited, and for code that stays plain. */
  find(code: string, language: string): HighlightedToken[][] | undefined;
  /** Highlights pending requests. `problems` are sentences; undefined if there was nothing to do. */
  settle(): Promise<string[] | undefined>;
}

export function createSiteLanguages(grammars: readonly CodeGrammar[]): SiteLanguages {
  const byName = new Map(grammars.flatMap((grammar) => grammar.names.map((name) => [name, grammar] as const)));
  const cache = createTokenCache();
  const waiting = new Map<string, { grammar: CodeGrammar; code: string }>();
  const given = new Set<CodeGrammar>();
  const highlighter = createBoundedProcess<GrammarQuestion, GrammarAnswer>({
    module: new URL('./grammar-process.ts', import.meta.url),
    timeLimitMs: 3_000,
    startLimitMs: 10_000,
    memoryMb: 256,
  });

  return {
    has: (language) => byName.has(language.toLowerCase()),
    find(code, language) {
      const grammar = byName.get(language.toLowerCase());
      if (!grammar || given.has(grammar) || code.length > MAX_CODE_LENGTH) return undefined;
      const key = `${grammar.file}\n${code}`;
      const lines = cache.get(key);
      if (!lines) waiting.set(key, { grammar, code });
      return lines;
    },
    async settle() {
      if (waiting.size === 0) return undefined;
      const asked = [...waiting];
      waiting.clear();
      const problems: string[] = [];
      for (const [key, { grammar, code }] of asked) {
        if (given.has(grammar)) continue;
        const result = await highlighter.ask({ grammar: grammar.text, code });
        const problem = 'failure' in result ? `${result.failure}.` : result.answer.fault;
        if (problem === undefined && 'answer' in result) cache.set(key, result.answer.lines ?? []);
        else {
          // What failed once would fail again, at the same cost.
          given.add(grammar);
          problems.push(`The grammar ${grammar.file} cannot be used, and code in its language stays plain: ${problem}`);
        }
      }
      return problems;
    },
  };
}

/** Characters of code whose tokens a thread caches. Tokens take about twenty times the memory of their text. */
const MAX_CHARACTERS = 1_000_000;

/** Caches the tokens of the most recently used blocks: the same code is on the pages of every language and version of a site. */
export const createTokenCache = () =>
  new LRUCache<string, HighlightedToken[][]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_lines, key) => Math.max(1, key.length),
  });
