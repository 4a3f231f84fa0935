import type { Html } from '../../html.ts';
import type { ComponentNode, ContentNode } from '../expand/content-node.ts';
import type { PageRenderer } from '../page-renderer.ts';
import { type PropSchemas, type PropsOf, readProps } from './props.ts';

/**
 * One component of the format, whole: what it is called, what may be written in its tag, and what it becomes. Its page in
 * `docs/components` and the warnings about its calls come from here too.
 */
export interface ComponentDefinition<P extends PropSchemas> {
  /** What it is called in pages: the name that we document first, then other spellings of published pages. */
  readonly names: readonly [string, ...string[]];
  /** What it shows, in a sentence. */
  readonly summary: string;
  readonly props: P;
  /** MDX that shows it, for its page in the documentation; absent where the example of another component shows it. */
  readonly example?: string;
  /** Stands inside a line of text. All others are blocks, which no paragraph may hold. */
  readonly inline?: boolean;
  /** Names of the components that it must stand in directly. */
  readonly parents?: readonly string[];
  /** With an `href` it is one link as a whole (`whole`), or covered by the link of its title, beside which others work (`cover`). */
  readonly link?: 'whole' | 'cover';
  /** Its HTML. Absent where that is the HTML of its Markdown form. */
  html?(props: PropsOf<P>, node: ComponentNode, page: PageRenderer): Html;
  /**
   * Its Markdown form, as plain elements with everything in them that readers see. It is what stands in the `.md` of the page
   * and in `llms-full.txt`, what search finds and what answers quote.
   */
  markdown(props: PropsOf<P>, node: ComponentNode): readonly ContentNode[];
}

/** A component as the renderers use it. */
export interface Component extends Omit<ComponentDefinition<PropSchemas>, 'html' | 'markdown'> {
  html(node: ComponentNode, page: PageRenderer): Html;
  /** The same nodes for the same call, however often it is asked. */
  markdown(node: ComponentNode): readonly ContentNode[];
}

/** Makes a component of its definition. */
export function defineComponent<const P extends PropSchemas>(definition: ComponentDefinition<P>): Component {
  const { html, markdown, props } = definition;
  // The HTML and the sections of a page know a heading by its node, and the texts of a page are asked for several times.
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
