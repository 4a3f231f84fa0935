import type { HighlightedToken } from '../../core/content/page-renderer.ts';
import { tokenKinds } from './code-token-kinds.ts';

/** A line of JSON as `JSON.stringify` indents it: a name, then a value or a bracket. Escapes are left to the grammar. */
const LINE = /^( *)(?:("[^"\\]*"): )?(?:("[^"\\]*")|(-?\d[\d.eE+-]*|true|false|null)|([[{]|\{\}|\[\]|[\]}]))(,?)$/;
/** The grammar leaves longer lines plain. */
const MAX_LINE_LENGTH = 5_000;

const kindOf = (name: string): number => tokenKinds.findIndex((kind) => kind.name === name) + 1;
const NAME = kindOf('property');
const TEXT = kindOf('string');
const CONSTANT = kindOf('constant');

/**
 * Returns the tokens that the grammar finds in indented JSON, for a fraction of its time: examples in JSON are most of the code on
 * the pages of an API.
 * @returns undefined for any other code, which needs the grammar
 */
export function jsonLines(code: string): HighlightedToken[][] | undefined {
  const result: HighlightedToken[][] = [];
  for (const line of code.split('\n')) {
    const parts = line.length > MAX_LINE_LENGTH ? null : LINE.exec(line);
    if (!parts) return undefined;
    result.push(tokensOf(parts));
  }
  return isJson(code) ? result : undefined;
}

function tokensOf([, indent = '', name, text, constant, bracket, comma = '']: RegExpExecArray): HighlightedToken[] {
  const tokens: HighlightedToken[] = [];
  const add = (part: string, kind: number) => {
    if (part !== '') tokens.push({ text: part, kind });
  };
  let before = indent;
  if (name !== undefined) {
    add(indent, 0);
    add(name, NAME);
    before = ': ';
  }
  // Brackets are as plain as what is around them.
  if (bracket !== undefined) add(before + bracket + comma, 0);
  else {
    add(before, 0);
    add(text ?? constant ?? '', text === undefined ? CONSTANT : TEXT);
    add(comma, 0);
  }
  return tokens;
}

function isJson(code: string): boolean {
  try {
    JSON.parse(code);
    return true;
  } catch {
    return false;
  }
}
