import type { HighlightedToken } from '@docent/format/content/page/page-renderer.ts';
import { tokenKinds } from './code-theme.ts';

/**
 * Texts that contain nothing but their own escapes, as far as the grammar can tell. (In Python,
 * braces and percent signs format.)
 */
const SCRIPT_TEXT = /(?<=[ (])"(?:[\w <>:/.,&?={}[\]@-]|\\")*"/g;
const PYTHON_TEXT = /(?<=[ (])"[\w <>:/.,&?=@-]*"/g;
const SHELL_TEXT = /(?<= )'(?!\s*[[{])[^'\\]*'/g;

/**
 * Languages in whose grammars no token depends on the letters of these texts. (That of PHP finds
 * SQL in texts.)
 */
const LANGUAGES: ReadonlyMap<string, RegExp> = new Map([
  ['javascript', SCRIPT_TEXT],
  ['json', SCRIPT_TEXT],
  ['python', PYTHON_TEXT],
  ['shellscript', SHELL_TEXT],
  ['typescript', SCRIPT_TEXT],
]);

const ESCAPES = /((?:\\")+)/;

const TEXT_KINDS: ReadonlySet<number> = new Set(
  ['string', 'property'].map((name) => tokenKinds.findIndex((kind) => kind.name === name) + 1),
);

/** A line with quoted texts. */
export interface QuotedLine {
  /** The same for all lines that differ only in quoted texts; no line of code is equal to it. */
  shape: string;
  /** The quoted texts, in order. */
  texts: { text: string; at: number }[];
}

/**
 * Returns the reader of lines in a language, which returns undefined for a line without texts;
 * undefined for other languages.
 */
export function quotedReader(
  language: string,
): ((line: string) => QuotedLine | undefined) | undefined {
  const quoted = LANGUAGES.get(language);
  return (
    quoted &&
    ((line) => {
      const texts: QuotedLine['texts'] = [];
      const shape = line.replace(quoted, (text: string, at: number) => {
        texts.push({ text, at });
        return text.includes('\\') ? '\n\\' : '\n';
      });
      return texts.length === 0 ? undefined : { shape, texts };
    })
  );
}

/**
 * A part of a line in one color: what every line of the shape has, or a text of the line, with the
 * kind of its escapes.
 */
type Part = { kind: number; same: string } | { kind: number; escapeKind: number };

/**
 * Returns the parts of a line; undefined unless the texts have kinds of texts: code in texts is
 * colored by its letters.
 */
export function quotedParts(
  { texts }: QuotedLine,
  tokens: readonly HighlightedToken[],
): Part[] | undefined {
  const parts: Part[] = [];
  const rest = tokens.map(({ text, kind }) => ({ text, kind }));
  let at = 0;
  const take = (length: number): HighlightedToken | undefined => {
    const [next] = rest;
    if (!next) return undefined;
    const text = next.text.slice(0, length);
    next.text = next.text.slice(length);
    if (next.text === '') rest.shift();
    at += text.length;
    return { text, kind: next.kind };
  };
  for (const { text, at: start } of texts) {
    while (at < start) {
      const before = take(start - at);
      if (!before) return undefined;
      parts.push({ kind: before.kind, same: before.text });
    }
    const taken = text.split(ESCAPES).map((piece) => ({ piece, token: take(piece.length) }));
    const [first, second] = taken;
    const kinds = [first?.token?.kind ?? 0, second?.token?.kind ?? 0] as const;
    const isText = taken.every(
      ({ piece, token }, index) => token?.text === piece && token.kind === kinds[index % 2],
    );
    if (!isText || !TEXT_KINDS.has(kinds[0])) return undefined;
    parts.push({ kind: kinds[0], escapeKind: kinds[1] });
  }
  for (const { text, kind } of rest) parts.push({ kind, same: text });
  return parts;
}

/** Returns the tokens of a line of the same shape. */
export function fillQuoted(parts: readonly Part[], { texts }: QuotedLine): HighlightedToken[] {
  const tokens: HighlightedToken[] = [];
  let end = '';
  let endKind = -1;
  const add = (text: string, kind: number) => {
    if (kind === endKind) end += text;
    else {
      if (end !== '') tokens.push({ text: end, kind: endKind });
      end = text;
      endKind = kind;
    }
  };
  let index = 0;
  for (const part of parts) {
    if ('same' in part) add(part.same, part.kind);
    else {
      const pieces = (texts[index++] as { text: string }).text.split(ESCAPES);
      for (const [place, piece] of pieces.entries())
        add(piece, place % 2 === 0 ? part.kind : part.escapeKind);
    }
  }
  add('', -2);
  return tokens;
}
