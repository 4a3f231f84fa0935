import type { SourceAttribute, SourceNode } from './source-node.ts';

/** Signs that may nest in JavaScript; in code and in texts of attributes they stand as noncharacters while the parser runs. */
const SIGNS = '([{!?=~<>*+-:';
const FIRST_SIGN = 0xfdd0;
const [OPEN, CLOSE] = ['\ufdee', '\ufdef'];
const OPEN_ENCODED = encodeURIComponent(OPEN);
const ENCODED = new RegExp(`(?:%22)?${OPEN_ENCODED}(\\d+)${encodeURIComponent(CLOSE)}(?:%22)?`, 'gi');
const SIGN = new RegExp(`[${SIGNS.replace(/[[\]^-]/g, '\\$&')}]`, 'g');
const SHIELDED = /[\ufdd0-\ufddf]/g;
const NONCHARACTER = /[\ufdd0-\ufdef]/g;
const PLACE = /(?:export const held = )?"?\ufdee(\d+)\ufdef"?(?:\s*\/\*\*\/)*/g;
const WHOLE_PLACE = /^\s*(?:\.\.\.)?"\ufdee(\d+)\ufdef"(?:\s|\/\*\*\/)*$/;

/** Text in which no mark of ours can be mistaken for one of the author's: nothing may be written with noncharacters. */
export function withoutMarks(text: string): string {
  return text.replace(NONCHARACTER, '\ufffd');
}

/** Code, or the text of an attribute, as the parser may see it: of the same length, and without a sign that it could take for nesting. */
export function shield(text: string): string {
  return text.replace(SIGN, (sign) => String.fromCharCode(FIRST_SIGN + SIGNS.indexOf(sign)));
}

function unshield(text: string): string {
  return text.replace(SHIELDED, (mark) => SIGNS[mark.charCodeAt(0) - FIRST_SIGN] ?? mark);
}

/** The JavaScript that was taken out of a text, by the numbers of the places that were left in it. */
export class HeldCode {
  readonly #held: string[] = [];

  /** A string of JavaScript in the place of an expression, on as many lines; where those were not empty, they are not now. */
  put(code: string): string {
    this.#held.push(code);
    const lines = code.split('\n').slice(1);
    return `"${OPEN}${this.#held.length - 1}${CLOSE}"${lines.map((line) => (line.trim() === '' ? '\n' : '\n/**/')).join('')}`;
  }

  /** A statement in the place of imports and exports, with as many line breaks after it. */
  putModule(code: string): string {
    this.#held.push(code);
    return `export const held = "${OPEN}${this.#held.length - 1}${CLOSE}"${code.replace(/[^\n]+/g, '')}`;
  }

  /** Puts everything back into the tree that the parser made. */
  restore(root: SourceNode): void {
    const nodes = [root];
    for (let node = nodes.pop(); node; node = nodes.pop()) {
      if (node.value !== undefined) node.value = this.#code(node) ?? this.#text(node.value);
      if (node.data?.lang) node.data.lang = unshield(node.data.lang);
      if (node.data?.meta) node.data.meta = unshield(node.data.meta);
      for (const name in node.properties) {
        const value = node.properties[name];
        if (typeof value === 'string') node.properties[name] = this.#text(value);
      }
      if (node.attributes) node.attributes = node.attributes.map((attribute) => this.#attribute(attribute));
      for (const child of node.children ?? []) nodes.push(child);
    }
  }

  /** The source of an expression, less indented where the node is, as the parser gives it. */
  #code({ type, value = '', position }: SourceNode): string | undefined {
    if (type === 'mdxjsEsm') return this.#text(value).trimEnd();
    const code = type.endsWith('Expression') ? this.#whole(value) : undefined;
    const indent = (position?.start.column ?? 1) - 1;
    return code === undefined || indent === 0 ? code : code.replace(new RegExp(`\\n {1,${Math.min(indent, 999)}}`, 'g'), '\n');
  }

  #attribute(attribute: SourceAttribute): SourceAttribute {
    const { value } = attribute;
    if (attribute.type === 'mdxJsxExpressionAttribute')
      return { ...attribute, value: this.#whole(attribute.value) ?? this.#text(attribute.value) };
    if (typeof value === 'string') return { ...attribute, value: this.#text(value) };
    if (value) return { ...attribute, value: { ...value, value: this.#whole(value.value) ?? this.#text(value.value) } };
    return attribute;
  }

  #whole(text: string): string | undefined {
    const index = WHOLE_PLACE.exec(text)?.[1];
    const code = index === undefined ? undefined : this.#held[Number(index)];
    return code !== undefined && text.trimStart().startsWith('...') ? `...${code}` : code;
  }

  #text(text: string): string {
    // In addresses the parser encodes what it does not know.
    const found = text.includes(OPEN_ENCODED) ? text.replace(ENCODED, `${OPEN}$1${CLOSE}`) : text;
    if (!found.includes(OPEN)) return unshield(found);
    return unshield(found.replace(PLACE, (whole, index: string) => this.#held[Number(index)] ?? whole));
  }
}
