import { CONNECTOR, characterClass, SEPARATOR, UNSPACED, WORD } from './character-class.ts';
import { foldWord } from './fold-word.ts';

const CAMEL_BOUNDARY = /(?<=\p{Ll}|\d)(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const JOINTS = /[-._]+/;
/** Possessives and contractions: the part after the apostrophe is not content. */
const APOSTROPHE_TAIL = /['’]\p{L}*$/u;
const MAX_PARTS = 6;

/**
 * Returns the words inside an identifier: `maxRetries` → max, Retries; `HTTPServer` → HTTP, Server; `rate_limit.max` → rate,
 * limit, max. A run with too many parts for an identifier (a URL, a hash) stays whole.
 */
function splitIdentifier(word: string): string[] {
  const plain = word.replace(APOSTROPHE_TAIL, '').replaceAll(/['’]/g, '');
  const pieces = plain.split(JOINTS).filter((piece) => piece !== '');
  const parts = pieces.flatMap((piece) => (/\p{Lu}/u.test(piece.slice(1)) ? piece.split(CAMEL_BOUNDARY) : [piece]));
  if (parts.length === 0) return [plain];
  return parts.length > MAX_PARTS ? pieces : parts;
}

/** Longer runs are data (encoded files, signatures), not words. */
export const MAX_WORD_LENGTH = 64;

/**
 * Calls `onWord` for each word of `text` as written: `maxRetries`, `self-hosted`, `v1.2.3`, or a run of characters of a script
 * without spaces. `start` is its offset.
 */
export function scanWords(text: string, onWord: (word: string, start: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const kind = characterClass(text.charCodeAt(at));
    if (kind === SEPARATOR || kind === CONNECTOR) {
      at++;
      continue;
    }
    const start = at;
    at = kind === UNSPACED ? endOfUnspaced(text, at) : endOfWord(text, at);
    if (kind === UNSPACED || at - start <= MAX_WORD_LENGTH) onWord(text.slice(start, at), start);
  }
}

function endOfUnspaced(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && characterClass(text.charCodeAt(at)) === UNSPACED) at++;
  return at;
}

function endOfWord(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const kind = characterClass(text.charCodeAt(at));
    if (kind === CONNECTOR) {
      if (at + 1 >= text.length || characterClass(text.charCodeAt(at + 1)) !== WORD) return at;
    } else if (kind !== WORD) return at;
    at++;
  }
  return at;
}

/** The forms under which a word is indexed and found. */
export interface WordForms {
  /** The whole word, folded: `maxretries`. Empty for a run without spaces. */
  whole: string;
  /** Its parts if there are several (`max`, `retries`), or the character pairs of a run without spaces. */
  parts: readonly string[];
}

// Nearly every word is one of these, and needs no splitting or folding.
const PLAIN_WORD = /^[A-Za-z]?[a-z0-9]+$/;
const NO_PARTS: readonly string[] = [];

/** Analyzes a run from `scanWords`. */
export function wordForms(word: string): WordForms {
  if (PLAIN_WORD.test(word)) return { whole: word.toLowerCase(), parts: NO_PARTS };
  if (characterClass(word.charCodeAt(0)) === UNSPACED) return { whole: '', parts: characterPairs(word) };
  const parts = splitIdentifier(word).map(foldWord);
  if (parts.length === 1) return { whole: parts[0] as string, parts: NO_PARTS };
  // A version number keeps its dots: `1.2.3` and `12.3` differ.
  const isVersion = /^v?\d+(\.\d+)+$/i.test(word);
  if (isVersion) return { whole: word.toLowerCase(), parts: NO_PARTS };
  return { whole: parts.join(''), parts: parts.filter((part) => part.length > 1) };
}

function characterPairs(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Returns all forms of all words of a text, in order: a simple tokenizer for non-critical paths. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  scanWords(text, (word) => {
    const { whole, parts } = wordForms(word);
    if (whole !== '') tokens.push(whole);
    tokens.push(...parts);
  });
  return tokens;
}
