import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer';

/** A part of a style sheet that makes browsers load something. */
export interface CssAddress {
  kind: 'import' | 'font' | 'picture';
  /** The address with escapes resolved. */
  target: string;
  /** `url(…)`, or the string of an `@import` or an `image-set()`. */
  start: number;
  end: number;
  isString: boolean;
  /** Whether it may be a mask: a value of `mask…`, or of a variable. */
  mayMask: boolean;
  /** The whole rule of an import. */
  rule?: { start: number; end: number };
}

/**
 * Finds everything that a style sheet loads, in order, as browsers parse it (CSS Syntax Level 3):
 * escapes and comments hide nothing. A single pass that keeps one token at a time.
 */
export function* cssAddresses(css: string): Generator<CssAddress> {
  const reader = new AddressReader();
  const stream = tokenizer({ css });
  while (!stream.endOfFile()) {
    const address = reader.read(stream.nextToken());
    if (address) yield address;
  }
  const last = reader.finish(css.length);
  if (last) yield last;
}

const LOADING: ReadonlySet<string> = new Set(['url', 'src']);
const STRINGS_LOAD: ReadonlySet<string> = new Set(['image-set', '-webkit-image-set']);

class AddressReader {
  /** The open functions and parentheses. */
  #open: string[] = [];
  #isFontFace = false;
  #isNamespace = false;
  #import: { start: number; address?: CssAddress } | undefined;
  #url: CssAddress | undefined;
  #word = '';
  #property = '';

  read(token: CSSToken): CssAddress | undefined {
    const [type, , start, last] = token;
    const end = last + 1;
    switch (type) {
      case TokenType.AtKeyword:
        return this.#atRule(token[4].value.toLowerCase(), start);
      case TokenType.Ident:
        this.#word = token[4].value;
        break;
      case TokenType.Colon:
        if (this.#open.length === 0) this.#property = this.#word;
        break;
      case TokenType.URL:
        return this.#found(this.#address(token[4].value, start, end, false));
      case TokenType.Function: {
        const name = token[4].value.toLowerCase();
        this.#open.push(name);
        if (LOADING.has(name)) this.#url = this.#address('', start, end, false);
        break;
      }
      case TokenType.OpenParen:
        this.#open.push('');
        break;
      case TokenType.CloseParen:
        return this.#closeParen(end);
      case TokenType.String:
        return this.#string(token[4].value, start, end);
      case TokenType.Semicolon:
        return this.#endStatement(end);
      case TokenType.OpenCurly:
        return this.#endStatement(start);
      case TokenType.CloseCurly:
        this.#isFontFace = false;
        return this.#endStatement(start);
    }
    return undefined;
  }

  /** Closes what is still open at the end of the text. */
  finish(end: number): CssAddress | undefined {
    return this.#closeUrl(end) ?? this.#endStatement(end);
  }

  #address(target: string, start: number, end: number, isString: boolean): CssAddress {
    const mayMask = /^(?:(?:-webkit-)?mask|--)/i.test(this.#property);
    return { kind: this.#isFontFace ? 'font' : 'picture', target, start, end, isString, mayMask };
  }

  #atRule(name: string, start: number): CssAddress | undefined {
    const before = this.#endStatement(start);
    if (name === 'import') this.#import = { start };
    this.#isNamespace = name === 'namespace';
    if (name === 'font-face') this.#isFontFace = true;
    return before;
  }

  #string(target: string, start: number, end: number): CssAddress | undefined {
    if (this.#url) {
      this.#url.target = target;
      return undefined;
    }
    const loads =
      STRINGS_LOAD.has(this.#open.at(-1) ?? '') || (this.#import && this.#open.length === 0);
    return loads ? this.#found(this.#address(target, start, end, true)) : undefined;
  }

  /** The first address of an import is the one it loads; it is returned with its rule. */
  #found(address: CssAddress): CssAddress | undefined {
    if (this.#isNamespace) return undefined;
    if (!this.#import) return address;
    this.#import.address ??= { ...address, kind: 'import' };
    return undefined;
  }

  #closeParen(end: number): CssAddress | undefined {
    const name = this.#open.pop();
    return name !== undefined && LOADING.has(name) ? this.#closeUrl(end) : undefined;
  }

  #closeUrl(end: number): CssAddress | undefined {
    const url = this.#url;
    this.#url = undefined;
    return url && this.#found({ ...url, end });
  }

  #endStatement(end: number): CssAddress | undefined {
    this.#open = [];
    this.#property = '';
    this.#isNamespace = false;
    const rule = this.#import;
    this.#import = undefined;
    return rule?.address && { ...rule.address, rule: { start: rule.start, end } };
  }
}

/**
 * Rewrites the addresses of a style sheet.
 * @param resolve returns the address to write; undefined to remove it, which keeps the rest of its
 *   declaration
 */
export function rewriteCss(
  css: string,
  resolve: (address: CssAddress) => string | undefined,
): string {
  let out = '';
  let from = 0;
  for (const address of cssAddresses(css)) {
    const instead = resolve(address);
    if (instead === address.target) continue;
    const isLeftOut = instead === undefined && address.rule;
    const { start, end } = isLeftOut ? isLeftOut : address;
    out += css.slice(from, start) + (isLeftOut ? '' : written(address, instead));
    from = end;
  }
  return from === 0 ? css : out + css.slice(from);
}

const EMPTY_PICTURE = 'linear-gradient(#0000, #0000)';

/**
 * Each is valid in place of an address and loads nothing. A mask of `none` would show the whole
 * box, an empty picture hides it.
 */
function written({ isString, kind }: CssAddress, address: string | undefined): string {
  if (address === undefined) return kind === 'font' && !isString ? 'local("")' : EMPTY_PICTURE;
  const quoted = `"${address.replace(/["\\\n\r\f<>]/g, encodeURIComponent)}"`;
  return isString ? quoted : `url(${quoted})`;
}
