import type { Place } from '../expressions/value.ts';
import {
  type ContentNode,
  type ElementNode,
  NodesValue,
  nodeText,
  type PropValue,
} from '../nodes/content-node.ts';
import { ISLAND_TAG, type IslandForm, type Look } from '../nodes/island.ts';
import { isBlockNode } from '../render/node-prose.ts';

/** A placeholder for the output of an author's component. */
export interface IslandRequest {
  name: string;
  file: string;
  code: string;
  /** See `IslandCall`. */
  types: string;
  forms: readonly IslandProps[];
  place: Place;
  /** Already in the page; filled after the component has run. */
  node: ElementNode;
}

/** A call of an author's component on a page. */
interface AuthorCall {
  props: Readonly<Record<string, PropValue>>;
  children: readonly ContentNode[];
  /**
   * The component as JavaScript with its props that are code, if other code of that file can call
   * it too.
   */
  type?: { code: string; file: string } | undefined;
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

  /**
   * Remembers which call made the nodes: code around them sees the call with its props, as in
   * React, not what it shows.
   */
  noteCall(call: AuthorCall, nodes: readonly ContentNode[]): void {
    for (const node of nodes) this.#calls.set(node, call);
  }

  /**
   * @param code JavaScript of a component that makes the call
   * @returns the node that replaces the call
   */
  add(
    name: string,
    code: string,
    props: Readonly<Record<string, PropValue>>,
    children: ContentNode[],
    place: Place,
  ): ElementNode {
    const node: ElementNode = {
      type: 'element',
      tag: ISLAND_TAG,
      attributes: {},
      children: [],
      line: place.line,
    };
    const { file = '' } = place;
    const types: string[] = [];
    const written = LOOKS.map((look) =>
      new PropsWriter(look, file, types, this.#calls).write(props, children),
    );
    const [plain, ...fuller] = written as [WrittenProps, ...WrittenProps[]];
    const hasContent = plain.slots.length > 0 || this.#calls.size > 0;
    const fitting = fuller.filter(
      ({ json }) => hasContent && json.length <= plain.json.length + MAX_DESCRIPTION,
    );
    const forms = [plain, ...fitting].map((form) => ({
      ...form,
      inside: form.slots.map((nodes) => this.#callsIn(nodes)),
      own: this.#callsIn(form.replaced),
    }));
    this.#numbers.set(node, this.requests.length);
    const request = {
      name: name.slice(0, MAX_NAME),
      file,
      code,
      types: `[${types.join()}]`,
      forms,
      place,
      node,
    };
    this.requests.push(request);
    return node;
  }

  /** The islands in content of the page, without those inside them. */
  #callsIn(content: readonly ContentNode[]): number[] {
    const islandNumbers: number[] = [];
    const left = [...content];
    for (let node = left.pop(); node; node = left.pop()) {
      const number = this.#numbers.get(node);
      if (number !== undefined) islandNumbers.push(number);
      else if ('children' in node) for (const child of node.children) left.push(child);
    }
    return islandNumbers.reverse();
  }
}

/** Maximum characters that descriptions of content add to the props of an island. */
const MAX_DESCRIPTION = 50_000;

const LOOKS: readonly Look[] = [0, 1, 2];

/**
 * A value that JSON cannot express: `{"$docent": …}`. A number names the slot that shows the
 * content.
 */
const MARK = '$docent';

/**
 * Props of an island as JSON, the content for its slots, and the content that is in the props
 * because it is only text.
 */
interface WrittenProps {
  json: string;
  slots: ContentNode[][];
  texts: string[];
  /** The slots of pieces of content by the slots of what is inside them. */
  wholes: Map<number, number>;
  /** What the page has in place of calls that are among the props. */
  replaced: ContentNode[];
}

interface IslandProps extends WrittenProps, IslandForm {}

/** Content that code sees as one element: what a call made, or a node. */
interface Piece {
  call: AuthorCall | undefined;
  nodes: [ContentNode, ...ContentNode[]];
}

/**
 * Serializes props for the sandbox and the browser. Content of the page (children, JSX) stays with
 * the page: the component gets a slot for it, or a string if the content is only text. Code that
 * looks into its content gets a slot for each piece of it, with the props and elements of the
 * piece, as React would pass them; code that asks for components too gets calls of the author's
 * components as such, and runs them.
 */
class PropsWriter {
  readonly #look: Look;
  readonly #file: string;
  readonly #types: string[];
  readonly #calls: ReadonlyMap<ContentNode, AuthorCall>;
  readonly #written: Omit<WrittenProps, 'json'> = {
    slots: [],
    texts: [],
    wholes: new Map(),
    replaced: [],
  };

  constructor(
    look: Look,
    file: string,
    types: string[],
    calls: ReadonlyMap<ContentNode, AuthorCall>,
  ) {
    this.#look = look;
    this.#file = file;
    this.#types = types;
    this.#calls = calls;
  }

