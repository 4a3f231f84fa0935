import { type ContentNode, NodesValue, type PropValue } from '../expand/content-node.ts';
import { nodeText } from '../markdown/node-text.ts';

/** A value that JSON has not: `{"$docent": …}`. A number names the slot that shows the content. */
const MARK = '$docent';

/** Props of an island as JSON, and the content that it shows in its slots. */
export interface IslandProps {
  json: string;
  slots: ContentNode[][];
}

/**
 * Writes props for the sandbox and the browser. Content of the page (children, JSX) stays with the page: the component gets
 * a slot to show it in, or a string where the content is nothing but text.
 */
export function writeIslandProps(props: Readonly<Record<string, PropValue>>, children: ContentNode[]): IslandProps {
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
