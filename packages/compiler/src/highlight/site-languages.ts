import type { HighlightedToken } from '@docent/format/content/page/page-renderer.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { LRUCache } from 'lru-cache';
import { createBoundedProcess } from '../process/bounded-process.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type { SourceTree } from '../source/source-tree.ts';
import type { GrammarAnswer, GrammarQuestion } from './grammar-process.ts';

/** A language of the site's own: an unparsed TextMate grammar. */
export interface CodeGrammar {
  /** Names that a fence may use for it, lower case. */
  names: string[];
  /** Path in the source tree. */
  file: string;
  /** The grammar as JSON text. */
  text: string;
}

const MAX_BYTES = 2_000_000;
const MAX_GRAMMARS = 50;

/**
 * Reads the grammars that `styling.codeblocks.languages.custom` lists.
 * @param paths site paths
 * @param configFile the file that lists them, for messages
 */
export function readCodeGrammars(
  source: Pick<SourceTree, 'readText'>,
  paths: readonly string[],
  configFile: string,
): { grammars: CodeGrammar[]; diagnostics: Diagnostic[] } {
  const grammars: CodeGrammar[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths.slice(0, MAX_GRAMMARS)) {
    const file = path.replace(/^(?:\.?\/)+/, '');
    const text = source.readText(file);
    const read = text === undefined ? undefined : readGrammar(file, text);
    if (typeof read === 'object') grammars.push(read);
    else
      diagnostics.push(text === undefined ? missing(path, configFile) : broken(file, read ?? ''));
  }
  return { grammars, diagnostics };
}

/** Returns the grammar, or the problem with it. */
function readGrammar(file: string, text: string): CodeGrammar | string {
  if (text.length > MAX_BYTES) return 'It is larger than 2 MB.';
  let grammar: unknown;
  try {
    grammar = JSON.parse(text);
  } catch (error) {
    return `It is not valid JSON: ${error instanceof Error ? error.message : 'unknown reason'}.`;
  }
  if (typeof grammar !== 'object' || grammar === null || Array.isArray(grammar))
    return 'It is not an object.';
  const fields = new Map<string, unknown>(Object.entries(grammar));
  const scopeName = fields.get('scopeName');
  if (typeof scopeName !== 'string' || scopeName === '') return 'It has no "scopeName".';
  if (!Array.isArray(fields.get('patterns'))) return 'It has no "patterns" list.';
  const names = namesOf(fields, scopeName);
  return names.length === 0 ? 'It has no "name".' : { names, file, text };
}

/** Returns `name`, `aliases`, and the last word of the scope: `source.cube` is also `cube`. */
function namesOf(fields: ReadonlyMap<string, unknown>, scopeName: string): string[] {
  const aliases = fields.get('aliases');
  const candidates = [
    fields.get('name'),
    ...(Array.isArray(aliases) ? aliases : []),
    scopeName.slice(scopeName.lastIndexOf('.') + 1),
  ];
  const names = candidates
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim().toLowerCase());
  // A fence's language ends at a space, so spaces in a name are written as hyphens.
  return [...new Set(names.flatMap((name) => [name, name.replace(/\s+/g, '-')]))].filter(
    (name) => name !== '',
  );
}

function missing(path: string, file: string): Diagnostic {
  const message = `styling.codeblocks.languages.custom names ${path}, which is not in the repository.`;
  return {
    severity: 'warning',
    code: 'missing-file',
    message,
    remedy: 'Add the file, or correct the path.',
    file,
  };
}

function broken(file: string, reason: string): Diagnostic {
  const remedy = 'Write a TextMate grammar as JSON, with "name", "scopeName" and "patterns".';
  return {
    severity: 'warning',
    code: 'bad-grammar',
    message: `The grammar cannot be used. ${reason}`,
    remedy,
    file,
  };
}

const MAX_CODE_LENGTH = 100_000;

/**
 * Highlights a site's own languages in a separate process, because their grammars are untrusted.
 */
interface SiteLanguages {
  has(language: string): boolean;
  /** Undefined until the answer was awaited, and for code that stays plain. */
  find(code: string, language: string): HighlightedToken[][] | undefined;
  /**
   * Highlights pending requests. `problems` are sentences; undefined if there was nothing to do.
   */
  settle(): Promise<string[] | undefined>;
}

export function createSiteLanguages(grammars: readonly CodeGrammar[]): SiteLanguages {
  const byName = new Map(
    grammars.flatMap((grammar) => grammar.names.map((name) => [name, grammar] as const)),
  );
  const cache = createTokenCache();
  const waiting = new Map<string, { grammar: CodeGrammar; code: string }>();
  const failedGrammars = new Set<CodeGrammar>();
  const highlight = createBoundedProcess<GrammarQuestion, GrammarAnswer>({
    module: moduleUrl('./grammar-process.ts', import.meta.url),
    timeLimitMs: 3_000,
    startLimitMs: 10_000,
    memoryMb: 256,
  });

  return {
    has: (language) => byName.has(language.toLowerCase()),
    find(code, language) {
      const grammar = byName.get(language.toLowerCase());
      if (!grammar || failedGrammars.has(grammar) || code.length > MAX_CODE_LENGTH)
        return undefined;
      const key = `${grammar.file}\n${code}`;
      const lines = cache.get(key);
      if (!lines) waiting.set(key, { grammar, code });
      return lines;
    },
    async settle() {
      if (waiting.size === 0) return undefined;
      const requests = [...waiting];
      waiting.clear();
      const problems: string[] = [];
      for (const [key, { grammar, code }] of requests) {
        if (failedGrammars.has(grammar)) continue;
        const result = await highlight({ grammar: grammar.text, code });
        const problem = 'failure' in result ? `${result.failure}.` : result.answer.fault;
        if (problem === undefined && 'answer' in result) cache.set(key, result.answer.lines ?? []);
        else {
          // What failed once would fail again, at the same cost.
          failedGrammars.add(grammar);
          problems.push(
            `The grammar ${grammar.file} cannot be used, and code in its language stays plain: ${problem}`,
          );
        }
      }
      return problems;
    },
  };
}

/**
 * Characters of code whose tokens a thread caches. Tokens take about twenty times the memory of
 * their text.
 */
const MAX_CHARACTERS = 400_000;

/**
 * Caches the tokens of the most recently used blocks: the same code is on the pages of every
 * language and version of a site.
 */
export const createTokenCache = () =>
  new LRUCache<string, HighlightedToken[][]>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_lines, key) => Math.max(1, key.length),
  });
