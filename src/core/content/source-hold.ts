import { parseExpression } from './expression-syntax.ts';
import type { SourceAttribute, SourceNode } from './source-node.ts';

/** Private characters around the number of what was taken out. */
const [OPEN, CLOSE] = ['\ue0f0', '\ue0f1'];
const PLACE = /\ue0f0(\d+)\ue0f1\n*/g;
const SHORTEST = 40;

/** A text whose long attribute values were taken out, and the way to put them back. */
export interface HeldSource {
  text: string;
  /** Puts the values back into the tree that the parser made of `text`. */
  restore(root: SourceNode): void;
}

type Held = { kind: 'text' | 'expression'; value: string };

/**
 * Takes the long values of attributes out of a text, so that the parser, which counts every sign in it as one that may
 * nest, has little to fear: the paths of drawings, and drawings that are given as properties. Lines stay where they are.
 */
export function holdAttributes(text: string): HeldSource {
  const held: Held[] = [];
  if (text.includes(OPEN) || text.includes(CLOSE)) return { text, restore: () => {} };
  const put = (one: Held, source: string): string => {
    held.push(one);
    return `"${OPEN}${held.length - 1}${CLOSE}${source.replace(/[^\n]+/g, '')}"`;
  };
  let out = '';
  let from = 0;
  for (let at = text.indexOf('=', from); at >= 0; at = text.indexOf('=', Math.max(at + 1, from))) {
    const end = valueEnd(text, at);
    if (end - at < SHORTEST) continue;
    const value = text.slice(at + 2, end - 1);
    const isText = text[at + 1] === '"';
    if (!isText && !isExpression(value)) continue;
    out += text.slice(from, at + 1) + put({ kind: isText ? 'text' : 'expression', value }, value);
    from = end;
  }
  return { text: out + text.slice(from), restore: (root) => restore(root, held) };
}

/** Where the value of an attribute ends that starts after the `=` at `at`; `at` itself where none does. */
function valueEnd(text: string, at: number): number {
  if (!/[\w:-]/.test(text[at - 1] ?? '')) return at;
  if (text[at + 1] === '"') {
    const end = text.indexOf('"', at + 2);
    return end < 0 ? at : end + 1;
  }
  return text[at + 1] === '{' ? braceEnd(text, at + 1) : at;
}

function braceEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i + 1;
  }
  return at;
}

/** Whether the text between two braces is one whole expression; where it is not, the braces were misread. */
function isExpression(source: string): boolean {
  try {
    return parseExpression(source) !== undefined;
  } catch {
    return false;
  }
}

function restore(node: SourceNode, held: readonly Held[]): void {
  if (node.value !== undefined) node.value = restoreText(node.value, held);
  for (const name in node.properties) {
    const value = node.properties[name];
    if (typeof value === 'string') node.properties[name] = restoreText(value, held);
  }
  node.attributes = node.attributes?.map((attribute) => restoreAttribute(attribute, held));
  for (const child of node.children ?? []) restore(child, held);
}

function restoreAttribute(attribute: SourceAttribute, held: readonly Held[]): SourceAttribute {
  if (attribute.type === 'mdxJsxExpressionAttribute') return { ...attribute, value: restoreText(attribute.value, held) };
  const { value } = attribute;
  if (typeof value === 'string') {
    const whole = new RegExp(`^${PLACE.source}$`).exec(value);
    const one = whole ? held[Number(whole[1])] : undefined;
    if (one?.kind === 'expression') return { ...attribute, value: { type: 'mdxJsxAttributeValueExpression', value: one.value } };
    return { ...attribute, value: one?.kind === 'text' ? decodeEntities(one.value) : restoreText(value, held) };
  }
  if (value) return { ...attribute, value: { ...value, value: restoreText(value.value, held) } };
  return attribute;
}

/** Where a place is not an attribute of its own, the text stands there again as it was written. */
function restoreText(text: string, held: readonly Held[]): string {
  if (!text.includes(OPEN)) return text;
  return text
    .replace(new RegExp(`"${PLACE.source}"`, 'g'), (whole, index: string) => {
      const one = held[Number(index)];
      if (!one) return whole;
      return one.kind === 'text' ? `"${one.value}"` : `{${one.value}}`;
    })
    .replace(PLACE, (whole, index: string) => held[Number(index)]?.value ?? whole);
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|apos|nbsp);|&#(x?[\da-f]{1,6});/gi, (whole, code?: string) => {
    if (code === undefined) return ENTITIES[whole.toLowerCase()] ?? whole;
    const point = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
