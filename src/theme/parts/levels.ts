import { emptyHtml, type Html, html } from '../../core/html.ts';
import type { DivisionKind, MenuLevel, PageMenu } from '../../core/navigation/navigation.ts';
import { type Frame, siteIcon } from '../frame.ts';
import { choiceAttributes, switcher } from './switcher.ts';

/** Position of each row of choices. */
export interface PlacedLevels {
  tabs?: MenuLevel;
  /** Small menus beside the logo: products, versions. */
  beside: MenuLevel[];
  languages: MenuLevel[];
  /** Wide menus above the list of pages: dropdowns, the menu of a tab, further rows of tabs. */
  above: MenuLevel[];
  anchors?: MenuLevel;
}

function merged(menu: PageMenu, kind: DivisionKind): MenuLevel[] {
  const own = menu.levels.filter((level) => level.kind === kind);
  const global = menu.global.filter((level) => level.kind === kind).flatMap((level) => level.items);
  if (global.length === 0) return own;
  const last = own.at(-1) ?? { kind, items: [] };
  return [...own.slice(0, -1), { kind, items: [...last.items, ...global] }];
}

/** Decides the position of a page's rows of choices. Choices on every page join the row of their kind. */
export function placeLevels(menu: PageMenu): PlacedLevels {
  const [tabs, ...furtherTabs] = merged(menu, 'tab');
  const [anchors, ...furtherAnchors] = merged(menu, 'anchor');
  return {
    tabs,
    beside: [...merged(menu, 'product'), ...merged(menu, 'version')],
    languages: merged(menu, 'language'),
    above: [...merged(menu, 'dropdown'), ...furtherTabs, ...merged(menu, 'menu'), ...furtherAnchors],
    anchors,
  };
}

/** Whether to show the row of tabs: not for a single tab. */
export function hasTabs(levels: PlacedLevels): boolean {
  return (levels.tabs?.items.length ?? 0) > 1;
}

function linkList(frame: Frame, level: MenuLevel, itemClass: string): Html {
  const items = level.items.map((item) => {
    const tag = item.tag ? html`<span class="d-nav-tag nav-tag-pill">${item.tag}</span>` : emptyHtml;
    return html`<li><a class="${itemClass}"${choiceAttributes(frame, item)}>${siteIcon(frame, item.icon)}<span>${item.label}</span>${tag}</a></li>`;
  });
  return html`<ul>${items}</ul>`;
}

/** The row of tabs under the header. */
export function tabBar(frame: Frame, levels: PlacedLevels): Html {
  if (!levels.tabs || !hasTabs(levels)) return emptyHtml;
  return html`<nav class="d-navtabs nav-tabs" aria-label="${frame.locale.messages.sections}">${linkList(frame, levels.tabs, 'd-navtab nav-tabs-item')}</nav>`;
}

/** The rows above the list of pages: wide menus, then anchors. */
export function aboveSidebar(frame: Frame, levels: PlacedLevels): Html {
  const anchors = levels.anchors
    ? html`<nav class="d-anchors nav-anchors" aria-label="${frame.locale.messages.shortcuts}">${linkList(frame, levels.anchors, 'd-anchor-link nav-anchor')}</nav>`
    : emptyHtml;
  return html`${levels.above.map((level) => switcher(frame, level, 'block'))}${anchors}`;
}

/** Repeats the choices of the header in the drawer of small screens. */
export function drawerLevels(frame: Frame, levels: PlacedLevels): Html {
  const rows = [...levels.beside, ...levels.languages].map((level) => switcher(frame, level, 'block'));
  const tabs =
    levels.tabs && hasTabs(levels)
      ? html`<nav class="d-anchors" aria-label="${frame.locale.messages.sections}">${linkList(frame, levels.tabs, 'd-anchor-link')}</nav>`
      : emptyHtml;
  return html`${rows}${tabs}`;
}
