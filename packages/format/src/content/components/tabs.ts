import { attributes, type Html, html, joinHtml } from '../../html.ts';
import type { ComponentNode } from '../nodes/content-node.ts';
import { childComponents, looseNodes, nodes, titleLine } from '../nodes/plain-nodes.ts';
import {
  anchorOf,
  type Component,
  defineComponent,
  ICON_PROPS,
  ID_PROP,
  iconOf,
  labelOf,
  type PropSchemas,
  type PropsOf,
  readProps,
} from './define-component.ts';

const TAB_NAMES = ['Tab', 'Tabs.Tab', 'TabItem'] as const;

/** One tab of a strip. */
export interface TabView {
  title: Html;
  /** Plain text of the title: tabs with the same title are selected together across a page. */
  label: string;
  icon?: Html | undefined;
  /** Absent if nothing links to the panel. */
  id?: string;
  panel: Html;
}

/**
 * The buttons of a tab list. The first selected one is in the tab order; arrow keys reach the
 * others (ARIA tabs pattern).
 */
export function tabList(tabs: readonly TabView[], selected: number): Html {
  const buttons = tabs.map((tab, index) => {
    const attrs = attributes({
      'aria-selected': index === selected ? 'true' : 'false',
      'data-active': index === selected ? 'true' : 'false',
      tabindex: index === selected ? undefined : '-1',
    });
    return html`<button type="button" role="tab" class="d-pane-head" data-component-part="tab-button"${attrs}>${tab.icon}<span>${tab.title}</span></button>`;
  });
  return html`<div class="d-pane-bar" data-component-part="tabs-list" role="tablist">${joinHtml(buttons)}</div>`;
}

/**
 * The panels of a tab list. All are in the page, for search engines, printing and readers without
 * scripts; browsers that support
 * `until-found` also search the hidden ones.
 * @param focusable whether the panel itself is focusable; not if it contains focusable content
 */
export function tabPanels(tabs: readonly TabView[], selected: number, focusable: boolean): Html {
  const panels = tabs.map((tab, index) => {
    const attrs = attributes({
      id: tab.id,
      'data-title': tab.label,
      tabindex: focusable ? '0' : undefined,
      hidden: index === selected ? undefined : 'until-found',
    });
    return html`<div class="d-pane" role="tabpanel"${attrs}>${tab.panel}</div>`;
  });
  return joinHtml(panels);
}

const TAB_PROPS = {
  title: {
    type: 'title',
    required: 'items',
    aliases: ['label', 'value'],
    description: 'The title.',
  },
  ...ICON_PROPS,
  ...ID_PROP,
} as const satisfies PropSchemas;

const TABS_PROPS = {
  items: { type: 'list', description: 'Titles for tabs without a title.' },
  defaultTabIndex: {
    type: 'number',
    default: 0,
    description: 'The initially selected tab, counted from 0.',
  },
  sync: {
    type: 'flag',
    default: true,
    description: 'Whether groups with the same titles switch together.',
  },
  borderBottom: { type: 'flag', description: 'A line below the content.' },
} as const satisfies PropSchemas;

function tabsIn({ items }: PropsOf<typeof TABS_PROPS>, { children }: ComponentNode) {
  return childComponents(children, ...TAB_NAMES).map((node, index) => {
    const props = readProps(TAB_PROPS, node);
    return { node, props, title: props.title ?? nodes(items[index] ?? `Tab ${index + 1}`) };
  });
}

const tabs = defineComponent({
  names: ['Tabs'],
  summary: 'Content in tabs; groups with the same titles switch together.',
  example: `<Tabs>
  <Tab title="macOS">Use the package.</Tab>
  <Tab title="Linux">Use the archive.</Tab>
  <Tab title="Windows">Use the installer.</Tab>
</Tabs>`,
  props: TABS_PROPS,
  html(props, node, page) {
    const views = tabsIn(props, node).map(({ node: tab, props: tabProps, title }): TabView => {
      const label = labelOf(title) ?? '';
      const icon = iconOf(tabProps, page);
      return {
        label,
        icon,
        title: page.render(title),
        id: anchorOf(tabProps, tab, page, label),
        panel: page.render(tab.children),
      };
    });
    if (views.length === 0) return page.render(node.children);
    page.need('docent-tabs');
    const selected = Math.min(Math.max(Math.round(props.defaultTabIndex), 0), views.length - 1);
    const attrs = attributes({
      'data-sync': props.sync ? undefined : 'false',
      'data-border': props.borderBottom,
    });
    const loose = looseNodes(node.children, ...TAB_NAMES);
    return html`<docent-tabs class="d-tabs tabs" data-component="tabs"${attrs}>${tabList(views, selected)}${tabPanels(views, selected, true)}</docent-tabs>${
      loose.length > 0 ? page.render(loose) : undefined
    }`;
  },
  markdown(props, node) {
    const tabItems = tabsIn(props, node);
    if (tabItems.length === 0) return node.children;
    return [
      ...tabItems.flatMap(({ node: tab, title }) => [...titleLine(title), ...tab.children]),
      ...looseNodes(node.children, ...TAB_NAMES),
    ];
  },
});

const tab = defineComponent({
  names: TAB_NAMES,
  parents: tabs.names,
  summary: 'One of the tabs.',
  props: TAB_PROPS,
  html: ({ title }, node, page) =>
    html`<div class="d-tab" data-component="tab">${title && html`<p class="d-stage-title">${page.render(title)}</p>`}${page.render(node.children)}</div>`,
  markdown: ({ title }, { children }) => [...titleLine(title), ...children],
});

export const tabComponents: readonly Component[] = [tabs, tab];
