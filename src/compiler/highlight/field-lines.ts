import type { HighlightedToken } from '../../core/content/page-renderer.ts';
import { tokenKinds } from './code-token-kinds.ts';

/** A field in the body of a request: `"name": "text",` or `"name": 12,`. */
const FIELD = /^( *)("\w+"): (?:("[\w <>]*")(,?)|([^"]*))$/;

/** Languages in whose grammars no token depends on the letters of a quoted text. (That of PHP finds SQL in texts.) */
const LANGUAGES: ReadonlySet<string> = new Set(['javascript', 'json', 'python', 'shellscript', 'typescript']);

const TEXT_KINDS: ReadonlySet<number | undefined> = new Set(
  ['string', 'property'].map((name) => tokenKinds.findIndex((kind) => kind.name === name) + 1),
);

/** A line that contains nothing but a field. */
export interface FieldLine {
  /** The same for all fields whose lines differ only in quoted texts; no line of code is equal to it. */
  shape: string;
  /** The quoted texts, in order. */
  texts: string[];
}

/** Returns the reader of fields in a language; undefined if the tokens of a field may depend on the texts in it. */
export function fieldReader(language: string): ((line: string) => FieldLine | undefined) | undefined {
  return LANGUAGES.has(language) ? readField : undefined;
}

function readField(line: string): FieldLine | undefined {
  const [, indent, name, text, comma, bare] = FIELD.exec(line) ?? [];
  if (name === undefined) return undefined;
  return text === undefined
    ? { shape: `\n${indent}${bare}`, texts: [name] }
    : { shape: `\n${indent}""${comma}`, texts: [name, text] };
}

/** The tokens of one field with places for the texts of another one. */
export interface FieldTokens {
  tokens: readonly HighlightedToken[];
  /** Index of the token of each text. */
  places: readonly number[];
}

/** Returns undefined unless each text is a token of its own, with a kind of texts: code in texts is colored by its letters. */
export function fieldTokens({ texts }: FieldLine, tokens: readonly HighlightedToken[]): FieldTokens | undefined {
  const places: number[] = [];
  for (const text of texts) {
    const place = tokens.findIndex((token, index) => index > (places.at(-1) ?? -1) && token.text === text);
    if (place < 0 || !TEXT_KINDS.has(tokens[place]?.kind)) return undefined;
    places.push(place);
  }
  return { tokens, places };
}

export function fillField({ tokens, places }: FieldTokens, { texts }: FieldLine): HighlightedToken[] {
  const filled = [...tokens];
  for (const [index, place] of places.entries())
    filled[place] = { text: texts[index] as string, kind: (tokens[place] as HighlightedToken).kind };
  return filled;
}