  write(props: Readonly<Record<string, PropValue>>, children: ContentNode[]): WrittenProps {
    const all = this.#object(props);
    if (children.length > 0) all.children = this.#content(children);
    return { json: JSON.stringify(all), ...this.#written };
  }

  #object(props: Readonly<Record<string, PropValue>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(props).map(([key, value]) => [key, this.#value(value)]),
    );
  }

  #value(value: PropValue): unknown {
    if (value instanceof NodesValue) return this.#content(value.nodes);
    if (value === undefined) return { [MARK]: 'undefined' };
    if (typeof value === 'number' && !Number.isFinite(value)) return { [MARK]: String(value) };
    if (value === null || typeof value !== 'object') return value;
    return Array.isArray(value)
      ? value.map((item) => this.#value(item))
      : this.#object(value as Record<string, PropValue>);
  }

  #text(text: string): string {
    this.#written.texts.push(text);
    return text;
  }

  #slot(nodes: ContentNode[]): number {
    return this.#written.slots.push(nodes) - 1;
  }

  #isText(nodes: readonly ContentNode[]): boolean {
    return nodes.every(
      (node) => node.type === 'text' && (this.#look === 0 || !this.#calls.has(node)),
    );
  }

  #content(nodes: readonly ContentNode[]): unknown {
    if (this.#isText(nodes)) return this.#text(nodeText(nodes));
    if (this.#look === 0) return { [MARK]: this.#slot([...nodes]) };
    const parts = this.#pieces(nodes).flatMap((piece) => this.#piece(piece));
    return parts.length === 1 ? parts[0] : parts;
  }

  /**
   * What each call made, and what the content consists of besides: blocks, and lines of text with
   * their elements.
   */
  #pieces(nodes: readonly ContentNode[]): Piece[] {
    const pieces: Piece[] = [];
    for (const node of nodes) {
      const call = this.#calls.get(node);
      const last = pieces.at(-1);
      const isOfLine = !isBlockNode(node) && last && !isBlockNode(last.nodes[0]);
      if (last && last.call === call && (call || isOfLine)) last.nodes.push(node);
      else pieces.push({ call, nodes: [node] });
    }
    return pieces;
  }

  #piece({ call, nodes }: Piece): unknown[] {
    const [node] = nodes;
    if (call) {
      if (this.#canRun(call)) {
        this.#written.replaced.push(...nodes);
        // What it shows of its props may be on the page later only.
        if (call.children.length === 0) this.#text(nodeText(nodes));
        return [
          this.#called(
            call,
            this.#object(call.props),
            call.children.length > 0 ? [this.#content(call.children)] : [],
          ),
        ];
      }
      // Content of a call that shows none of it is for the code around it.
      if (node.type === 'text' && node.value === '') this.#text(nodeText(call.children));
      return [
        {
          [MARK]: this.#slot(nodes),
          p: plainProps(call.props),
          c: this.#describeAll(call.children),
        },
      ];
    }
    const visibleNodes = nodes.filter(
      (contentNode) => contentNode.type !== 'text' || contentNode.value.trim() !== '',
    );
    const [only] = visibleNodes;
    if (only === undefined)
      return node.type === 'text' && !node.value.includes('\n') ? [node.value] : [];
    if (this.#isText(visibleNodes)) return [this.#text(nodeText(nodes))];
    if (visibleNodes.length > 1 || only.type === 'text')
      return [{ [MARK]: this.#slot(nodes), p: {}, c: this.#describeAll(nodes) }];
    const slot = this.#slot([only]);
    return [
      {
        [MARK]: slot,
        ...(this.#look === 2 ? this.#openDescription(only, slot) : this.#description(only)),
      },
    ];
  }

  /** Whether the code around a call can run it. */
  #canRun(call: AuthorCall | undefined): call is AuthorCall & { type: { code: string } } {
    return this.#look === 2 && call?.type?.file === this.#file;
  }

  #called({ type }: { type: { code: string } }, p: object, c: unknown[]): unknown {
    let t = this.#types.indexOf(type.code);
    if (t === -1) t = this.#types.push(type.code) - 1;
    return { [MARK]: 'call', t, p, c };
  }

  /** Like `#description`, with the component, and with content that code can show alone. */
  #openDescription(node: Exclude<ContentNode, { type: 'text' }>, slot: number): object {
    const { p, c } = this.#description(node);
    const type = node.type === 'component' ? { t: node.name } : {};
    const children = 'children' in node ? node.children : [];
    if (children.length === 0) return { ...type, p, c };
    if (this.#isText(children)) return { ...type, p, c: [nodeText(children)] };
    const inside = this.#slot(children);
    this.#written.wholes.set(inside, slot);
    return { ...type, p, c: [{ [MARK]: inside, p: {}, c }] };
  }

  /** What code sees of a piece of content: its props as far as they are plain, and its content. */
  #description(node: Exclude<ContentNode, { type: 'text' }>): {
    p: Record<string, unknown>;
    c: unknown[];
  } {
    if (node.type === 'component')
      return { p: plainProps(node.props), c: this.#describeAll(node.children) };
    if (node.type === 'element') return { p: node.attributes, c: this.#describeAll(node.children) };
    if (node.type === 'fault') return { p: {}, c: [] };
    const className =
      node.type === 'code' && node.language !== ''
        ? { className: `language-${node.language}` }
        : {};
    return { p: {}, c: [{ [MARK]: 'element', t: 'code', p: className, c: [node.value] }] };
  }

  #describeAll(nodes: readonly ContentNode[]): unknown[] {
    return this.#pieces(nodes).flatMap(({ call, nodes: pieceNodes }) =>
      this.#canRun(call)
        ? [this.#called(call, plainProps(call.props), this.#describeAll(call.children))]
        : pieceNodes.map((node) => this.#described(node)),
    );
  }

  #described(node: ContentNode): unknown {
    if (node.type === 'text') return node.value;
    const t = node.type === 'element' ? node.tag : node.type === 'component' ? 'div' : 'pre';
    return { [MARK]: 'element', t, ...this.#description(node) };
  }
}

/** What React keeps for itself, and the content. */
const NOT_PROPS = new Set(['children', 'key', 'ref', '__proto__']);

function plainProps(props: Readonly<Record<string, PropValue>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(props).filter(
      ([key, value]) => !NOT_PROPS.has(key) && (value === null || typeof value !== 'object'),
    ),
  );
}
