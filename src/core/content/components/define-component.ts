import type { Html } from '../../html.ts';
import type { ComponentNode, ContentNode } from '../expand/content-node.ts';
import type { PageRenderer } from '../page-renderer.ts';
import { type PropSchemas, type PropsOf, readProps } from './props.ts';

/**
 * The complete definition of one component: its names, its props and its output. Its page in `docs/components` and the warnings
 * about its calls are generated from it.
 */
export interface ComponentDefinition<P extends PropSchemas> {
  /** Names in pages: the documented name first, then aliases found in published pages. */
  readonly names: readonly [string, ...string[]];
  /** What it renders, in one sentence. */
  readonly summary: string;
  readonly props: P;
  /** MDX example for its documentation page; absent if another component's example includes it. */
  readonly example?: string;
  /** An inline component. All others are blocks, which paragraphs cannot contain. */
  readonly inline?: boolean;
  /** Names of its required direct parents. */
  readonly parents?: readonly string[];
  /**
   * With an `href`, the whole component is one link (`whole`), or the link of its title covers it and other links still work
   * (`cover`).
   */
  readonly link?: 'whole' | 'cover';
  /** Its HTML. Defaults to the HTML of its Markdown form. */
  html?(props: PropsOf<P>, node: ComponentNode, page: PageRenderer): Html;
  /**
   * Its Markdown form, as plain elements with all visible content. Used for the page's `.md` and `llms-full.txt`, for search and
   * for answers.
   */
  markdown(props: PropsOf<P>, node: ComponentNode): readonly ContentNode[];
}

/** A component as the renderers use it. */
export interface Component extends Omit<ComponentDefinition<PropSchemas>, 'html' | 'markdown'> {
  html(node: ComponentNode, page: PageRenderer): Html;
  /** Returns the same nodes for every request of the same call. */
  markdown(node: ComponentNode): readonly ContentNode[];
}

/** Creates a component from its definition. */
export function defineComponent<const P extends PropSchemas>(definition: ComponentDefinition<P>): Component {
  const { html, markdown, props } = definition;
  // The HTML and the sections of a page identify a heading by its node, and the texts of a page are requested several times.
  const made = new WeakMap<ComponentNode, readonly ContentNode[]>();
  const plain = (node: ComponentNode): readonly ContentNode[] => {
    const nodes = made.get(node) ?? markdown(readProps(props, node), node);
    made.set(node, nodes);
    return nodes;
  };
  return {
    ...definition,
    html: (node, page) => (html ? html(readProps(props, node), node, page) : page.render(plain(node))),
    markdown: plain,
  };
}
