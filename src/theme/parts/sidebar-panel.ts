import { type Html, html, trustedHtml } from '../../core/html.ts';
import type { SidebarItem } from '../../core/navigation/navigation.ts';
import { type Frame, oncePerScope } from '../frame.ts';
import { drawerLinks, logo } from './header.ts';
import { interfaceIcon } from './interface-icons.ts';
import { aboveSidebar, drawerLevels, type PlacedLevels } from './levels.ts';
import { sidebarMarkup } from './sidebar.ts';

/** The list of pages as the drawer of small screens; `sidebar` is the surrounding column of wide ones. */
export const DRAWER_ID = 'mobile-nav';

/**
 * The container of the list of pages: a column on wide screens, a drawer on small ones. It is a popover, so that the drawer opens
 * without scripts; on wide screens the style sheet always shows it.
 */
export function sidebarPanel(frame: Frame, levels: PlacedLevels, items: readonly SidebarItem[], path: string | undefined): Html {
  const { messages } = frame.locale;
  const head = oncePerScope(
    frame,
    'drawer-head',
    () =>
      html`<div class="d-drawer-head">${logo(frame)}<button type="button" class="d-icon-button" popovertarget="${DRAWER_ID}" popovertargetaction="hide" aria-label="${messages.closeMenu}">${interfaceIcon('close', 18)}</button></div>`
        .value,
  );
  const foot = oncePerScope(
    frame,
    'drawer-foot',
    () => html`<div class="d-drawer-part d-drawer-foot">${drawerLinks(frame)}</div>`.value,
  );
  return html`<div id="${DRAWER_ID}" class="d-sidebar" popover><div id="sidebar-content" class="d-sidebar-scroll">${trustedHtml(head)}<div class="d-drawer-part">${drawerLevels(frame, levels)}</div>${aboveSidebar(frame, levels)}<nav id="navigation-items" class="d-nav" aria-label="${messages.pages}">${trustedHtml(sidebarMarkup(frame, items, path))}</nav>${trustedHtml(foot)}</div></div>`;
}
