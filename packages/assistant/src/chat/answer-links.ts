/**
 * Matches code, which stays unchanged, or the beginning of a link or image with a path or an anchor
 * as its address.
 */
const CODE_OR_LINK = /`+[^`]*`+|(\]\(<?)([/#][^\s)>]*)/g;
const ANY_FENCE = /^\s*(`{3,}|~{3,})/;

/**
 * Makes the links of a page's Markdown absolute, so that they work wherever the text is shown.
 * @param publicUrl address of the site, no trailing slash
 * @param href the page's own path, the base of anchors (`#keys`)
 */
export function absoluteLinks(markdown: string, publicUrl: string, href: string): string {
  if (!markdown.includes('](')) return markdown;
  let fence = '';
  const lines = markdown.split('\n').map((line) => {
    const mark = ANY_FENCE.exec(line)?.[1];
    if (mark && fence === '') fence = mark;
    else if (mark?.startsWith(fence) && fence !== '') fence = '';
    else if (fence === '')
      return line.replaceAll(CODE_OR_LINK, (all, opening?: string, address = '') => {
        if (opening === undefined || address.startsWith('//')) return all;
        return `${opening}${publicUrl}${address.startsWith('#') ? href : ''}${address}`;
      });
    return line;
  });
  return lines.join('\n');
}

/** Maximum length of a link; longer held-back text is shown unchanged. */
const MAX_LINK = 1200;
const LINK =
  /^\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]\(\s*(?!\s)<?([^\s)>]*)>?((?:\s+(?:"[^"]*"|'[^']*'))?)\s*\)/;
/** A prefix that may become a link, without characters that a link cannot contain. */
const OPEN_LINK = /^\[(?:[^[\]\\\n]|\\.|\n(?!\n)|\[[^[\]\n]*\]?)*(?:\](?:\([^()\n]*)?)?\\?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*(\w*)/;
const SUGGESTION = /^\s*\(.*\)\[([^[\]]*)\]\s*$/;

/**
 * Returns the absolute URL of a link in an answer; undefined if it names a page that the site does
 * not have. Returns URLs of other sites unchanged.
 */
export type ResolveLink = (address: string) => string | undefined;

/**
 * Checks the links of an answer while it streams: makes a path absolute, and replaces a link to a
 * missing page by its text. Handles lines of a closing `suggestions` block the same way. Code stays
 * unchanged.
 */
export class LinkCheck {
  readonly #resolve: ResolveLink;
  /** Text that cannot be decided yet. */
  #held = '';
  #isLineStart = true;
  /** The fence that closes the current code block. */
  #fence = '';
  #isSuggestions = false;
  /** The character before the held-back text. */
  #last = '';

  constructor(resolve: ResolveLink) {
    this.#resolve = resolve;
  }

  /** @returns the text that can be shown so far */
  push(text: string): string {
    this.#held += text;
    return this.#take(false);
  }

  /** @returns the held-back text */
  end(): string {
    return this.#take(true);
  }

  #take(isEnd: boolean): string {
    let out = '';
    while (this.#held !== '') {
      const piece =
        this.#isLineStart || this.#fence !== '' ? this.#line(isEnd) : this.#inline(isEnd);
      if (piece === undefined) break;
      out += piece;
    }
    return out;
  }

  /**
   * A line that opens or closes a code block, or is inside one. Nothing until its line end arrives.
   */
  #line(isEnd: boolean): string | undefined {
    const end = this.#held.indexOf('\n');
    const line = end === -1 ? this.#held : this.#held.slice(0, end + 1);
    const mayBeFence =
      this.#fence === '' ? /^ {0,3}(?:$|[`~])/.test(line) : /^\s*[`~]*$/.test(line);
    if (end === -1 && !isEnd && line.length < MAX_LINK && (mayBeFence || this.#isSuggestions))
      return undefined;
    const [, mark, language] = FENCE.exec(line) ?? [];
    if (this.#fence === '' && mark === undefined) {
      this.#isLineStart = false;
      return '';
    }
    this.#held = this.#held.slice(line.length);
    this.#isLineStart = end !== -1;
    if (this.#fence === '') {
      this.#fence = mark ?? '';
      this.#isSuggestions = language === 'suggestions';
      return line;
    }
    if (mark?.startsWith(this.#fence) && language === '') {
      this.#fence = '';
      this.#isSuggestions = false;
      return line;
    }
    if (!this.#isSuggestions) return line;
    const address = SUGGESTION.exec(line)?.[1];
    return address !== undefined && this.#resolve(address) === undefined ? '' : line;
  }

  /** Text up to the next link, the link itself, or up to the end of the line. */
  #inline(isEnd: boolean): string | undefined {
    const text = this.#held;
    const stop = /[[`\n]/.exec(text)?.index ?? text.length;
    if (stop > 0) return this.#give(text.slice(0, stop));
    if (text[0] === '\n') {
      this.#isLineStart = true;
      return this.#give('\n');
    }
    if (text[0] === '`') return this.#code(isEnd);
    // The address of an image is not checked.
    if (this.#last === '!') return this.#give('[');
    const [link, label = '', address = '', title = ''] = LINK.exec(text.slice(0, MAX_LINK)) ?? [];
    if (link !== undefined) {
      const target = this.#resolve(address);
      this.#held = text.slice(link.length);
      return target === undefined ? label : `[${label}](${target}${title})`;
    }
    if (!isEnd && text.length < MAX_LINK && OPEN_LINK.test(text)) return undefined;
    return this.#give('[');
  }

  /** A complete code span; a backtick that is not closed on its line is text. */
  #code(isEnd: boolean): string | undefined {
    const mark = /^`+/.exec(this.#held)?.[0] ?? '';
    const close = this.#held.indexOf(mark, mark.length);
    const lineEnd = this.#held.indexOf('\n');
    const isClosed = close !== -1 && (lineEnd === -1 || close < lineEnd);
    if (!isClosed && lineEnd === -1 && !isEnd && this.#held.length < MAX_LINK) return undefined;
    return this.#give(isClosed ? this.#held.slice(0, close + mark.length) : mark);
  }

  #give(text: string): string {
    this.#held = this.#held.slice(text.length);
    this.#last = text.at(-1) ?? this.#last;
    return text;
  }
}
