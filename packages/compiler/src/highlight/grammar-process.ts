import type { HighlightedToken } from '@docent/format/content/page/page-renderer.ts';
import type { LanguageRegistration, RegexEngine } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { answerQuestions } from '../process/bounded-process.ts';
import { openGrammar, type Tokenizer } from './code-tokenizer.ts';

/** Request to the process: code in a language of a site. */
export interface GrammarQuestion {
  /** The grammar as JSON text. */
  grammar: string;
  code: string;
}

export interface GrammarAnswer {
  lines?: HighlightedToken[][];
  /** The problem with the grammar. */
  fault?: string;
}

/** Languages that other grammars often include, by scope. */
const KNOWN_SCOPES: ReadonlyMap<string, keyof typeof bundledLanguages> = new Map([
  ['source.js', 'javascript'],
  ['source.ts', 'typescript'],
  ['source.tsx', 'tsx'],
  ['source.json', 'json'],
  ['source.css', 'css'],
  ['source.yaml', 'yaml'],
  ['source.shell', 'shellscript'],
  ['source.python', 'python'],
  ['source.sql', 'sql'],
  ['source.rust', 'rust'],
  ['source.go', 'go'],
  ['text.html.basic', 'html'],
  ['text.html.markdown', 'markdown'],
  ['text.xml', 'xml'],
]);

const opened = new Map<string, Tokenizer | string>();
let engine: RegexEngine | undefined;

async function open(text: string): Promise<Tokenizer | string> {
  engine ??= await createOnigurumaEngine(import('shiki/wasm'));
  const grammar = JSON.parse(text) as LanguageRegistration;
  const fault = faultIn(grammar, engine);
  if (fault !== undefined) return fault;
  const others = [...KNOWN_SCOPES]
    .filter(([scope]) => text.includes(`"${scope}`))
    .map(([, name]) => bundledLanguages[name]());
  const languages = (await Promise.all(others)).flatMap((module) => module.default);
  return openGrammar('site', [...languages, { ...grammar, name: 'site', aliases: [] }], engine);
}

const EXPRESSIONS: ReadonlySet<string> = new Set(['match', 'begin']);

/**
 * Returns the first regular expression that the engine rejects. `end` and `while` may refer to what
 * `begin` matched, so they cannot be checked alone.
 */
function faultIn(grammar: object, tool: RegexEngine): string | undefined {
  const waiting: object[] = [grammar];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) waiting.push(value);
      else if (EXPRESSIONS.has(key) && typeof value === 'string') {
        if (!isValid(value, tool))
          return `The expression ${JSON.stringify(value.slice(0, 100))} is not valid.`;
      }
    }
  }
  return undefined;
}

/**
 * Returns whether the engine accepts an expression. It does not report this itself, but a scanner
 * with an invalid expression finds nothing, not even the empty match.
 */
function isValid(expression: string, tool: RegexEngine): boolean {
  try {
    const scanner = tool.createScanner(['(?:)', expression]);
    const match = scanner.findNextMatchSync('', 0, 0);
    scanner.dispose?.();
    return match !== null;
  } catch {
    return false;
  }
}

async function answer({ grammar, code }: GrammarQuestion): Promise<GrammarAnswer> {
  try {
    const tokenize = opened.get(grammar) ?? (await open(grammar));
    opened.set(grammar, tokenize);
    return typeof tokenize === 'string' ? { fault: tokenize } : { lines: tokenize(code) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'it cannot be read.' };
  }
}

answerQuestions(answer);
