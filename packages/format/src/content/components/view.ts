import { attributes, emptyHtml, html } from '../../html.ts';
import { type ContentNode, PERSONAL } from '../nodes/content-node.ts';
import { titleLine } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import {
  type Component,
  defineComponent,
  ICON_PROPS,
  iconOf,
  labelOf,
  type PropSchemas,
  readProps,
} from './define-component.ts';

/**
 * Title of the initially visible view of each page; the others start hidden to avoid layout shifts
 * when scripts run.
 */
const firstTitles = new WeakMap<PageRenderer, string>();

const view = defineComponent({
  names: ['View'],
  summary:
    'Content for one choice (a language, a platform). A selector switches all views of the page.',
  example: `<View title="macOS" icon="apple">Use the package.</View>
<View title="Linux" icon="terminal">Use the archive.</View>`,
  props: { title: { type: 'title', description: 'The choice.' }, ...ICON_PROPS },
  html(props, node, page) {
    const label = labelOf(props.title) ?? 'View';
    const firstTitle = firstTitles.get(page) ?? label;
    firstTitles.set(page, firstTitle);
    page.need('docent-view');
    const attrs = attributes({
      'data-title': label,
      hidden: label === firstTitle ? undefined : 'until-found',
    });
    const title = props.title ? page.render(props.title) : label;
    return html`<docent-view class="d-view" data-component="view"${attrs}><p class="d-variant-title">${iconOf(props, page)}<span>${title}</span></p>${page.render(
      node.children,
    )}</docent-view>`;
  },
  markdown: ({ title }, { children }) => [...titleLine(title), ...children],
});

const VISIBILITY_PROPS = {
  for: {
    type: 'text',
    values: ['humans', 'agents'],
    description: 'Who sees it; by default, everybody.',
  },
  groups: {
    type: 'list',
    description:
      'Only readers who signed in with any of these groups see it, and only in the page.',
  },
} as const satisfies PropSchemas;

const visibility = defineComponent({
  names: ['Visibility'],
  summary:
    'Content for people only, or for agents only: the latter is not in the page, only in its Markdown.',
  example: `<Visibility for="humans">This is in the page, not in its Markdown.</Visibility>
<Visibility for="agents">This is only in the Markdown of the page.</Visibility>`,
  props: VISIBILITY_PROPS,
  html: (props, node, page) => (props.for === 'agents' ? emptyHtml : page.render(node.children)),
});

/** Removes the nodes for the other audience. Returns the same array if nothing changes. */
export function visibleTo(
  audience: 'humans' | 'agents',
  nodes: readonly ContentNode[],
): readonly ContentNode[] {
  if (nodes.every(isForEverybody)) return nodes;
  let isSame = true;
  const visibleNodes = nodes.flatMap((node): ContentNode[] => {
    if (node.type !== 'element' && node.type !== 'component') return [node];
    if (node.type === 'component' && visibility.names.includes(node.name)) {
      const readers = readProps(VISIBILITY_PROPS, node).for;
      if (readers !== undefined && readers !== audience) {
        isSame = false;
        return [];
      }
    }
    const children = visibleTo(audience, node.children);
    if (node.type === 'component' && node.name === PERSONAL) {
      isSame = false;
      return [...children];
    }
    if (children === node.children) return [node];
    isSame = false;
    return [{ ...node, children: [...children] }];
  });
  return isSame ? nodes : visibleNodes;
}

function isForEverybody(node: ContentNode): boolean {
  if (node.type !== 'element' && node.type !== 'component') return true;
  const isDivided =
    node.type === 'component' && (node.name === PERSONAL || visibility.names.includes(node.name));
  return !isDivided && node.children.every(isForEverybody);
}

const variation = defineComponent({
  names: ['Variation'],
  summary:
    'Content for some readers. All variations are shown, each below the names of its readers.',
  example: "<Variation is={['free', 'pro']}>Both plans have this.</Variation>",
  props: { is: { type: 'list', description: 'Its readers.' } },
  html({ is }, node, page) {
    const label =
      is.length > 0
        ? html`<p class="d-variant-title"><span>${is.join(', ')}</span></p>`
        : undefined;
    return html`<div class="d-view" data-component="variation"${attributes({ 'data-variation': is.join(' ') || undefined })}>${label}${page.render(node.children)}</div>`;
  },
  markdown: ({ is }, { children }) => [...titleLine(is.join(', ')), ...children],
});

export const views: readonly Component[] = [view, visibility, variation];
