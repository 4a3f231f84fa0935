import { escapeHtml, unescapeHtml } from '../html.ts';

/** An attribute of a start tag. */
export interface HtmlAttribute {
  /** In lower case. */
  name: string;
  /** As parsed by a browser: with character references resolved. */
  value: string;
  /** The attribute in the markup, including the white space before its name. */
  start: number;
  end: number;
}

/** A tag of a document, with its position in the markup. */
export interface HtmlTag {
  /** In lower case. */
  name: string;
  isEnd: boolean;
  attributes: readonly HtmlAttribute[];
  start: number;
  end: number;
  /** Text of a `<style>`, which is not markup; `end` is then the end of the text. */
  css?: string;
}

/** Elements whose content is not markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title']);
const NAME = /[a-z][^\s/>]*/iy;
const SPACE = /\s*/y;
const ATTRIBUTE_NAME = /[^\s"'<>/=]+/y;
const VALUE = /\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`=]+))/y;

/** Escapes a value for an attribute like `escapeHtml`, but keeps link marks. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"]/g, escapeHtml);
}

/**
 * Returns the tags of markup from the built-in renderers, in order, without comments. A single pass
 * in linear time for any markup.
 */
export function* htmlTags(markup: string): Generator<HtmlTag> {
  for (let at = markup.indexOf('<'); at >= 0; at = markup.indexOf('<', at)) {
    if (markup.startsWith('<!--', at)) {
      const end = markup.indexOf('-->', at + 4);
      if (end < 0) return;
      at = end + 3;
      continue;
    }
    const isEnd = markup[at + 1] === '/';
    const name = match(NAME, markup, isEnd ? at + 2 : at + 1)?.[0];
    if (name === undefined) {
      at++;
      continue;
    }
    const tag = readTag(markup, at, name.toLowerCase(), isEnd);
    at = tag.end;
    if (RAW.has(tag.name) && !isEnd) {
      at = match(new RegExp(`</${tag.name}`, 'gi'), markup, tag.end)?.index ?? markup.length;
      if (tag.name === 'style') tag.css = markup.slice(tag.end, at);
    }
    yield tag;
  }
}

function readTag(markup: string, start: number, name: string, isEnd: boolean): HtmlTag {
  const attributes: HtmlAttribute[] = [];
  let at = start + name.length + (isEnd ? 2 : 1);
  for (;;) {
    const from = at;
    match(SPACE, markup, at);
    at = SPACE.lastIndex;
    const char = markup[at];
    if (char === undefined) break;
    if (char === '>') {
      at++;
      break;
    }
    const attribute = match(ATTRIBUTE_NAME, markup, at)?.[0];
    if (attribute === undefined) {
      at++;
      continue;
    }
    at += attribute.length;
    const value = match(VALUE, markup, at);
    if (value) at = VALUE.lastIndex;
    const written = value?.[1] ?? value?.[2] ?? value?.[3] ?? '';
    attributes.push({
      name: attribute.toLowerCase(),
      value: unescapeHtml(written),
      start: from,
      end: at,
    });
  }
  return { name, isEnd, attributes, start, end: at };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the value of a tag's attribute. */
export function attributeOf(tag: HtmlTag, name: string): string | undefined {
  return tag.attributes.find((attribute) => attribute.name === name)?.value;
}

/** Replaces parts of a document by markup. The parts are in order and do not overlap. */
export class Replacements {
  readonly #markup: string;
  #out = '';
  #from = 0;

  constructor(markup: string) {
    this.#markup = markup;
  }

  replace(start: number, end: number, instead: string): void {
    this.#out += this.#markup.slice(this.#from, start) + instead;
    this.#from = end;
  }

  /**
   * Rewrites the attributes and the style sheet of a tag.
   * @param attributeFor returns the new attribute with a leading space, or nothing to remove it;
   *   undefined if it stays
   */
  rewrite(
    tag: HtmlTag,
    attributeFor: (attribute: HtmlAttribute) => string | undefined,
    cssFor: (css: string) => string,
  ): void {
    for (const attribute of tag.attributes) {
      const instead = attributeFor(attribute);
      if (instead !== undefined) this.replace(attribute.start, attribute.end, instead);
    }
    const css = tag.css === undefined ? undefined : cssFor(tag.css);
    if (css !== undefined && css !== tag.css)
      this.replace(tag.end, tag.end + (tag.css?.length ?? 0), css);
  }

  toString(): string {
    return this.#from === 0 ? this.#markup : this.#out + this.#markup.slice(this.#from);
  }
}
