import { type ContentNode, type ElementNode, NodesValue, type PropValue } from '../expand/content-node.ts';
import type { Place } from '../expressions/value.ts';
import { nodeText } from '../markdown/node-text.ts';
import { ISLAND_TAG } from './island.ts';

/** A placeholder for the output of an author's component. */
export interface IslandRequest {
  name: string;
  file: string;
  code: string;
  props: IslandProps;
  /** For code that looks into the content it is given: with a description of it. */
  described: IslandProps | undefined;
  place: Place;
  /** Already in the page; filled after the component has run. */
  node: ElementNode;
}

/** A call of an author's component on a page. */
interface AuthorCall {
  props: Readonly<Record<string, PropValue>>;
  children: readonly ContentNode[];
}

/** The name of the component as shown to readers. */
const MAX_NAME = 60;

/** The islands of one page, in order of appearance. */
export class IslandList {
  readonly requests: IslandRequest[] = [];
  /** By the nodes that they made. */
  readonly #calls = new Map<ContentNode, AuthorCall>();
  /** The numbers of the requests by their nodes. */
  readonly #numbers = new Map<ContentNode, number>();

  /** Remembers which call made the nodes: code around them sees the call with its props, as in React, not what it shows. */
  noteCall(call: AuthorCall, nodes: readonly ContentNode[]): void {
    for (const node of nodes) this.#calls.set(node, call);
  }

  /**
   * @param code JavaScript of a component that makes the call
   * @param file provides the names that the call uses
   * @returns the node that replaces the call
   */
  add(
    name: string,
    code: string,
    file: string,
    props: Readonly<Record<string, PropValue>>,
    children: ContentNode[],
    place: Place,
  ): ElementNode {
    const node: ElementNode = { type: 'element', tag: ISLAND_TAG, attributes: {}, children: [] };
    if (place.line !== undefined) node.line = place.line;
    const shown = name.slice(0, MAX_NAME);
    const written = writeIslandProps(props, children);
    const described =
      written.slots.length > 0 || this.#calls.size > 0 ? writeIslandProps(props, children, this.#calls) : undefined;
    for (const given of [written, described]) {
      if (given) given.inside = given.slots.map((nodes) => this.#callsIn(nodes));
    }
    this.#numbers.set(node, this.requests.length);
    const isSmall = described !== undefined && described.json.length <= written.json.length + MAX_DESCRIPTION;
    this.requests.push({ name: shown, file, code, props: written, described: isSmall ? described : undefined, place, node });
    return node;
  }

  /** The islands in content of the page, without those inside them. */
  #callsIn(content: readonly ContentNode[]): number[] {
    const found: number[] = [];
    const left = [...content];
    for (let node = left.pop(); node; node = left.pop()) {
      const number = this.#numbers.get(node);
      if (number !== undefined) found.push(number);
      else if ('children' in node) for (const child of node.children) left.push(child);
    }
    return found.reverse();
  }
}

/** Maximum characters that descriptions of content add to the props of an island. */
const MAX_DESCRIPTION = 50_000;

/** A value that JSON cannot express: `{"$docent": …}`. A number names the slot that shows the content. */
const MARK = '$docent';

/** Props of an island as JSON, the content for its slots, and the content that is in the props because it is only text. */
interface IslandProps {
  json: string;
  slots: ContentNode[][];
  texts: string[];
  /** Numbers of the requests in the content of each slot. */
  inside: number[][];
}

/**
 * Serializes props for the sandbox and the browser. Content of the page (children, JSX) stays with the page: the component gets a
 * slot for it, or a string if the content is only text.
 * @param calls gives each piece of content a slot of its own, with its props and elements, as React would pass them: these calls,
 *   and what else the content consists of
 */
function writeIslandProps(
  props: Readonly<Record<string, PropValue>>,
  children: ContentNode[],
  calls?: ReadonlyMap<ContentNode, AuthorCall>,
): IslandProps {
  const slots: ContentNode[][] = [];
  const texts: string[] = [];
  const written = (text: string): string => {
    texts.push(text);
    return text;
  };
  const content = (nodes: ContentNode[]): unknown => {
    if (nodes.every((node) => node.type === 'text' && !calls?.has(node))) return written(nodeText(nodes));
    if (!calls) return { [MARK]: slots.push(nodes) - 1 };
    const parts: unknown[] = [];
    let last: AuthorCall | undefined;
    for (const node of nodes) {
      const call = calls.get(node);
      if (call !== undefined && call === last) slots.at(-1)?.push(node);
      else if (call) {
        parts.push({ [MARK]: slots.push([node]) - 1, p: plainProps(call.props), c: call.children.map(describe) });
        // Content of a call that shows none of it is for the code around it.
        if (node.type === 'text' && node.value === '') written(nodeText(call.children));
      } else if (node.type !== 'text') parts.push({ [MARK]: slots.push([node]) - 1, ...description(node) });
      else if (node.value.trim() !== '' || !node.value.includes('\n')) parts.push(written(node.value));
      last = call;
    }
    return parts.length === 1 ? parts[0] : parts;
  };
  const write = (value: PropValue): unknown => {
    if (value instanceof NodesValue) return content(value.nodes);
    if (value === undefined) return { [MARK]: 'undefined' };
    if (typeof value === 'number' && !Number.isFinite(value)) return { [MARK]: String(value) };
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(write);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item)]));
  };
  const entries = Object.entries(props).map(([key, value]) => [key, write(value)]);
  if (children.length > 0) entries.push(['children', content(children)]);
  return { json: JSON.stringify(Object.fromEntries(entries)), slots, texts, inside: [] };
}

/** What code sees of a piece of content: its props as far as they are plain, and its content. */
function description(node: Exclude<ContentNode, { type: 'text' }>): { p: Record<string, unknown>; c: unknown[] } {
  if (node.type === 'component') return { p: plainProps(node.props), c: node.children.map(describe) };
  if (node.type === 'element') return { p: node.attributes, c: node.children.map(describe) };
  if (node.type === 'fault') return { p: {}, c: [] };
  const className = node.type === 'code' && node.language !== '' ? { className: `language-${node.language}` } : {};
  return { p: {}, c: [{ [MARK]: 'element', t: 'code', p: className, c: [node.value] }] };
}

function describe(node: ContentNode): unknown {
  if (node.type === 'text') return node.value;
  const t = node.type === 'element' ? node.tag : node.type === 'component' ? 'div' : 'pre';
  return { [MARK]: 'element', t, ...description(node) };
}

/** What React keeps for itself, and the content. */
const NOT_PROPS = new Set(['children', 'key', 'ref', '__proto__']);

function plainProps(props: Readonly<Record<string, PropValue>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(props).filter(([key, value]) => !NOT_PROPS.has(key) && (value === null || typeof value !== 'object')),
  );
}
