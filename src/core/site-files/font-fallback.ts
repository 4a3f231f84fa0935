import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer';

/** Words after which a font list needs no fallback: a generic family, an inherited family, or a variable's list. */
const COMPLETE =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|math|emoji|fangsong|ui-(?:serif|sans-serif|monospace|rounded)|inherit|initial|unset|revert|revert-layer|-apple-system|blinkmacsystemfont)$/i;

/** The fallback for a missing face: text of the kind that its name suggests, in the theme's faces. */
export function fallbackFamily(families: string): string {
  if (/mono|code|courier|consol|typewriter|terminal/i.test(families)) return 'var(--d-font-mono)';
  return /serif|slab|roman|garamond|georgia|times/i.test(families) && !/sans/i.test(families) ? 'serif' : 'var(--d-font-text)';
}

/**
 * Appends a generic family of the same kind to each font list without one (`font-family: "Geist"`): otherwise browsers fall back
 * to their default, mostly Times. A single pass over the tokens, as browsers parse them.
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

/** Tracks the declarations of `font-family` in style rules; the descriptor of `@font-face` takes no list. */
class FontListReader {
  #isFontFace = false;
  #state: 'outside' | 'name' | 'value' = 'outside';
  #list: FontList | undefined;
  #isComplete = false;

  /** @returns the end of a list without a generic family that ends here */
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
        // `!important` follows the list.
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

  /** Handles the end of a declaration, or of the text. */
  end(): FontList | undefined {
    const list = this.#isComplete ? undefined : this.#list;
    this.#state = 'outside';
    this.#list = undefined;
    this.#isComplete = false;
    return list;
  }
}
