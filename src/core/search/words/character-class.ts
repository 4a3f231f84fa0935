/** The class of a UTF-16 unit for the tokenizer. */
export const SEPARATOR = 1;
export const WORD = 2;
/** Joins two word characters into one word (`max-retries`, `v1.2`, `don't`); otherwise a separator. */
export const CONNECTOR = 3;
/** Written without spaces between words: indexed as pairs of characters. */
export const UNSPACED = 4;

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u;
const CONNECTORS = "-.'’";

/**
 * The cached classes, 0 for unknown. Filled on demand: testing a regular expression for each character of a site would dominate
 * the build. Hot loops check here first.
 */
export const knownClasses = new Uint8Array(65536);

function classify(code: number): number {
  const char = String.fromCharCode(code);
  if (CONNECTORS.includes(char)) return CONNECTOR;
  // Surrogates: the planes of rare ideographs are text, the others mostly emoji.
  if (code >= 0xd800 && code <= 0xdfff) return (code >= 0xd840 && code <= 0xd888) || code >= 0xdc00 ? UNSPACED : SEPARATOR;
  if (char === 'ー' || UNSPACED_SCRIPT.test(char)) return UNSPACED;
  return WORD_CHARACTER.test(char) ? WORD : SEPARATOR;
}

/** Returns the class of one UTF-16 unit. */
export function characterClass(code: number): number {
  const known = knownClasses[code] as number;
  if (known !== 0) return known;
  const found = classify(code);
  knownClasses[code] = found;
  return found;
}
