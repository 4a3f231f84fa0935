import { findExpressionEnd, parseModule } from '../expressions/syntax.ts';
import { isVoid } from '../nodes/html-policy.ts';
import type { SourceNode, SourceProblem } from '../nodes/source-node.ts';
import { HeldCode, shield } from './source-marks.ts';
import { onlyLines } from './source-text.ts';

interface GuardOptions {
  math: boolean;
  /** Braces are text, tags are HTML. */
  isMarkdown: boolean;
  /** Removes tags, imports and comments and escapes braces, leaving plain Markdown. */
  isPlain?: boolean;
}

/** Maximum nesting depth of tags; deeper ones are shown as text. */
const MAX_TAG_DEPTH = 100;
/**
 * Maximum failed attempts to parse an expression beyond its paragraph, each of which may scan the
 * whole text.
 */
const MAX_LONG_ATTEMPTS = 40;
/** Maximum characters scanned in vain, as a multiple of the text's length. */
const MAX_WASTE = 20;

const FENCE = /[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})([^\n]*)/y;
const BLOCK_START = /\n[ \t]*(?:\n|(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|>|\||`{3}|~{3}|$)/g;
const QUOTE = /^[ \t]*(?:>[ \t]?)*/;
const MATH_BLOCK = /[ \t]*\$\$[^\n$]*\n(?:(?![ \t]*\$\$)[^\n]*\n)*[ \t]*\$\$/y;
const TOP_LEVEL = /#{1,6} |<[A-Za-z]|[A-Za-z]/y;
const ESM = /(?:import|export)(?=[\s{*"'])/y;
const COMMENT = /\{\s*\/\*/y;
const COMMENT_END = /\*\/\s*\}/y;
/** `{#id}` at the end of a heading. */
const HEADING_ID = /\{[#.][^{}()[\]\n]{0,200}\}(?=[ \t]*(?:\n|$))/y;
const SPECIAL = /[`<{\n$\\]/g;
const TAG_START = /<(\/?)([A-Za-z_$][\w$.:-]*|(?=\/?>))/y;
const ATTRIBUTE = /(\s*)([A-Za-z_$@:][\w$.:@-]*)(?:(\s*=\s*)("[^"]*"|'[^']*'|(?=\{)))?/y;
const TAG_END = /\s*(\/?)>/y;
/** Elements that HTML allows to leave open. */
const UNCLOSED = /^(?:p|li|td|th|tr|dt|dd|option|tbody|thead|tfoot)$/;

/** Minimum length for splitting a text: a fault in one part does not slow down the others. */
const PART_LENGTH = 50_000;
/** Longer runs of backticks are not code. */
const MAX_TICKS = 100;

/**
 * A large or deep text, prepared for the native, recursive parser: takes out all JavaScript, and
 * masks what looks like JavaScript in code and attribute values. Thus the text cannot overflow the
 * parser, regardless of its size and of differences between this scan and the parser.
 */
export class GuardedSource {
  /** The text, split where possible: at an unindented line after an empty one, outside all tags. */
  readonly parts: string[] = [];
  readonly problems: SourceProblem[] = [];
  /** Imports and exports, which plain Markdown does not support. */
  readonly modules: { code: string; line: number }[] = [];
  readonly #source: string;
  readonly #options: GuardOptions;
  readonly #code = new HeldCode();
  /** Lengths of backtick runs without a closing run before the offset. */
  #unclosedTicks = new Map<number, number>();
  #paragraph = { from: 0, to: -1 };
  #block = { from: 0, to: -1 };
  #line = { offset: 0, number: 1 };
  #out = '';
  #at = 0;
  #depth = 0;
  #longAttempts = 0;
  #waste = 0;

  constructor(source: string, options: GuardOptions) {
    this.#source = source;
    this.#options = options;
    this.#lineStart();
    while (this.#at < this.#source.length) this.#step();
    this.parts.push(this.#out);
  }

  /** Restores what was taken out in the tree that the parser built from the parts. */
  restore(root: SourceNode): void {
    this.#code.restore(root);
  }

  #step() {
    SPECIAL.lastIndex = this.#at;
    const offset = SPECIAL.exec(this.#source)?.index ?? this.#source.length;
    this.#copyTo(offset);
    switch (this.#source[offset]) {
      case '\n':
        this.#copyTo(offset + 1);
        return this.#lineStart();
      case '\\':
        return this.#copyTo(
          Math.min(offset + (this.#source[offset + 1] === '\n' ? 1 : 2), this.#source.length),
        );
      case '`':
        return this.#codeSpan();
      case '$':
        return this.#formula();
      case '<':
        return this.#tag();
      case '{':
        return this.#brace();
      default:
    }
  }

  #copyTo(end: number) {
    this.#put(end, this.#source.slice(this.#at, end));
  }

  #put(end: number, text: string) {
    this.#out += text;
    this.#at = end;
  }

  #match(pattern: RegExp, at = this.#at): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#source);
  }

  #lineEnd(at: number): number {
    const end = this.#source.indexOf('\n', at);
    return end < 0 ? this.#source.length : end;
  }

  /** End of the paragraph around the offset. Cached, because every character in it asks. */
  #paragraphEnd(at: number): number {
    const paragraph = this.#paragraph;
    if (at >= paragraph.from && at <= paragraph.to) return paragraph.to;
    const end = this.#source.indexOf('\n\n', at);
    this.#paragraph = { from: at, to: end < 0 ? this.#source.length : end };
    return this.#paragraph.to;
  }

  /**
   * End of the lines that inline code may span: at an empty line, or at one that starts another
   * block.
   */
  #blockEnd(at: number): number {
    if (at < this.#block.from || at > this.#block.to) {
      BLOCK_START.lastIndex = at;
      this.#block = { from: at, to: BLOCK_START.exec(this.#source)?.index ?? this.#source.length };
    }
    return this.#block.to;
  }

  #lineStart() {
    const { isMarkdown, isPlain, math } = this.#options;
    const isAfterEmpty = this.#source.startsWith('\n\n', this.#at - 2);
    if (
      this.#depth === 0 &&
      isAfterEmpty &&
      this.#out.length > PART_LENGTH &&
      this.#match(TOP_LEVEL)
    ) {
      this.parts.push(this.#out);
      this.#out = '';
    }
    const fence = this.#match(FENCE);
    if (fence && !(fence[1]?.startsWith('`') && fence[2]?.includes('`')))
      return this.#fence(fence[1] as string);
    const formula = math ? this.#match(MATH_BLOCK) : null;
    if (formula) this.#put(this.#at + formula[0].length, shield(formula[0]));
    else if (!isMarkdown && this.#match(ESM)) this.#esm(isPlain === true);
  }

  /** A code fence, to its closing line or to the end of the enclosing quote or text. */
  #fence(mark: string) {
    const start = this.#at;
    const opening = this.#source.slice(start, this.#lineEnd(start));
    const head = opening.slice(0, opening.indexOf(mark) + mark.length);
    const isQuoted = head.includes('>');
    // Keeps the markers of the enclosing quote or list.
    this.#put(start + opening.length, head + shield(opening.slice(head.length)));
    while (this.#at < this.#source.length) {
      const line = this.#source.slice(this.#at + 1, this.#lineEnd(this.#at + 1));
      const quote = isQuoted ? (QUOTE.exec(line)?.[0] ?? '') : '';
      if (isQuoted && quote.trim() === '') return;
      const code = line.slice(quote.length);
      const bare = code.trim();
      if (bare.startsWith(mark) && bare === (mark[0] as string).repeat(bare.length))
        return this.#copyTo(this.#at + 1 + line.length);
      this.#put(this.#at + 1 + line.length, `\n${quote}${shield(code)}`);
    }
  }

  #codeSpan() {
    let end = this.#at;
    while (this.#source[end] === '`') end++;
    const ticks = this.#source.slice(this.#at, end);
    const paragraph = this.#blockEnd(end);
    if (ticks.length > MAX_TICKS || (this.#unclosedTicks.get(ticks.length) ?? 0) > end)
      return this.#copyTo(end);
    for (let close = this.#source.indexOf(ticks, end); close >= 0 && close < paragraph; ) {
      let after = close;
      while (this.#source[after] === '`') after++;
      if (after - close === ticks.length)
        return this.#put(after, ticks + shield(this.#source.slice(end, close)) + ticks);
      close = this.#source.indexOf(ticks, after);
    }
    this.#unclosedTicks.set(ticks.length, paragraph);
    this.#copyTo(end);
  }

  /** `$…$` directly around a formula, or `$$…$$`, in one paragraph; other dollars are text. */
  #formula() {
    const mark = this.#source.startsWith('$$', this.#at) ? '$$' : '$';
    const start = this.#at + mark.length;
    const close =
      this.#options.math && /\S/.test(this.#source[start] ?? ' ')
        ? this.#source.indexOf(mark, start)
        : -1;
    const content =
      close < 0 || close > this.#blockEnd(start) ? '' : this.#source.slice(start, close);
    if (content !== content.trim() || content.length > 2000 || !/^[^`]*[\\^_][^`]*$/.test(content))
      return this.#copyTo(start);
    this.#put(close + mark.length, mark + shield(content) + mark);
  }

  #esm(isPlain: boolean) {
    const start = this.#at;
    const hold = (code: string) => {
      if (isPlain) this.modules.push({ code, line: this.#placeOf(start).line });
      this.#put(start + code.length, isPlain ? onlyLines(code) : this.#code.putModule(code));
    };
    let end = this.#paragraphEnd(start);
    for (let tries = 0; tries < 200 && this.#waste <= this.#source.length * MAX_WASTE; tries++) {
      const code = this.#source.slice(start, end).trimEnd();
      if (isModule(code)) return hold(code);
      this.#waste += code.length;
      if (end >= this.#source.length) break;
      end = this.#paragraphEnd(end + 1);
    }
    const first = this.#source.slice(start, this.#paragraphEnd(start));
    // Invalid JavaScript is reported where it is parsed; a sentence is not code, whatever the
    // parser would try.
    const close = first.includes('{') ? braceEnd(this.#source, start + first.indexOf('{')) : start;
    if (/[{}=();'"*]/.test(first))
      return hold(
        this.#source.slice(start, Math.max(this.#paragraphEnd(close), start + first.length)),
      );
    this.#put(start + 1, `&#${this.#source.charCodeAt(start)};`);
  }

  #brace() {
    const { isMarkdown, isPlain } = this.#options;
    if (isPlain) {
      const comment = this.#match(COMMENT);
      const end = comment ? this.#source.indexOf('*/', this.#at) : -1;
      const close = end < 0 ? null : this.#match(COMMENT_END, end);
      if (close)
        return this.#put(
          end + close[0].length,
          onlyLines(this.#source.slice(this.#at, end + close[0].length)),
        );
      return this.#put(this.#at + 1, '\\{');
    }
    if (isMarkdown) return this.#copyTo(this.#at + 1);
    const heading = this.#match(HEADING_ID);
    if (heading) return this.#copyTo(this.#at + heading[0].length);
    const end = this.#expressionEnd(this.#at);
    if (typeof end === 'number')
      return this.#put(end + 1, `{${this.#code.put(this.#source.slice(this.#at + 1, end))}}`);
    if (end === 'too-deep') return this.#tooDeep();
    this.#report(this.#at, 'warning', 'mdx-syntax', ...NO_EXPRESSION);
    this.#put(this.#at + 1, '\\{');
  }

  /** Returns the end of the expression whose brace is at `at`, or why it cannot be parsed. */
  #expressionEnd(at: number): number | 'invalid' | 'too-deep' {
    const read = (to: number) => findExpressionEnd(this.#source.slice(at + 1, to));
    const paragraph = this.#paragraphEnd(at);
    if (this.#waste > this.#source.length * MAX_WASTE) return 'invalid';
    let end = read(paragraph);
    if (
      end === 'unfinished' &&
      paragraph < this.#source.length &&
      this.#longAttempts < MAX_LONG_ATTEMPTS
    ) {
      end = read(this.#source.length);
      if (typeof end === 'string') this.#longAttempts++;
    }
    if (typeof end !== 'string') return at + 1 + end.at;
    this.#waste += paragraph - at;
    return end === 'too-deep' ? end : 'invalid';
  }

  /** An excessively nested or long expression is shown as text, up to its last brace. */
  #tooDeep() {
    const message = 'The expression combines or nests too much and is shown as text.';
    this.#report(
      this.#at,
      'error',
      'page-too-complex',
      message,
      'Shorten it, or move generated data into a file.',
    );
    const end = braceEnd(this.#source, this.#at);
    const text = this.#source.slice(this.#at, end).replace(/[}`_\\&]/g, '\\$&');
    this.#put(end, `<docent-fault id="depth" />${shield(text)}`);
  }

  #tag() {
    const { isMarkdown, isPlain } = this.#options;
    if (this.#source.startsWith('<!--', this.#at)) {
      const close = this.#source.indexOf('-->', this.#at + 4);
      const end = close < 0 ? this.#source.length : close;
      const comment = this.#source.slice(this.#at, end);
      const message = 'HTML comments are not valid MDX; this one is removed.';
      if (!isMarkdown && !isPlain)
        this.#report(this.#at, 'warning', 'mdx-syntax', message, 'Write {/* … */}.');
      const shielded = `${shield(comment).replace(shield('<!--'), '<!--')}${close < 0 ? '' : '-->'}`;
      return this.#put(
        Math.min(end + 3, this.#source.length),
        isMarkdown ? shielded : onlyLines(comment),
      );
    }
    const start = this.#match(TAG_START);
    const tag = start && this.#readTag(this.#at + start[0].length);
    if (!start || !tag) return this.#put(this.#at + 1, isPlain ? '\\<' : '<');
    const name = (start[2] as string).toLowerCase();
    const isOpen =
      start[1] === '' && !tag.isEmpty && !isVoid(name) && !(isMarkdown && UNCLOSED.test(name));
    if (isOpen) this.#depth++;
    const isTooDeep = this.#depth > MAX_TAG_DEPTH;
    if (start[1] !== '' && this.#depth > 0) this.#depth--;
    const message = 'Tags are nested too deeply; the inner ones are shown as text.';
    if (isTooDeep && isOpen && this.#depth === MAX_TAG_DEPTH + 1)
      this.#report(this.#at, 'warning', 'page-too-complex', message, 'Reduce the nesting.');
    if (isPlain) return this.#put(tag.end, onlyLines(this.#source.slice(this.#at, tag.end)));
    if (isTooDeep) return this.#put(this.#at + 1, '\\<');
    this.#put(tag.end, isMarkdown ? this.#source.slice(this.#at, tag.end) : start[0] + tag.text);
  }

  /** Parses the rest of a tag after its name; undefined if it is not a tag. */
  #readTag(from: number): { end: number; text: string; isEmpty: boolean } | undefined {
    let at = from;
    let text = '';
    for (;;) {
      const close = this.#match(TAG_END, at);
      if (close)
        return { end: at + close[0].length, text: text + close[0], isEmpty: close[1] === '/' };
      const attribute = this.#match(ATTRIBUTE, at);
      if (attribute) {
        const [whole, space, name, equals = '', value = ''] = attribute;
        at += whole.length;
        text += `${space}${name}${equals}${value[0] ?? ''}${shield(value.slice(1, -1))}${value.at(-1) ?? ''}`;
        if (equals === '' || value !== '') continue;
      }
      const space = /^\s*/.exec(this.#source.slice(at, at + 200))?.[0] ?? '';
      const brace = at + space.length;
      if (this.#source[brace] !== '{') return undefined;
      const end = this.#expressionEnd(brace);
      const code = typeof end === 'number' ? this.#source.slice(brace + 1, end) : '';
      if (end === 'invalid' && !attribute) return undefined;
      if (typeof end !== 'number') {
        this.#report(brace, 'warning', 'mdx-syntax', ...NO_EXPRESSION);
        at = braceEnd(this.#source, brace);
        text += `${space}{undefined${onlyLines(this.#source.slice(brace, at))}}`;
      } else {
        const spread = /^\s*\.\.\./.exec(code)?.[0] ?? '';
        at = end + 1;
        // A comment between attributes is ignored.
        text +=
          !attribute && spread === ''
            ? onlyLines(code)
            : `${space}{${spread.trim()}${this.#code.put(code.slice(spread.length))}}`;
      }
    }
  }

  #report(
    offset: number,
    severity: SourceProblem['severity'],
    code: string,
    message: string,
    remedy: string,
  ) {
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push({ severity, code, message, remedy, ...this.#placeOf(offset) });
  }

  /** Offsets are increasing, except inside one tag. */
  #placeOf(offset: number): { line: number; column: number } {
    if (offset < this.#line.offset) this.#line = { offset: 0, number: 1 };
    for (
      let at = this.#source.indexOf('\n', this.#line.offset);
      at >= 0 && at < offset;
      at = this.#source.indexOf('\n', at + 1)
    )
      this.#line = { offset: at + 1, number: this.#line.number + 1 };
    return { line: this.#line.number, column: offset - this.#line.offset + 1 };
  }
}

const MAX_PROBLEMS = 200;
/** Message and remedy for braces that are not an expression. */
export const NO_EXPRESSION = [
  'The braces do not contain a valid expression.',
  'Escape a literal brace as \\{, or put the text into `code`.',
] as const;

function isModule(code: string): boolean {
  try {
    parseModule(code);
    return true;
  } catch {
    return false;
  }
}

/** The offset after the brace that closes the one at `at`; the end of the line if none does. */
export function braceEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i + 1;
  }
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
