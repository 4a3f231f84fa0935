import { comparableGroup } from '../../access/audience.ts';
import type { Reader } from '../../access/may-read.ts';
import { escapeHtml } from '../../html.ts';
import { linkMark } from '../../links.ts';
import { Budget } from '../expressions/budget.ts';
import { globalScope } from '../expressions/globals.ts';
import { Interpreter } from '../expressions/interpreter.ts';
import { parseExpression } from '../expressions/syntax.ts';
import { fromData, Scope, type Value } from '../expressions/value.ts';
import { NodesValue, READER_ADDRESS } from '../nodes/content-node.ts';
import { cleanAddress, schemeOf } from '../nodes/html-policy.ts';

/** The HTML of a page in its order: what everybody sees, and what depends on the reader. */
export type PersonalPiece = string | PersonalSlot;

export interface PersonalSlot {
  /** JavaScript, with `user`, and `$0`, `$1`, … for the parts. */
  code: string;
  /** JSX in the expression, rendered. */
  parts: PersonalPiece[][];
  /** The attribute that the expression is the value of; absent for content. */
  attribute?: string;
  /**
   * Whether the expression is the address of a link. Of its two parts, one is with that address,
   * the other for readers whose value is none.
   */
  isLink?: true;
}

/** What a renderer collects: the parts still have marks. */
export interface PersonalDraft extends Omit<PersonalSlot, 'parts'> {
  parts: string[];
}

// Control characters, which `escapeHtml` removes from all text, so no author can write a mark.
const MARK = /\u0002(\d+)\u0003|\u0004/g;

/** Marks HTML that only nobody in particular sees. */
export function personalMark(slot: number, forNobody: string): string {
  return `\u0002${slot}\u0003${forNobody}\u0004`;
}

/** Returns marked HTML as nobody in particular sees it. */
export function withoutMarks(html: string): string {
  return html.includes('\u0004') ? html.replace(MARK, '') : html;
}

/** Returns marked HTML as the pieces that readers get. */
export function personalPieces(html: string, drafts: readonly PersonalDraft[]): PersonalPiece[] {
  const pieces: PersonalPiece[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: mark, 1: slot, index } of html.matchAll(MARK)) {
    if (depth === 0) pieces.push(html.slice(from, index));
    if (slot === undefined) {
      if (depth > 0) depth--;
    } else {
      const draft = drafts[Number(slot)];
      if (depth === 0 && draft)
        pieces.push({ ...draft, parts: draft.parts.map((part) => personalPieces(part, drafts)) });
      depth++;
    }
    from = index + mark.length;
  }
  pieces.push(html.slice(from));
  return pieces.filter((piece) => piece !== '');
}

/** Returns the same pieces with other HTML. */
export function mapPieces(
  pieces: readonly PersonalPiece[],
  change: (html: string) => string,
): PersonalPiece[] {
  return pieces.map((piece) =>
    typeof piece === 'string'
      ? change(piece)
      : { ...piece, parts: piece.parts.map((part) => mapPieces(part, change)) },
  );
}

/** Returns all HTML in pieces, whoever sees it. */
export function allHtml(pieces: readonly PersonalPiece[] = []): string {
  let html = '';
  mapPieces(pieces, (piece) => {
    html += piece;
    return piece;
  });
  return html;
}

/** Returns the HTML of a page for a reader. Everything of the reader is escaped. */
export function personalHtml(
  pieces: readonly PersonalPiece[],
  { content, groups }: Pick<Reader, 'content' | 'groups'>,
): string {
  const user = fromData({ content, groups: groups.map(comparableGroup) });
  const interpreter = new Interpreter(
    new Budget(),
    { renderJsx: () => undefined, reportFixed: () => {} },
    false,
  );
  const htmlOf = (list: readonly PersonalPiece[]): string =>
    list.map((piece) => (typeof piece === 'string' ? piece : fill(piece))).join('');
  const linked = ([withLink = [], without = []]: PersonalPiece[][], value: Value): string => {
    const address = isText(value) ? safeAddress(cleanAddress(String(value))) : undefined;
    return address === undefined
      ? htmlOf(without)
      : htmlOf(withLink).replaceAll(READER_ADDRESS, () => address);
  };
  const fill = ({ code, parts, attribute, isLink }: PersonalSlot): string => {
    const values = parts.map(() => new NodesValue([]));
    const names = values.map((value, index): [string, Value] => [`$${index}`, value]);
    const scope = new Scope(globalScope(), new Map([['user', user], ...names]));
    const show = (value: Value): string => {
      if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
      if (Array.isArray(value)) return value.map(show).join('');
      const part = value instanceof NodesValue ? parts[values.indexOf(value)] : undefined;
      return part ? htmlOf(part) : '';
    };
    try {
      const expression = parseExpression(code);
      const value = expression && interpreter.evaluate(expression, scope);
      if (isLink) return linked(parts, value);
      return attribute === undefined ? show(value) : attributeText(attribute, value);
    } catch {
      // The data of this reader does not fit the expression, such as a number instead of a text.
      return isLink ? linked(parts, undefined) : '';
    }
  };
  return htmlOf(pieces);
}

const isText = (value: Value): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

function attributeText(name: string, value: Value): string {
  if (!isText(value)) return '';
  const text =
    name === 'href' ? safeAddress(cleanAddress(String(value))) : escapeHtml(String(value));
  return text === undefined ? '' : ` ${name}="${text}"`;
}

/** A page of the site, a website or an email address: what a provider says of a reader runs nothing. */
function safeAddress(address: string): string | undefined {
  if (/^\/(?![\\/])/.test(address)) return linkMark('page', address);
  return /^(?:https?|mailto)$/.test(schemeOf(address)) ? escapeHtml(address) : undefined;
}
