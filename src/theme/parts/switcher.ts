import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { DivisionKind, MenuChoice, MenuLevel } from '../../core/navigation/navigation.ts';
import { type Frame, isExternal, linkTo, siteIcon } from '../frame.ts';
import { interfaceIcon } from './interface-icons.ts';

function kindLabel(frame: Frame, kind: DivisionKind): string {
  const { messages } = frame.locale;
  if (kind === 'version') return messages.version;
  if (kind === 'language') return messages.language;
  return kind === 'product' ? messages.product : messages.section;
}

function tag(choice: MenuChoice): Html {
  return choice.tag ? html`<span class="d-nav-tag nav-tag-pill">${choice.tag}</span>` : emptyHtml;
}

/** Attributes of a link to a choice: its target, and whether it is current. */
export function choiceAttributes(frame: Frame, choice: MenuChoice): Html {
  const elsewhere = isExternal(choice.href) ? ' rel="noreferrer"' : '';
  const active = choice.active ? ' aria-current="true" data-active="true"' : '';
  return trustedHtml(` href="${linkTo(frame, choice.href)}"${elsewhere}${active}`);
}

function option(frame: Frame, choice: MenuChoice): Html {
  const description = choice.description
    ? html`<span class="d-menu-text nav-dropdown-item-description">${choice.description}</span>`
    : emptyHtml;
  const icon = siteIcon(frame, choice.icon);
  return html`<li><a class="d-menu-item nav-dropdown-item"${choiceAttributes(frame, choice)}>${icon}<span class="d-menu-label"><span class="nav-dropdown-item-title">${choice.label}${tag(choice)}</span>${description}</span></a></li>`;
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
    place === 'block' && active?.description ? html`<span class="d-menu-text">${active.description}</span>` : emptyHtml;
  // Names that the CSS of authors knows. The drawer repeats the menu, and an id is unique.
  const isSelect = level.kind === 'language' && place === 'header';
  const id = (part: string) => (isSelect ? html` id="localization-select-${part}"` : emptyHtml);
  return html`<details class="d-switch d-switch-${place}" data-menu data-kind="${level.kind}"><summary class="nav-dropdown-trigger"${id('trigger')}>${glyph}<span class="d-vh">${kindLabel(frame, level.kind)}: </span><span class="d-switch-label"><span>${label}</span>${description}</span></summary><ul class="d-menu nav-dropdown-content"${id('content')}>${level.items.map((item) => option(frame, item))}</ul></details>`;
}
