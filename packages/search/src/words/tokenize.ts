import { stem } from './stem.ts';

/** The class of a UTF-16 unit for the tokenizer. */
const SEPARATOR = 1;
const WORD = 2;
/**
 * Joins two word characters into one word (`max-retries`, `v1.2`, `don't`); otherwise a separator.
 */
const CONNECTOR = 3;
/** Written without spaces between words: indexed as pairs of characters. */
export const UNSPACED = 4;

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u;
const CONNECTORS = "-.'’";

/**
 * The cached classes, 0 for unknown: testing a regular expression for each character of a site
 * would dominate the build.
 */
const knownClasses = new Uint8Array(65536);

function classify(code: number): number {
  const char = String.fromCharCode(code);
  if (CONNECTORS.includes(char)) return CONNECTOR;
  // Surrogates: the planes of rare ideographs are text, the others mostly emoji.
  if (code >= 0xd800 && code <= 0xdfff)
    return (code >= 0xd840 && code <= 0xd888) || code >= 0xdc00 ? UNSPACED : SEPARATOR;
  if (char === 'ー' || UNSPACED_SCRIPT.test(char)) return UNSPACED;
  return WORD_CHARACTER.test(char) ? WORD : SEPARATOR;
}

/** Returns the class of one UTF-16 unit. */
export function characterClass(code: number): number {
  const cachedClass = knownClasses[code] as number;
  if (cachedClass !== 0) return cachedClass;
  const computedClass = classify(code);
  knownClasses[code] = computedClass;
  return computedClass;
}

const MARKS = /\p{M}/gu;
const LETTERS_WITHOUT_DECOMPOSITION = /[ßøæœłđðþı]/g;
const REPLACEMENTS = new Map([
  ['ß', 'ss'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
]);
const NOT_ASCII = /[^\u0000-\u007f]/;

/** Returns a word in lower case without diacritics: `Crème` → `creme`. */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(LETTERS_WITHOUT_DECOMPOSITION, (letter) => REPLACEMENTS.get(letter) as string);
}

const CAMEL_BOUNDARY = /(?<=\p{Ll}|\d)(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const JOINTS = /[-._]+/;
/** Possessives and contractions: the part after the apostrophe is not content. */
const APOSTROPHE_TAIL = /['’]\p{L}*$/u;
const MAX_PARTS = 6;

/**
 * Returns the words inside an identifier: `maxRetries` → max, Retries; `HTTPServer` → HTTP, Server;
 * `rate_limit.max` → rate, limit, max. A run with too many parts for an identifier (a URL, a hash)
 * stays whole.
 */
function splitIdentifier(word: string): string[] {
  const plain = word.replace(APOSTROPHE_TAIL, '').replaceAll(/['’]/g, '');
  const pieces = plain.split(JOINTS).filter((piece) => piece !== '');
  const parts = pieces.flatMap((piece) =>
    /\p{Lu}/u.test(piece.slice(1)) ? piece.split(CAMEL_BOUNDARY) : [piece],
  );
  if (parts.length === 0) return [plain];
  return parts.length > MAX_PARTS ? pieces : parts;
}

/** Longer runs are data (encoded files, signatures), not words. */
const MAX_WORD_LENGTH = 64;

/**
 * Calls `onWord` for each word of `text` as written: `maxRetries`, `self-hosted`, `v1.2.3`, or a
 * run of characters of a script without spaces. `start` is its offset.
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
  /**
   * Its parts if there are several (`max`, `retries`), or the character pairs of a run without
   * spaces.
   */
  parts: readonly string[];
}

// Nearly every word is one of these, and needs no splitting or folding.
const PLAIN_WORD = /^[A-Za-z]?[a-z0-9]+$/;
const NO_PARTS: readonly string[] = [];

/** Analyzes a run from `scanWords`. */
export function wordForms(word: string): WordForms {
  if (PLAIN_WORD.test(word)) return { whole: word.toLowerCase(), parts: NO_PARTS };
  if (characterClass(word.charCodeAt(0)) === UNSPACED)
    return { whole: '', parts: characterPairs(word) };
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

/**
 * Returns all forms of all words of a text, in order: a simple tokenizer for non-critical paths.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  scanWords(text, (word) => {
    const { whole, parts } = wordForms(word);
    if (whole !== '') tokens.push(whole);
    tokens.push(...parts);
  });
  return tokens;
}

/** A word of a text, as input of the ranking. */
export interface WordStems {
  /** Stem of the whole word, then of its parts. */
  stems: readonly string[];
  isStopWord: boolean;
}

const MAX_REMEMBERED = 50_000;
/** Longer words are seldom repeated, and would take memory without a bound. */
const MAX_REMEMBERED_LENGTH = 64;
const remembered = new Map<string, WordStems>();

/** Analyzes a word from `scanWords`. Results are cached, because texts repeat their words. */
export function wordStems(word: string): WordStems {
  const cachedStems = remembered.get(word);
  if (cachedStems !== undefined) return cachedStems;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const { whole, parts } = wordForms(word);
  const result = {
    stems: (whole === '' ? parts : [whole, ...parts]).map(stem),
    isStopWord: stopWords.has(whole),
  };
  if (word.length <= MAX_REMEMBERED_LENGTH) remembered.set(word, result);
  return result;
}

/**
 * Function words, and contractions up to the apostrophe. Not indexed in prose, but in titles and
 * headings, so that “What is it” can be found.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above again all also although am an and any are as at be because been being both but by can cannot could did do does doing
  don done each either else even ever every few for from further had has have having he her here hers him his how however i if in into is it its
  itself just let lets like ll many may maybe me might mine more most much must my myself neither no nor of often on one only or other our ours
  out over own per quite rather re really s shall she should so some such t than that the their theirs them then there these they this those
  though through thus to too until up upon us ve very was we were what whatever when whenever where whether which while who whoever whom whose
  why will with within would yet you your yours yourself im dont doesnt cant isnt arent wont didnt couldnt shouldnt wouldnt hasnt havent ive id
  aren couldn didn doesn hadn hasn haven isn shouldn wasn weren won wouldn`.split(/\s+/),
);

/** Content words that occur in almost every question. */
export const commonWords: ReadonlySet<string> = new Set(
  `able anything around ask asked asking best better call called come correct everything explain find get gets getting give given go goes going
  good happen happening happens help instead keep know later look looking make makes making mean need needed needs nothing now please possible properly
  really right say see show someone something still supposed sure tell thing things think tried try trying understand want wanted wants way
  ways without work working works wrong`.split(/\s+/),
);
