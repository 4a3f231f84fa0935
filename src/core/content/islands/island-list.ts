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
  place: Place;
  /** Already in the page; filled after the component has run. */
  node: ElementNode;
}

/** The name of the component as shown to readers. */
const MAX_NAME = 60;

/** The islands of one page, in order of appearance. */
export class IslandList {
  readonly requests: IslandRequest[] = [];

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
    this.requests.push({ name: shown, file, code, props: writeIslandProps(props, children), place, node });
    return node;
  }
}

/** A value that JSON cannot express: `{"$docent": …}`. A number names the slot that shows the content. */
const MARK = '$docent';

/** Props of an island as JSON, and the content for its slots. */
interface IslandProps {
  json: string;
  slots: ContentNode[][];
}

/**
 * Serializes props for the sandbox and the browser. Content of the page (children, JSX) stays with the page: the component gets a
 * slot for it, or a string if the content is only text.
 */
function writeIslandProps(props: Readonly<Record<string, PropValue>>, children: ContentNode[]): IslandProps {
  const slots: ContentNode[][] = [];
  const content = (nodes: ContentNode[]): unknown => {
    if (nodes.every((node) => node.type === 'text')) return nodeText(nodes);
    return { [MARK]: slots.push(nodes) - 1 };
  };
  const write = (value: PropValue): unknown => {
    if (value instanceof NodesValue) return content(value.nodes);
    if (value === undefined) return { [MARK]: 'undefined' };
    if (typeof value === 'number' && !Number.isFinite(value)) return { [MARK]: String(value) };
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(write);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item)]));
  };
  const written = Object.entries(props).map(([key, value]) => [key, write(value)]);
  if (children.length > 0) written.push(['children', content(children)]);
  return { json: JSON.stringify(Object.fromEntries(written)), slots };
}
