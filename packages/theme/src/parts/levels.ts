import { emptyHtml, type Html, html } from '@docent/format/html.ts';
import type {
  DivisionKind,
  MenuChoice,
  MenuLevel,
  PageMenu,
} from '@docent/format/navigation/navigation.ts';
import { type Frame, linkAttributes, siteIcon } from '../view/frame.ts';
import { interfaceIcon } from './icons.ts';

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
  const pageLevels = menu.levels.filter((level) => level.kind === kind);
  const global = menu.global.filter((level) => level.kind === kind).flatMap((level) => level.items);
  if (global.length === 0) return pageLevels;
  const last = pageLevels.at(-1) ?? { kind, items: [] };
  return [...pageLevels.slice(0, -1), { kind, items: [...last.items, ...global] }];
}

/**
 * Decides the position of a page's rows of choices. Choices on every page join the row of their
 * kind.
 */
export function placeLevels(menu: PageMenu): PlacedLevels {
  const [tabs, ...furtherTabs] = merged(menu, 'tab');
  const [anchors, ...furtherAnchors] = merged(menu, 'anchor');
  return {
    tabs,
    beside: [...merged(menu, 'product'), ...merged(menu, 'version')],
    languages: merged(menu, 'language'),
    above: [
      ...merged(menu, 'dropdown'),
      ...furtherTabs,
      ...merged(menu, 'menu'),
      ...furtherAnchors,
    ],
    anchors,
  };
}

/** Whether to show the row of tabs: not for a single tab. */
export function hasTabs(levels: PlacedLevels): boolean {
  return (levels.tabs?.items.length ?? 0) > 1;
}

function choiceLinks(frame: Frame, level: MenuLevel, itemClass: string): Html[] {
  return level.items.map(
    (item) =>
      html`<a class="${itemClass}"${choiceAttributes(frame, item)}>${siteIcon(frame, item.icon)}<span>${item.label}</span>${navTag(item.tag)}</a>`,
  );
}

function linkList(frame: Frame, level: MenuLevel, itemClass: string): Html {
  return html`<ul>${choiceLinks(frame, level, itemClass).map((link) => html`<li>${link}</li>`)}</ul>`;
}

/**
 * The row of tabs under the header, in the shape of the hosted service: phones hide the element
 * around `.nav-tabs`, so that a site's own CSS may lay out the links.
 */
export function tabBar(frame: Frame, levels: PlacedLevels): Html {
  if (!levels.tabs || !hasTabs(levels)) return emptyHtml;
  return html`<nav class="d-toplinks" aria-label="${frame.locale.messages.sections}"><div class="nav-tabs">${choiceLinks(frame, levels.tabs, 'd-toplink nav-tabs-item')}</div></nav>`;
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
  const rows = [...levels.beside, ...levels.languages].map((level) =>
    switcher(frame, level, 'block'),
  );
  const tabs =
    levels.tabs && hasTabs(levels)
      ? html`<nav class="d-anchors" aria-label="${frame.locale.messages.sections}">${linkList(frame, levels.tabs, 'd-anchor-link')}</nav>`
      : emptyHtml;
  return html`${rows}${tabs}`;
}

function kindLabel(frame: Frame, kind: DivisionKind): string {
  const { messages } = frame.locale;
  if (kind === 'version') return messages.version;
  if (kind === 'language') return messages.language;
  return kind === 'product' ? messages.product : messages.section;
}

/** The tag beside the name of a page or a choice. */
export function navTag(text: string | undefined): Html {
  return text ? html`<span class="d-nav-tag nav-tag-pill">${text}</span>` : emptyHtml;
}

/** Attributes of a link to a choice: its target, and whether it is current. */
function choiceAttributes(frame: Frame, choice: MenuChoice): Html {
  return html`${linkAttributes(frame, choice.href)}${choice.active && html` aria-current="true" data-active="true"`}`;
}

function option(frame: Frame, choice: MenuChoice): Html {
  const description = choice.description
    ? html`<span class="d-menu-text nav-dropdown-item-description">${choice.description}</span>`
    : emptyHtml;
  const icon = siteIcon(frame, choice.icon);
  return html`<li><a class="d-menu-item nav-dropdown-item"${choiceAttributes(frame, choice)}>${icon}<span class="d-menu-label"><span class="nav-dropdown-item-title">${choice.label}${navTag(choice.tag)}</span>${description}</span></a></li>`;
}

/**
 * Renders a row of choices as a menu that opens without scripts. Nothing without alternatives.
 * @param place `header` for the small one in the bar, `block` for one as wide as the sidebar
 */
export function switcher(frame: Frame, level: MenuLevel, place: 'header' | 'block'): Html {
  const active = level.items.find((item) => item.active);
  if (level.items.length === 0 || (level.items.length === 1 && active)) return emptyHtml;
  const icon = active ? siteIcon(frame, active.icon) : emptyHtml;
  const glyph = level.kind === 'language' && place === 'header' ? interfaceIcon('globe') : icon;
  const label = active ? active.label : kindLabel(frame, level.kind);
  const description =
    place === 'block' && active?.description
      ? html`<span class="d-menu-text">${active.description}</span>`
      : emptyHtml;
  // Names that the CSS of authors knows. The drawer repeats the menu, and an id is unique.
  const isSelect = level.kind === 'language' && place === 'header';
  const id = (part: string) => (isSelect ? html` id="localization-select-${part}"` : emptyHtml);
  return html`<details class="d-switch d-switch-${place}" data-menu data-kind="${level.kind}"><summary class="nav-dropdown-trigger"${id('trigger')}>${glyph}<span class="d-vh">${kindLabel(frame, level.kind)}: </span><span class="d-switch-label"><span>${label}</span>${description}</span></summary><ul class="d-menu nav-dropdown-content"${id('content')}>${level.items.map((item) => option(frame, item))}</ul></details>`;
}
