import { attributes, type Html, html, joinHtml } from '../../html.ts';
import type { ComponentNode } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { childComponents, looseNodes } from './child-components.ts';
import { anchorProp, flagProp, iconProp, listProp, numberProp, plainProp, richProp } from './props.ts';

const TAB_NAMES = ['Tab', 'Tabs.Tab', 'TabItem'];

/** One tab of a strip. */
export interface TabView {
  title: Html;
  /** Plain text of the title: tabs of one title are chosen together across a page. */
  label: string;
  icon?: Html;
  /** Absent where nothing links to the panel. */
  id?: string;
  panel: Html;
}

/** The buttons of a strip. The first selected one is in the tab order; arrow keys reach the others (ARIA tabs pattern). */
export function tabList(tabs: readonly TabView[], selected: number): Html {
  const buttons = tabs.map((tab, index) => {
    const attrs = attributes({
      'aria-selected': index === selected ? 'true' : 'false',
      tabindex: index === selected ? undefined : '-1',
    });
    return html`<button type="button" role="tab" class="d-tab-button"${attrs}>${tab.icon}<span>${tab.title}</span></button>`;
  });
  return html`<div class="d-tab-list" role="tablist">${joinHtml(buttons)}</div>`;
}

/**
 * The panels of a strip. All are in the page, for search engines, printing and readers without scripts; browsers
 * that know `until-found` also let the reader search in the hidden ones.
 * @param focusable whether the panel itself takes focus; not where it holds something that does
 */
export function tabPanels(tabs: readonly TabView[], selected: number, focusable: boolean): Html {
  const panels = tabs.map((tab, index) => {
    const attrs = attributes({
      id: tab.id,
      'data-title': tab.label,
      tabindex: focusable ? '0' : undefined,
      hidden: index === selected ? undefined : 'until-found',
    });
    return html`<div class="d-tab-panel" role="tabpanel"${attrs}>${tab.panel}</div>`;
  });
  return joinHtml(panels);
}

/** `Tabs`. Titles may also come from `items={[…]}`, one for each child. */
export const tabs: ComponentRenderer = (node, page) => {
  const items = listProp(node, 'items');
  const children = childComponents(node.children, ...TAB_NAMES);
  const views = children.map((child, index) => tabView(child, page, items[index] ?? `Tab ${index + 1}`));
  if (views.length === 0) return page.render(node.children);
  page.need('docent-tabs');
  const selected = Math.min(Math.max(Math.round(numberProp(node, 'defaultTabIndex') ?? 0), 0), views.length - 1);
  const attrs = attributes({
    'data-sync': flagProp(node, 'sync', true) ? undefined : 'false',
    'data-border': flagProp(node, 'borderBottom'),
  });
  const loose = looseNodes(node.children, ...TAB_NAMES);
  return html`<docent-tabs class="d-tab-group tabs" data-component="tabs"${attrs}>${tabList(views, selected)}${tabPanels(views, selected, true)}</docent-tabs>${
    loose.length > 0 ? page.render(loose) : undefined
  }`;
};

/** `Tab` outside `Tabs`: its title and what is in it. */
export const tab: ComponentRenderer = (node, page) => {
  const title = richProp(node, page, 'title', 'label');
  return html`<div class="d-tab-alone" data-component="tab">${title && html`<p class="d-steps-title">${title}</p>`}${page.render(node.children)}</div>`;
};

function tabView(node: ComponentNode, page: PageRenderer, fallback: string): TabView {
  const label = plainProp(node, page, 'title', 'label', 'value') ?? fallback;
  return {
    label,
    title: richProp(node, page, 'title', 'label', 'value') ?? html`${fallback}`,
    icon: iconProp(node, page),
    id: anchorProp(node, page, label),
    panel: page.render(node.children),
  };
}
