import { escapeHtml, type Html, trustedHtml } from '@docent/format/html.ts';

/**
 * Dashes, quotation marks, arrows, key symbols: beyond Latin-1, but used in languages without other
 * such letters.
 */
const SIGN = /[\u2010-\u2bff]/;

/*
 * A single character beyond Latin-1 makes the engine store a whole document in two bytes per
 * character, which doubles the time to encode it as UTF-8. Parts of every page must not cause that,
 * so their symbols are written in ASCII. Character by character, because the result of `replace`
 * has the width of its input. For texts that are rendered once.
 */

/** Returns escaped text with symbols as character references. */
export function narrowText(text: string): Html {
  return trustedHtml(narrow(escapeHtml(text), (code) => `&#${code};`));
}

/** Returns JSON with symbols as escapes. */
export function narrowJson(json: string): string {
  return narrow(json, (code) => `\\u${code.toString(16)}`);
}

function narrow(text: string, written: (code: number) => string): string {
  return Array.from(text, (letter) =>
    SIGN.test(letter) ? written(letter.charCodeAt(0)) : letter,
  ).join('');
}
