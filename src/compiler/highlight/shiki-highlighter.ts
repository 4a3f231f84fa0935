import type { BundledLanguageInfo, RegexEngine } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguagesInfo } from 'shiki/langs';
import { splitLanguage } from '../../core/content/code/code-meta.ts';
import type { ExplainedCode, HighlightedToken, Highlighter } from '../../core/content/page-renderer.ts';
import { createBoundedProcess } from '../process/bounded-process.ts';
import { companionsOf, jsonLines, openGrammar, plainLine, type Tokenizer } from './code-tokenizer.ts';
import { createLeanRegexEngine } from './lean-regex-engine.ts';
import { type CodeGrammar, createSiteLanguages, createTokenCache } from './site-languages.ts';
import { terminalLines } from './terminal-tokens.ts';
import type { TwoslashQuestion } from './twoslash-process.ts';

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
        const info = findGrammar(word);
        if (info === undefined) unknown.push(word);
        if (info === undefined || info === 'plain') continue;
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
      if (word.toLowerCase() === 'ansi') return terminalLines(text);
      const info = findGrammar(word);
      if (info === undefined || info === 'plain' || text.length > MAX_BLOCK_LENGTH) return plainLines(text);
      const tokenize = grammars.get(info.id);
      if (!tokenize) return plainLines(text);
      const key = `${info.id}\n${text}`;
      const known = cache.get(key);
      if (known) return known;
      const lines = (info.id === 'json' && jsonLines(text)) || tokenize(text);
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

/** Name → the key under whose names it is. */
function keysByName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([key, list]) => list.split(' ').map((name) => [name, key] as const)));
}

/** The languages whose code can be explained, by their file name extension. */
const EXTENSIONS = keysByName({
  ts: 'ts typescript mts cts',
  tsx: 'tsx typescriptreact',
  js: 'js javascript mjs',
  jsx: 'jsx javascriptreact',
});
const MAX_CODE_LENGTH = 20_000;

/** Explains the names in code, using a compiler in a separate process that starts when a page first needs it. */
interface CodeExplainer {
  /** Undefined until the answer was awaited. */
  find(code: string, language: string): ExplainedCode | undefined;
  /** Answers pending requests. Returns whether there were any. */
  settle(): Promise<boolean>;
}

export function createCodeExplainer(): CodeExplainer {
  const known = new Map<string, ExplainedCode>();
  const waiting = new Map<string, TwoslashQuestion>();
  const compiler = createBoundedProcess<TwoslashQuestion, ExplainedCode>({
    module: new URL('./twoslash-process.ts', import.meta.url),
    timeLimitMs: 10_000,
    startLimitMs: 20_000,
    memoryMb: 768,
  });
  const unexplained = (code: string, problem: string): ExplainedCode => ({ code, hints: [], notes: [], problem });

  return {
    find(code, language) {
      const extension = EXTENSIONS.get(language.toLowerCase());
      if (extension === undefined) return unexplained(code, 'only TypeScript and JavaScript have types.');
      if (code.length > MAX_CODE_LENGTH) return unexplained(code, 'the block is too long.');
      const key = `${extension}\n${code}`;
      const explained = known.get(key);
      if (!explained) waiting.set(key, { code, extension });
      return explained;
    },
    async settle() {
      const asked = [...waiting];
      waiting.clear();
      for (const [key, question] of asked) {
        const result = await compiler.ask(question);
        known.set(key, 'answer' in result ? result.answer : unexplained(question.code, `${result.failure}.`));
      }
      return asked.length > 0;
    },
  };
}

/** Words that authors use for text without a grammar. */
const PLAIN = new Set(
  'text txt plaintext plain none raw output log-output tree ansi mermaid stdout stderr console-output prompt ascii url gitignore'
    .split(' ')
    .concat(''),
);

/** Spellings that the grammars do not know themselves. */
const SPELLINGS = keysByName({
  cpp: 'cuda',
  csharp: '.net dotnet',
  diff: 'patch',
  dotenv: 'env .env',
  'fortran-free-form': 'fortran',
  go: 'golang',
  groovy: 'gradle jenkinsfile',
  html: 'xhtml htm',
  ini: 'conf cfg',
  javascript: 'node nodejs mongodb',
  jinja: 'jinja2',
  json: 'json-ld jsonld geojson',
  jsonl: 'ndjson',
  jsx: 'javascriptreact react',
  'objective-cpp': 'objective-c++',
  powershell: 'powershell-session',
  proto: 'protocol-buffers',
  python: 'python3 py3 pycon ipython starlark',
  shellscript: 'curl command terminal wget',
  shellsession: 'shell-session sh-session bash-session',
  solidity: 'sol',
  sql: 'postgres postgresql mysql sqlite tsql pgsql bigquery snowflake clickhouse',
  'system-verilog': 'systemverilog',
  toml: 'cargo',
  tsx: 'typescriptreact',
  typescript: 'bun deno',
  xml: 'svg xsd plist',
  yaml: 'docker-compose kubernetes helm',
});

const infos: ReadonlyMap<string, BundledLanguageInfo> = new Map(
  bundledLanguagesInfo.flatMap((info) => [info.id, ...(info.aliases ?? [])].map((name) => [name, info] as const)),
);

/** Finds the grammar of a language in any spelling (`JSON`, `py`, `curl`, `js{1,3}`); undefined if the language is unknown. */
function findGrammar(word: string): BundledLanguageInfo | 'plain' | undefined {
  const name = splitLanguage(word).language.toLowerCase();
  return PLAIN.has(name) ? 'plain' : infos.get(SPELLINGS.get(name) ?? name);
}
