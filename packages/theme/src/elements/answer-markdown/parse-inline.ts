/** An inline run of an answer. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { kind: 'link'; address: string; children: Inline[] };

const DEEPEST = 6;
const MAX_LABEL_LENGTH = 300;
const MAX_ADDRESS_LENGTH = 2000;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', '\u00a0'],
]);
const BARE_ADDRESS = /https?:\/\/[^\s<>"`*\\]+/y;
const ANGLE_ADDRESS = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;
const ENTITY = /&(?:amp|lt|gt|quot|nbsp|#39);/y;
/** The only way to write a line break in a cell of a table. */
const LINE_BREAK = /<br *\/?>/iy;
/** Characters that may start something other than text. */
const SPECIAL = /[\\`[!<&*_~\nh]/g;

/**
 * Parses the inline content of a paragraph. Unknown syntax stays text, as does HTML except for line
 * breaks.
 * @param open whether more text will come: unclosed constructs then count as closed at the end, so
 *   that markers do not flicker
 */
export function parseInline(text: string, open = false): Inline[] {
  return new InlineParser(text, open, 0).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #open: boolean;
  readonly #depth: number;
  /**
   * Markers known to have no end after this position, so that a run of markers is not searched
   * again for each.
   */
  readonly #unclosed = new Set<string>();
  #out: Inline[] = [];
  #plain = '';
  #at = 0;

  constructor(text: string, open: boolean, depth: number) {
    this.#text = text;
    this.#open = open;
    this.#depth = depth;
  }

  parse(): Inline[] {
    const text = this.#text;
    while (this.#at < text.length) {
      SPECIAL.lastIndex = this.#at;
      const special = SPECIAL.exec(text)?.index ?? text.length;
      this.#plain += text.slice(this.#at, special);
      this.#at = special;
      if (special < text.length && !this.#special()) this.#plain += text[this.#at++];
    }
    this.#flush();
    return this.#out;
  }

  #flush(): void {
    if (this.#plain !== '') this.#out.push({ kind: 'text', text: this.#plain });
    this.#plain = '';
  }

  #push(inline: Inline, end: number): true {
    this.#flush();
    this.#out.push(inline);
    this.#at = end;
    return true;
  }

  #inner(text: string, open = false): Inline[] {
    return this.#depth >= DEEPEST
      ? [{ kind: 'text', text }]
      : new InlineParser(text, open, this.#depth + 1).parse();
  }

  /** Parses the construct at this position; false if it is just a character. */
  #special(): boolean {
    switch (this.#text[this.#at]) {
      case '\\':
        return this.#escape();
      case '`':
        return this.#code();
      case '!':
        return this.#text[this.#at + 1] === '[' && this.#link(this.#at + 1);
      case '[':
        return this.#link(this.#at);
      case '<':
        return this.#lineBreak() || this.#address(ANGLE_ADDRESS);
      case 'h':
        return this.#address(BARE_ADDRESS);
      case '&':
        return this.#entity();
      case '\n':
        return this.#lineEnd();
      default:
        return this.#marked();
    }
  }

  #escape(): boolean {
    const next = this.#text[this.#at + 1];
    if (next === '\n') return this.#push({ kind: 'break' }, this.#at + 2);
    if (next === undefined) {
      if (this.#open) this.#at++;
      return this.#open;
    }
    if (!PUNCTUATION.test(next)) return false;
    this.#plain += next;
    this.#at += 2;
    return true;
  }

  #lineBreak(): boolean {
    LINE_BREAK.lastIndex = this.#at;
    const tag = LINE_BREAK.exec(this.#text)?.[0];
    return tag !== undefined && this.#push({ kind: 'break' }, this.#at + tag.length);
  }

  #entity(): boolean {
    ENTITY.lastIndex = this.#at;
    const name = ENTITY.exec(this.#text)?.[0];
    if (name === undefined) return false;
    this.#plain += ENTITIES.get(name);
    this.#at += name.length;
    return true;
  }

  #lineEnd(): true {
    if (this.#plain.endsWith('  ')) {
      this.#plain = this.#plain.trimEnd();
      return this.#push({ kind: 'break' }, this.#at + 1);
    }
    this.#plain = `${this.#plain.trimEnd()} `;
    this.#at++;
    while (this.#text[this.#at] === ' ') this.#at++;
    return true;
  }

  /** Returns the run of one character at a position. */
  #run(from: number): string {
    let end = from;
    while (this.#text[end] === this.#text[from]) end++;
    return this.#text.slice(from, end);
  }

  #code(): true {
    const fence = this.#run(this.#at);
    const from = this.#at + fence.length;
    let end = this.#unclosed.has(fence) ? -1 : this.#text.indexOf(fence, from);
    while (end >= 0 && this.#run(end).length !== fence.length)
      end = this.#text.indexOf(fence, end + this.#run(end).length);
    if (end >= 0)
      return this.#push(
        { kind: 'code', text: codeText(this.#text.slice(from, end)) },
        end + fence.length,
      );
    if (this.#open && this.#depth === 0) {
      const begun = this.#text.slice(from);
      if (begun.trim() !== '') return this.#push({ kind: 'code', text: begun }, this.#text.length);
      this.#at = this.#text.length;
      return true;
    }
    this.#unclosed.add(fence);
    this.#plain += fence;
    this.#at = from;
    return true;
  }

  /**
   * `[label](address)`; an image becomes its label linked to it, because answers load no resources.
   */
  #link(from: number): boolean {
    const labelEnd = closing(this.#text, from, '[', ']', MAX_LABEL_LENGTH);
    if (labelEnd === undefined) return this.#beginsLink(from);
    const label = this.#text.slice(from + 1, labelEnd);
    if (this.#text[labelEnd + 1] !== '(') {
      if (labelEnd + 1 < this.#text.length || !this.#open) return false;
      return this.#children(label, this.#text.length);
    }
    const end = closing(this.#text, labelEnd + 1, '(', ')', MAX_ADDRESS_LENGTH);
    if (end === undefined)
      return (
        this.#open &&
        !this.#text.slice(labelEnd).includes('\n') &&
        this.#children(label, this.#text.length)
      );
    const address = this.#text
      .slice(labelEnd + 2, end)
      .trim()
      .replace(/(?<!\s)\s+(?:"[^"]*"|'[^']*')$/, '')
      .replace(/^<(.*)>$/, '$1');
    if (/\s/.test(address)) return false;
    return this.#push({ kind: 'link', address, children: this.#inner(label) }, end + 1);
  }

  /** An incomplete label is shown without its bracket until the rest of the link arrives. */
  #beginsLink(from: number): boolean {
    const rest = this.#text.slice(from + 1);
    if (!this.#open || rest.includes('\n') || rest.length > MAX_LABEL_LENGTH) return false;
    return this.#children(rest, this.#text.length);
  }

  #children(text: string, end: number): true {
    this.#flush();
    this.#out.push(...this.#inner(text, true));
    this.#at = end;
    return true;
  }

  #address(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return false;
    const address = match[1] ?? withoutEnd(match[0]);
    const children: Inline[] = [
      { kind: 'text', text: address.replace(/^(?:mailto:|https?:\/\/)/, '') },
    ];
    return this.#push(
      { kind: 'link', address, children },
      this.#at + (match[1] === undefined ? address : match[0]).length,
    );
  }

  /** `**strong**`, `*emphasis*`, `~~deleted~~`; an underscore inside a word is part of the word. */
  #marked(): boolean {
    const run = this.#run(this.#at);
    const sign = run[0] as string;
    const mark = sign === '~' ? '~~' : run.length >= 2 ? sign.repeat(2) : sign;
    if (run.length < mark.length || !this.#canOpen(mark)) return this.#asText(run);
    const from = this.#at + mark.length;
    const end = this.#unclosed.has(mark) ? undefined : this.#endOf(mark, from);
    const kind = sign === '~' ? 'deleted' : mark.length === 2 ? 'strong' : 'emphasis';
    if (end !== undefined)
      return this.#push(
        { kind, children: this.#inner(this.#text.slice(from, end)) },
        end + mark.length,
      );
    if (this.#open) {
      const rest = this.#text.slice(from);
      // The closing marker may be incomplete.
      const children = this.#inner(
        rest.endsWith(sign) && !rest.endsWith(mark) ? rest.slice(0, -1) : rest,
        true,
      );
      return this.#push({ kind, children }, this.#text.length);
    }
    this.#unclosed.add(mark);
    return this.#asText(run);
  }

  #asText(run: string): true {
    if (!(this.#open && this.#at + run.length === this.#text.length)) this.#plain += run;
    this.#at += run.length;
    return true;
  }

  #canOpen(mark: string): boolean {
    const after = this.#text[this.#at + mark.length];
    if (after === undefined || /\s/.test(after)) return false;
    return mark[0] !== '_' || !isWord(this.#text[this.#at - 1]);
  }

  #endOf(mark: string, from: number): number | undefined {
    const text = this.#text;
    for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
      const run = this.#run(at);
      // `**a*b**`: a single marker does not end a double one, nor two single ones.
      if (mark.length === 1 && run.length % 2 === 0) at += run.length - 1;
      else if (
        /\s/.test(text[at - 1] ?? ' ') ||
        (mark[0] === '_' && isWord(text[at + run.length])) ||
        isInCode(text, from, at)
      )
        at += run.length - 1;
      else if (at > from)
        return mark.length === 1 ? at : at + (run.length > 2 ? run.length - 2 : 0);
    }
    return undefined;
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/**
 * Returns whether an odd number of backticks precedes a position: markers in code have no meaning.
 */
