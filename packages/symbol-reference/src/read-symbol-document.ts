import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { ParsedSymbolDocument } from './symbol-document.ts';
import { readTypedocDocument } from './typedoc-document.ts';

const MAX_CHARACTERS = 100_000_000;

/** What the supported formats are called. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['graphql', 'GraphQL schema'],
  ['typedoc', 'output of TypeDoc'],
]);

/** Returns whether a tool's output is supported. */
export function isSymbolFormat(format: string): boolean {
  return FORMATS.has(format);
}

/**
 * Reads a reference. Never throws: problems are reported in the diagnostics.
 * @param file its path in the source tree, or its address
 * @param loadGraphql loads the reader of GraphQL schemas, which few sites need
 */
export function parseSymbolDocument(
  text: string,
  file: string,
  format: string,
  loadGraphql: () => typeof readTypedocDocument,
): ParsedSymbolDocument {
  const what = FORMATS.get(format);
  if (what === undefined) return { diagnostics: [unsupportedFormat(format, file)] };
  if (text.length > MAX_CHARACTERS) {
    const message = `The ${what} has ${text.length} characters; at most ${MAX_CHARACTERS} are read.`;
    return { diagnostics: [fault(file, message, 'Leave out of it what readers do not need.')] };
  }
  try {
    const read = format === 'graphql' ? loadGraphql() : readTypedocDocument;
    const document = read(text);
    if (document.entries.length > 0) return { document, diagnostics: [] };
    const message = `The ${what} describes nothing that could have a page.`;
    return {
      diagnostics: [fault(file, message, 'Check that the right file was written to this place.')],
    };
  } catch (error) {
    const message = `The ${what} cannot be read: ${reasonOf(error)}.`;
    return {
      diagnostics: [
        {
          ...fault(file, message, 'Write the file again with its tool, or correct it.'),
          ...placeOf(error),
        },
      ],
    };
  }
}

/** Reports an unsupported format. */
export function unsupportedFormat(format: string, file: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'unsupported-reference',
    message: `References in the format "${format.slice(0, 60)}" are not supported; "typedoc" is.`,
    remedy:
      'The menu shows a placeholder page instead. Write the pages by hand, or publish them elsewhere and link to them.',
    file,
  };
}

function fault(file: string, message: string, remedy: string): Diagnostic {
  return { severity: 'error', code: 'invalid-reference', message, remedy, file };
}

function placeOf(error: unknown): { line?: number; column?: number } {
  // A `GraphQLError`
  const [place] =
    (error as { locations?: readonly { line: number; column: number }[] }).locations ?? [];
  return place ? { line: place.line, column: place.column } : {};
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof Error
    ? error.message.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 300)
    : 'unknown reason';
}
