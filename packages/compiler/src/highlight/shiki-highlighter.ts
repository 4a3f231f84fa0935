import { terminalKind } from '@docent/format/content/code/code-lines.ts';
import { splitLanguage } from '@docent/format/content/code/code-meta.ts';
import type {
  ExplainedCode,
  HighlightedToken,
  Highlighter,
} from '@docent/format/content/page/page-renderer.ts';
import { nearestName } from '@docent/format/nearest-name.ts';
import type { BundledLanguageInfo, RegexEngine } from 'shiki/core';
import { bundledLanguagesInfo } from 'shiki/langs';
import { createBoundedProcess } from '../process/bounded-process.ts';
import { installCommand, isInstalled } from '../process/optional-packages.ts';
import { moduleUrl } from '../process/own-modules.ts';
import {
  companionsOf,
  detached,
  openGrammar,
  plainLine,
  type Tokenizer,
} from './code-tokenizer.ts';
import { createLeanRegexEngine } from './lean-regex-engine.ts';
import { openOniguruma } from './oniguruma.ts';
import { type CodeGrammar, createSiteLanguages, createTokenCache } from './site-languages.ts';
import type { TwoslashQuestion } from './twoslash-process.ts';

const MAX_BLOCK_LENGTH = 200_000;

/**
 * Creates a highlighter on TextMate grammars. A grammar is loaded when a page first needs it, into
 * its own registry: so the appearance of a block never depends on the languages of earlier pages.
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
    engine ??= openOniguruma().then(createLeanRegexEngine);
    const [languages, companions, loadedEngine] = await Promise.all([
      info.import(),
      companionsOf(info.id),
      engine,
    ]);
    grammars.set(
      info.id,
      openGrammar(info.id, [...companions, ...languages.default], loadedEngine),
    );
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

    nearest: (word) => nearestName(splitLanguage(word).language.toLowerCase(), infos.keys()),

    highlight(code, word) {
      const text = code.includes('\r') ? code.replaceAll('\r\n', '\n') : code;
      if (siteLanguages) {
        const name = splitLanguage(word).language;
        if (siteLanguages.has(name)) return siteLanguages.find(text, name) ?? plainLines(text);
      }
      if (word.toLowerCase() === 'ansi') return terminalLines(text);
      const info = findGrammar(word);
      if (info === undefined || info === 'plain' || text.length > MAX_BLOCK_LENGTH)
        return plainLines(text);
      const tokenize = grammars.get(info.id);
      if (!tokenize) return plainLines(text);
      const key = `${info.id}\n${text}`;
      const cachedLines = cache.get(key);
      if (cachedLines) return cachedLines;
      const block = detached(text);
      const lines = tokenize(block);
      cache.set(`${info.id}\n${block}`, lines);
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
  return new Map(
    Object.entries(names).flatMap(([key, list]) =>
      list.split(' ').map((name) => [name, key] as const),
    ),
  );
}

/** The languages whose code can be explained, by their file name extension. */
const EXTENSIONS = keysByName({
  ts: 'ts typescript mts cts',
  tsx: 'tsx typescriptreact',
  js: 'js javascript mjs',
  jsx: 'jsx javascriptreact',
});
const MAX_CODE_LENGTH = 20_000;
/** The packages of the process that explains names. */
const TYPE_PACKAGES = ['twoslash', 'typescript-js'];

/**
 * Explains the names in code, using a compiler in a separate process that starts when a page first
 * needs it.
 */
interface CodeExplainer {
  /** Undefined until the answer was awaited. */
  find(code: string, language: string): ExplainedCode | undefined;
  /** Answers pending requests. Returns whether there were any. */
  settle(): Promise<boolean>;
}

