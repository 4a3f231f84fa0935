import type { Diagnostic } from '../../core/diagnostics.ts';
import type { SourceTree } from '../source/source-tree.ts';

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
    else diagnostics.push(text === undefined ? missing(path, configFile) : broken(file, read ?? ''));
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
  if (typeof grammar !== 'object' || grammar === null || Array.isArray(grammar)) return 'It is not an object.';
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
  const given = [fields.get('name'), ...(Array.isArray(aliases) ? aliases : []), scopeName.slice(scopeName.lastIndexOf('.') + 1)];
  const names = given.filter((name) => typeof name === 'string').map((name) => name.trim().toLowerCase());
  // A fence's language ends at a space, so spaces in a name are written as hyphens.
  return [...new Set(names.flatMap((name) => [name, name.replace(/\s+/g, '-')]))].filter((name) => name !== '');
}

function missing(path: string, file: string): Diagnostic {
  const message = `styling.codeblocks.languages.custom names ${path}, which is not in the repository.`;
  return { severity: 'warning', code: 'missing-file', message, remedy: 'Add the file, or correct the path.', file };
}

function broken(file: string, reason: string): Diagnostic {
  const remedy = 'Write a TextMate grammar as JSON, with "name", "scopeName" and "patterns".';
  return { severity: 'warning', code: 'bad-grammar', message: `The grammar cannot be used. ${reason}`, remedy, file };
}
