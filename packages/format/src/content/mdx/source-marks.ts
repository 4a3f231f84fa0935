import { nodesIn, type SourceAttribute, type SourceNode } from '../nodes/source-node.ts';
import { onlyLines } from './source-text.ts';

/**
 * Characters that may nest in JavaScript; in code and attribute values they are replaced by
 * noncharacters during parsing.
 */
const SIGNS = '([{!?=~<>*+-:';
const FIRST_SIGN = 0xfdd0;
const [OPEN, CLOSE] = ['\ufdee', '\ufdef'];
const OPEN_ENCODED = encodeURIComponent(OPEN);
const ENCODED = new RegExp(
  `(?:%22)?${OPEN_ENCODED}(\\d+)${encodeURIComponent(CLOSE)}(?:%22)?`,
  'gi',
);
const SIGN = new RegExp(`[${SIGNS.replace(/[[\]^-]/g, '\\$&')}]`, 'g');
const SHIELDED = /[\ufdd0-\ufddf]/g;
const NONCHARACTER = /[\ufdd0-\ufdef]/g;
const PLACE = /(?:export const held = )?"?\ufdee(\d+)\ufdef"?(?:\s*\/\*\*\/)*/g;
const WHOLE_PLACE = /^\s*(?:\.\.\.)?"\ufdee(\d+)\ufdef"(?:\s|\/\*\*\/)*$/;

/** Removes noncharacters from the text, so that the author cannot forge a mark. */
export function withoutMarks(text: string): string {
  return text.replace(NONCHARACTER, '\ufffd');
}

/**
 * Masks code, or an attribute value, for the parser: same length, without characters that it could
 * take for nesting.
 */
export function shield(text: string): string {
  return text.replace(SIGN, (sign) => String.fromCharCode(FIRST_SIGN + SIGNS.indexOf(sign)));
}

function unshield(text: string): string {
  return text.replace(SHIELDED, (mark) => SIGNS[mark.charCodeAt(0) - FIRST_SIGN] ?? mark);
}

/** The JavaScript taken out of a text, by the numbers of its placeholders. */
export class HeldCode {
  readonly #held: string[] = [];

  /**
   * A JavaScript string in place of an expression, with the same number of lines; lines that were
   * not empty stay so.
   */
  put(code: string): string {
    this.#held.push(code);
    const lines = code.split('\n').slice(1);
    return `"${OPEN}${this.#held.length - 1}${CLOSE}"${lines.map((line) => (line.trim() === '' ? '\n' : '\n/**/')).join('')}`;
  }

  /** A statement in place of imports and exports, followed by the same number of line breaks. */
  putModule(code: string): string {
    this.#held.push(code);
    return `export const held = "${OPEN}${this.#held.length - 1}${CLOSE}"${onlyLines(code)}`;
  }

  restore(root: SourceNode): void {
    for (const node of nodesIn(root)) {
      if (node.value !== undefined) node.value = this.#code(node) ?? this.#text(node.value);
      if (node.data?.lang) node.data.lang = unshield(node.data.lang);
      if (node.data?.meta) node.data.meta = unshield(node.data.meta);
      for (const name in node.properties) {
        const value = node.properties[name];
        if (typeof value === 'string') node.properties[name] = this.#text(value);
      }
      if (node.attributes)
        node.attributes = node.attributes.map((attribute) => this.#attribute(attribute));
    }
  }

  /** The source of an expression with the parser's dedent for the node. */
  #code({ type, value = '', position }: SourceNode): string | undefined {
    if (type === 'mdxjsEsm') return this.#text(value).trimEnd();
    const code = type.endsWith('Expression') ? this.#whole(value) : undefined;
    const indent = (position?.start.column ?? 1) - 1;
    return code === undefined || indent === 0
      ? code
      : code.replace(new RegExp(`\\n {1,${Math.min(indent, 999)}}`, 'g'), '\n');
  }

  #attribute(attribute: SourceAttribute): SourceAttribute {
    const { value } = attribute;
    if (attribute.type === 'mdxJsxExpressionAttribute')
      return { ...attribute, value: this.#whole(attribute.value) ?? this.#text(attribute.value) };
    if (typeof value === 'string') return { ...attribute, value: this.#text(value) };
    if (value)
      return {
        ...attribute,
        value: { ...value, value: this.#whole(value.value) ?? this.#text(value.value) },
      };
    return attribute;
  }

  #whole(text: string): string | undefined {
    const index = WHOLE_PLACE.exec(text)?.[1];
    const code = index === undefined ? undefined : this.#held[Number(index)];
    return code !== undefined && text.trimStart().startsWith('...') ? `...${code}` : code;
  }

  #text(text: string): string {
    // The parser percent-encodes unknown characters in addresses.
    const decodedText = text.includes(OPEN_ENCODED)
      ? text.replace(ENCODED, `${OPEN}$1${CLOSE}`)
      : text;
    if (!decodedText.includes(OPEN)) return unshield(decodedText);
    return unshield(
      decodedText.replace(PLACE, (whole, index: string) => this.#held[Number(index)] ?? whole),
    );
  }
}