export function createCodeExplainer(): CodeExplainer {
  const explanations = new Map<string, ExplainedCode>();
  const waiting = new Map<string, TwoslashQuestion>();
  const ask = createBoundedProcess<TwoslashQuestion, ExplainedCode>({
    module: moduleUrl('./twoslash-process.ts', import.meta.url),
    timeLimitMs: 10_000,
    startLimitMs: 20_000,
    memoryMb: 768,
  });
  const unexplained = (code: string, problem: string): ExplainedCode => ({
    code,
    hints: [],
    notes: [],
    problem,
  });

  return {
    find(code, language) {
      const extension = EXTENSIONS.get(language.toLowerCase());
      if (extension === undefined)
        return unexplained(code, 'only TypeScript and JavaScript have types.');
      if (code.length > MAX_CODE_LENGTH) return unexplained(code, 'the block is too long.');
      if (!TYPE_PACKAGES.every(isInstalled))
        return unexplained(code, `it needs two packages: ${installCommand(...TYPE_PACKAGES)}`);
      const key = `${extension}\n${code}`;
      const explained = explanations.get(key);
      if (!explained) waiting.set(key, { code, extension });
      return explained;
    },
    async settle() {
      const questions = [...waiting];
      waiting.clear();
      for (const [key, question] of questions) {
        const result = await ask(question);
        explanations.set(
          key,
          'answer' in result ? result.answer : unexplained(question.code, `${result.failure}.`),
        );
      }
      return questions.length > 0;
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
  bundledLanguagesInfo.flatMap((info) =>
    [info.id, ...(info.aliases ?? [])].map((name) => [name, info] as const),
  ),
);

/**
 * Finds the grammar of a language in any spelling (`JSON`, `py`, `curl`, `js{1,3}`); undefined if
 * the language is unknown.
 */
function findGrammar(word: string): BundledLanguageInfo | 'plain' | undefined {
  const name = splitLanguage(word).language.toLowerCase();
  return PLAIN.has(name) ? 'plain' : infos.get(SPELLINGS.get(name) ?? name);
}

/** State set by terminal codes: a color (0 is the default), and one of the styles. */
interface Pen {
  color: number;
  bold: boolean;
  dim: boolean;
  underline: boolean;
}

// Every terminal code: colors (ending in m), all others, and link addresses.
const CODE =
  /\u001b\[([\d;:?<=>]*)([ -/]*[@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]/g;

/**
 * Splits terminal output into tokens by color. Other codes are removed; the text is readable
 * without them.
 */
export function terminalLines(code: string): HighlightedToken[][] {
  const lines: HighlightedToken[][] = [[]];
  let pen = usualPen();
  let from = 0;
  const write = (text: string): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, kind: kindOf(pen) });
    }
  };
  for (const match of code.matchAll(CODE)) {
    write(code.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm') pen = follow(pen, (match[1] ?? '').split(/[;:]/).map(Number));
  }
  write(code.slice(from));
  return lines;
}

function usualPen(): Pen {
  return { color: 0, bold: false, dim: false, underline: false };
}

function kindOf({ color, bold, dim, underline }: Pen): number {
  return terminalKind(color, bold ? 1 : dim ? 2 : underline ? 3 : 0);
}

function follow(before: Pen, codes: readonly number[]): Pen {
  let pen = { ...before };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === 0) pen = usualPen();
    else if (code === 1) pen.bold = true;
    else if (code === 2) pen.dim = true;
    else if (code === 4) pen.underline = true;
    else if (code === 22) pen.bold = pen.dim = false;
    else if (code === 24) pen.underline = false;
    else if (code >= 30 && code <= 37) pen.color = code - 29;
    else if (code >= 90 && code <= 97) pen.color = code - 81;
    else if (code === 39) pen.color = 0;
    else if (code === 38 || code === 48) {
      const color =
        codes[i + 1] === 5
          ? paletteColor(codes[i + 2] ?? 0)
          : nearestColor(codes.slice(i + 2, i + 5));
      if (code === 38) pen.color = color;
      i += codes[i + 1] === 5 ? 2 : 4;
    }
  }
  return pen;
}

/** One of the 256 colors: sixteen names, a cube of 6 × 6 × 6, then grays. */
function paletteColor(index: number): number {
  if (index < 16) return index + 1;
  if (index >= 232) return index < 244 ? 9 : 8;
  const cube = index - 16;
  return nearestColor(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part * 51),
  );
}

/** Colors follow the appearance of the page, so every color is reduced to its nearest name. */
function nearestColor([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const strongest = Math.max(red, green, blue);
  if (strongest < 40) return 1;
  const bit = (part: number): number => (part > strongest * 0.6 ? 1 : 0);
  const name = 1 + bit(red) + 2 * bit(green) + 4 * bit(blue);
  return strongest > 200 ? name + 8 : name;
}
