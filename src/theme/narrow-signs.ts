import { escapeHtml, type Html, trustedHtml } from '../core/html.ts';

/** Dashes, quotation marks, arrows, symbols of keys: beyond Latin-1, but in texts of languages that have no other such letter. */
const SIGN = /[\u2010-\u2bff]/;

/*
 * A single letter beyond Latin-1 makes the engine keep a whole document in two bytes a letter, and to write it as UTF-8 then takes
 * twice as long. What stands on every page must not do that to every page, so its signs are written in ASCII. Letter by letter:
 * what `replace` gives has the width of what it was given. For texts that are rendered once.
 */

/** Escaped text whose signs are written as character references. */
export function narrowText(text: string): Html {
  return trustedHtml(narrow(escapeHtml(text), (code) => `&#${code};`));
}

/** JSON whose signs are written as escapes. */
export function narrowJson(json: string): string {
  return narrow(json, (code) => `\\u${code.toString(16)}`);
}

function narrow(text: string, written: (code: number) => string): string {
  return Array.from(text, (letter) => (SIGN.test(letter) ? written(letter.charCodeAt(0)) : letter)).join('');
}
