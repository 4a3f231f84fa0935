import type { ContentNode, ElementNode, PropValue } from '../expand/content-node.ts';
import type { Place } from '../expressions/value.ts';
import { ISLAND_TAG } from './island.ts';
import { type IslandProps, writeIslandProps } from './island-props.ts';

/** A place of the page that waits for what a component of the author renders there. */
export interface IslandRequest {
  name: string;
  file: string;
  code: string;
  props: IslandProps;
  place: Place;
  /** Stands in the page already; filled when the component has run. */
  node: ElementNode;
}

/** The name of the component as readers may see it. */
const MAX_NAME = 60;

/** The islands of one page, in the order in which they were met. */
export class IslandList {
  readonly requests: IslandRequest[] = [];

  /**
   * @param code JavaScript of a component that makes the call
   * @param file whose names the call uses
   * @returns the node that takes the place of the call
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