function isInCode(text: string, from: number, at: number): boolean {
  let count = 0;
  for (
    let tick = text.indexOf('`', from);
    tick >= 0 && tick < at;
    tick = text.indexOf('`', tick + 1)
  )
    count++;
  return count % 2 === 1;
}

function codeText(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > 2 && line.startsWith(' ') && line.endsWith(' ') && line.trim() !== ''
    ? line.slice(1, -1)
    : line;
}

/** Returns where the bracket at a position is closed, within a maximum distance. */
function closing(
  text: string,
  from: number,
  open: string,
  close: string,
  longest: number,
): number | undefined {
  let depth = 0;
  const last = Math.min(text.length, from + longest);
  for (let at = from; at < last; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === open) depth++;
    else if (sign === close && --depth === 0) return at;
  }
  return undefined;
}

/**
 * A URL in running text does not include trailing punctuation, nor a closing bracket without its
 * opening one.
 */
function withoutEnd(address: string): string {
  let end = address.length;
  while (end > 0) {
    const last = address[end - 1] as string;
    const isOpened =
      last === ')' &&
      address.slice(0, end).split('(').length >= address.slice(0, end).split(')').length;
    if (!/[.,:;!?'")\]}]/.test(last) || isOpened) break;
    end--;
  }
  return address.slice(0, end);
}
