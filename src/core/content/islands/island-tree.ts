import { components } from '../components/registry.ts';
import { type ContentNode, NodesValue, type PropValue } from '../expand/content-node.ts';
import { madeElement } from '../expand/embedded-file.ts';
import { htmlNodes } from '../html-nodes.ts';
import { attributeName, attributeValue } from '../markdown/node-attributes.ts';
import { type IslandElement, type IslandTree, PART_TAG, SLOT_TAG } from './island.ts';

const MAX_DEPTH = 100;
const MAX_NODES = 20_000;

/** Elements that the renderer normally decorates; a component's output stays unchanged, so that the browser can hydrate it. */
const DRESSED = /^(?:h[1-6]|table)$/;

/**
 * Converts a component's output to nodes of the page. The output is untrusted: anything of an unexpected shape is dropped, and
 * the renderer filters the rest like all the author's elements.
 * @param slots content of the page that the component shows
 * @param shown receives the numbers of the used slots
 */
export function islandNodes(tree: unknown, slots: readonly ContentNode[][], shown: Set<number>): ContentNode[] {
  let left = MAX_NODES;
  let isWithinPart = false;

  function convert(part: unknown, depth: number): ContentNode[] {
    if (--left < 0 || depth > MAX_DEPTH) return [];
    if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', value: part }];
    if (typeof part === 'number') return slotNodes(part);
    if (Array.isArray(part)) return part.flatMap((item) => convert(item, depth + 1));
    if (part === null || typeof part !== 'object') return [];
    return elementNodes(part as Partial<IslandElement>, depth);
  }

  function slotNodes(number: number): ContentNode[] {
    const nodes = slots[number];
    if (!nodes) return [];
    // Rendering the content twice would duplicate its ids; the browser shows a copy.
    const children = shown.has(number) ? [] : nodes;
    shown.add(number);
    return [{ type: 'element', tag: SLOT_TAG, attributes: { 'data-slot': number }, children }];
  }

  function elementNodes({ t: tag, a, props, key, c, html }: Partial<IslandElement>, depth: number): ContentNode[] {
    if (typeof tag !== 'string') return [];
    if (props !== undefined) return [partNode(tag, String(key), props, Array.isArray(c) ? c : [], depth)];
    const children = Array.isArray(c) ? convert(c, depth + 1) : [];
    const attributes: Record<string, string | number | boolean> = {};
    for (const [key, value] of Object.entries(isRecord(a) ? a : {})) {
      const name = attributeName(key);
      const written = attributeValue(name, value as PropValue);
      if (written !== undefined) attributes[name] = written;
    }
    const name = tag.toLowerCase();
    if (DRESSED.test(name)) attributes['data-plain'] = true;
    if (typeof html !== 'string') return [madeElement(name, attributes, children)];
    const content: ContentNode[] = name === 'style' ? [{ type: 'text', value: html }] : htmlNodes(html);
    return [{ type: 'element', tag: name, attributes, children: content }];
  }

  /** The browser finds a built-in component by its key, and renders what the component shows in its slot again. */
  function partNode(name: string, key: string, props: unknown, content: unknown[], depth: number): ContentNode {
    if (isWithinPart) return componentNode(name, props, convert(content, depth + 1), depth);
    isWithinPart = arranges(name, content, 0);
    const children = convert(content, depth + 1);
    const isWhole = isWithinPart || children.length === 0;
    isWithinPart = false;
    const slot: ContentNode = { type: 'element', tag: SLOT_TAG, attributes: { 'data-content': true }, children };
    const node = componentNode(name, props, isWhole ? children : [slot], depth);
    return { type: 'element', tag: PART_TAG, attributes: { 'data-part': key }, children: [node] };
  }

  function componentNode(name: string, given: unknown, children: ContentNode[], depth: number): ContentNode {
    const props: Record<string, PropValue> = Object.create(null);
    for (const [key, value] of Object.entries(isRecord(given) ? given : {})) {
      if (key !== '__proto__') props[key] = propOf(value, depth + 1);
    }
    return { type: 'component', name, props, children };
  }

  function propOf(value: unknown, depth: number): PropValue {
    if (--left < 0 || depth > MAX_DEPTH) return undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => propOf(item, depth + 1));
    if (!isRecord(value)) return undefined;
    if (Object.hasOwn(value, '$nodes')) return new NodesValue(convert(value.$nodes, depth + 1));
    const plain: Record<string, PropValue> = Object.create(null);
    for (const [key, item] of Object.entries(value)) if (key !== '__proto__') plain[key] = propOf(item, depth + 1);
    return plain;
  }

  return convert(tree as IslandTree, 0);
}

/** Components that arrange the code blocks inside them. */
const CODE_FRAMES = new Set(['CodeGroup', 'RequestExample', 'ResponseExample']);

/** Returns whether a component arranges others that it finds inside (tabs, steps): the build renders them as a whole. */
function arranges(name: string, content: readonly unknown[], depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return content.some((part) => {
    if (Array.isArray(part)) return arranges(name, part, depth + 1);
    if (!isRecord(part)) return false;
    if (part.props === undefined) return Array.isArray(part.c) && arranges(name, part.c, depth + 1);
    return CODE_FRAMES.has(name) || components.get(String(part.t))?.parents?.includes(name) === true;
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
