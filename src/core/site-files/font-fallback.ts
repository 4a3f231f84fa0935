import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer';

/** Words after which a list of families needs nothing more: a generic family, the family of another element, or a variable's list. */
const COMPLETE =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-(?:serif|sans-serif|monospace|rounded)|inherit|initial|unset|revert|revert-layer|-apple-system|blinkmacsystemfont)$/i;

/** What stands in for a face that cannot be had: text of the kind that its name says, in the theme's faces. */
export function fallbackFamily(families: string): string {
  if (/mono|code|courier|consol|typewriter|terminal/i.test(families)) return 'var(--d-font-mono)';
  return /serif|slab|roman|garamond|georgia|times/i.test(families) && !/sans/i.test(families) ? 'serif' : 'var(--d-font-text)';
}

/**
 * Ends each list of font families that names no generic one (`font-family: "Geist"`) with one of the same kind: browsers would
 * show their own face, mostly Times, where the named one is not there. One pass over the tokens, as browsers read them.
 */
export function withFontFallbacks(css: string): string {
  if (!/font-family/i.test(css)) return css;
  const reader = new FontListReader();
  const stream = tokenizer({ css });
  let out = '';
  let from = 0;
  const add = (list: FontList | undefined): void => {
    if (!list) return;
    out += `${css.slice(from, list.end)}, ${fallbackFamily(css.slice(list.start, list.end))}`;
    from = list.end;
  };
  while (!stream.endOfFile()) add(reader.read(stream.nextToken()));
  add(reader.end());
  return from === 0 ? css : out + css.slice(from);
}

interface FontList {
  start: number;
  end: number;
}

/** Follows the declarations of `font-family` in style rules; the descriptor of `@font-face` takes no list. */
class FontListReader {
  #isFontFace = false;
  #state: 'outside' | 'name' | 'value' = 'outside';
  #list: FontList | undefined;
  #isComplete = false;

  /** @returns the place of a list that ends here and has no generic family */
  read([type, , start, last, data]: CSSToken): FontList | undefined {
    switch (type) {
      case TokenType.AtKeyword:
        this.#isFontFace = (data as { value: string }).value.toLowerCase() === 'font-face';
        return undefined;
      case TokenType.Colon:
        if (this.#state === 'name') this.#state = 'value';
        return undefined;
      case TokenType.Semicolon:
      case TokenType.OpenCurly:
      case TokenType.CloseCurly:
        if (type === TokenType.CloseCurly) this.#isFontFace = false;
        return this.end();
      case TokenType.Whitespace:
      case TokenType.Comment:
        return undefined;
      case TokenType.Delim:
        // `!important` stands after the list.
        return this.#state === 'value' && (data as { value: string }).value === '!' ? this.end() : undefined;
      default:
        this.#take(type, start, last + 1, data);
        return undefined;
    }
  }

  #take(type: CSSToken[0], start: number, end: number, data: CSSToken[4]): void {
    const word = type === TokenType.Ident ? (data as { value: string }).value : '';
    if (this.#state !== 'value') {
      this.#state = word.toLowerCase() === 'font-family' && !this.#isFontFace ? 'name' : 'outside';
      return;
    }
    if (COMPLETE.test(word)) this.#isComplete = true;
    this.#list = { start: this.#list?.start ?? start, end };
  }

  /** What the end of a declaration, or of the text, closes. */
  end(): FontList | undefined {
    const list = this.#isComplete ? undefined : this.#list;
    this.#state = 'outside';
    this.#list = undefined;
    this.#isComplete = false;
    return list;
  }
}
