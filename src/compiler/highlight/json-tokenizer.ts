import type { HighlightedToken } from '../../core/content/page-renderer.ts';
import { tokenKinds } from './code-token-kinds.ts';
import { MAX_LINE_LENGTH, type Tokenizer } from './code-tokenizer.ts';

const kindOf = (name: string): number => tokenKinds.findIndex((kind) => kind.name === name) + 1;
const STRING = kindOf('string');
const ESCAPE = kindOf('escape');
const CONSTANT = kindOf('constant');
const PROPERTY = kindOf('property');

/** A string, or a number or word; what is between them is punctuation and white space. */
const VALUE = /"(?:[^"\\]|\\.)*"?|[\w.+-]+/g;
const STRING_PART = /"|\\(?:u.{4}|.)|[^"\\]+/g;
const COLON = /\s*:/y;

/**
 * Wraps the tokenizer of the JSON grammar. Valid JSON, as in the examples of API descriptions, is split into the same tokens
 * without it, in a fraction of the time; text with comments, ellipses or errors is left to the grammar.
 */
export function jsonTokenizer(grammar: Tokenizer): Tokenizer {
  return (code) => (isJson(code) ? tokenizeJson(code) : grammar(code));
}

function isJson(code: string): boolean {
  if (code.includes('\r')) return false;
  try {
    JSON.parse(code);
  } catch {
    return false;
  }
  return code.split('\n').every((line) => line.length <= MAX_LINE_LENGTH);
}

function tokenizeJson(code: string): HighlightedToken[][] {
  let offset = 0;
  return code.split('\n').map((line) => {
    const runs = new Runs(line);
    let end = 0;
    for (const { 0: text, index } of line.matchAll(VALUE)) {
      runs.add(end, index, 0);
      end = index + text.length;
      COLON.lastIndex = offset + end;
      if (!text.startsWith('"')) runs.add(index, end, CONSTANT);
      else if (!text.includes('\\')) runs.add(index, end, COLON.test(code) ? PROPERTY : STRING);
      else addString(runs, text, index, COLON.test(code) ? PROPERTY : STRING);
    }
    runs.add(end, line.length, 0);
    offset += line.length + 1;
    return runs.finish();
  });
}

function addString(runs: Runs, text: string, start: number, kind: number): void {
  for (const { 0: part, index } of text.matchAll(STRING_PART)) {
    runs.add(start + index, start + index + part.length, part.startsWith('\\') ? ESCAPE : kind);
  }
}

/** Joins the tokens of a line as `mergeTokens` does: white space has no color and belongs to the run before it. */
class Runs {
  readonly #line: string;
  readonly #tokens: HighlightedToken[] = [];
  #start = 0;
  #kind = 0;

  constructor(line: string) {
    this.#line = line;
  }

  add(from: number, to: number, kind: number): void {
    let start = from;
    while (start < to && isBlank(this.#line.charCodeAt(start))) start++;
    if (start === to || kind === this.#kind) return;
    if (from > this.#start) this.#tokens.push({ text: this.#line.slice(this.#start, from), kind: this.#kind });
    this.#start = from;
    this.#kind = kind;
  }

  finish(): HighlightedToken[] {
    if (this.#line.length > this.#start) this.#tokens.push({ text: this.#line.slice(this.#start), kind: this.#kind });
    return this.#tokens;
  }
}

function isBlank(character: number): boolean {
  return character === 32 || character === 9;
}
