import { attributes, escapeHtml, type Html, html, trustedHtml } from '@docent/format/html.ts';
import type { ResolveLink } from '@docent/format/links.ts';
import type {
  MenuGroup,
  MenuItem,
  PageMenu,
  SidebarPage,
} from '@docent/format/navigation/navigation.ts';
import { oncePerObject } from '@docent/format/once.ts';
import { fill } from '../translations/fill.ts';
import { type Frame, linkTo, oncePerScope, siteIcon } from '../view/frame.ts';
import type { SiteView } from '../view/page-view.ts';
import { drawerLinks, logo } from './header.ts';
import { interfaceIcon } from './icons.ts';
import { aboveSidebar, drawerLevels, navTag, type PlacedLevels } from './levels.ts';

/**
 * A sidebar rendered once for all pages that share it. They differ only in the places of
 * `aria-current` and `open`, so those offsets are stored for each page, and the text is spliced
 * there.
 */
interface RenderedSidebar {
  markup: string;
  /** Page path → offsets, ascending: of its links and of the closed branches around them. */
  places: Map<string, Place[]>;
}

interface Place {
  offset: number;
  text: string;
}

interface Draft {
  frame: Frame;
  out: string;
  places: Map<string, Place[]>;
  /** Offsets of the closed branches around the current node. */
  branches: number[];
}

const CURRENT = ' aria-current="page"';
/** On the list item, for the CSS of authors. */
const ACTIVE = ' data-active="true"';
const OPEN = ' open';

function addPlace(draft: Draft, path: string, offset: number, text: string): void {
  const places = draft.places.get(path);
  if (!places) draft.places.set(path, [{ offset, text }]);
  else if (!places.some((place) => place.offset === offset)) places.push({ offset, text });
}

function markLink(draft: Draft, path: string): void {
  for (const offset of draft.branches) addPlace(draft, path, offset, OPEN);
  addPlace(draft, path, draft.out.length, CURRENT);
}

function renderPage(draft: Draft, page: SidebarPage): void {
  draft.out += '<li';
  if (!page.external) addPlace(draft, page.path, draft.out.length, ACTIVE);
  draft.out += `><a href="${escapeHtml(linkTo(draft.frame, page.href))}"`;
  if (page.external) draft.out += ' rel="noreferrer" class="d-elsewhere"';
  else markLink(draft, page.path);
  draft.out += '>';
  if (page.method) {
    const method = escapeHtml(page.method.toUpperCase());
    draft.out += `<span class="d-nav-method method-nav-pill" data-method="${method}">${method === 'DELETE' ? 'DEL' : method}</span>`;
  }
  draft.out += siteIcon(draft.frame, page.icon).value;
  const { method, icon, tag, external, deprecated } = page;
  const label = escapeHtml(page.label);
  if (!(method || icon || tag || external || deprecated)) {
    draft.out += `${label}</a></li>`;
    return;
  }
  draft.out += `<span${deprecated ? ' class="d-nav-deprecated"' : ''}>${label}</span>${navTag(tag).value}`;
  if (page.external)
    draft.out += `<span class="d-vh"> (${escapeHtml(draft.frame.locale.messages.opensElsewhere)})</span>`;
  draft.out += '</a></li>';
}

function renderLabel(draft: Draft, group: MenuGroup): string {
  const label = escapeHtml(group.label);
  if (!group.icon && !group.tag) return label;
  return `${siteIcon(draft.frame, group.icon).value}<span>${label}</span>${navTag(group.tag).value}`;
}

function renderLink(draft: Draft, group: MenuGroup, href: string, className: string): void {
  draft.out += `<a${className} href="${escapeHtml(linkTo(draft.frame, href))}"`;
  if (group.isCut) draft.out += ' data-cut';
  if (group.path !== undefined) markLink(draft, group.path);
  draft.out += `>${renderLabel(draft, group)}</a>`;
}

function renderEntry(draft: Draft, item: Exclude<MenuItem, MenuGroup>): void {
  if (item.kind === 'page') renderPage(draft, item);
  else
    draft.out += `<li data-more><a href="${escapeHtml(linkTo(draft.frame, item.href))}"><span>&#8230; ${escapeHtml(item.label)}</span></a></li>`;
}

function renderItems(draft: Draft, items: readonly MenuItem[]): void {
  for (const item of items) {
    if (item.kind === 'group') renderBranch(draft, item);
    else renderEntry(draft, item);
  }
}

function renderBranch(draft: Draft, group: MenuGroup): void {
  draft.out += '<li>';
  if (group.href !== undefined) renderLink(draft, group, group.href, '');
  renderDisclosure(draft, group, '');
  draft.out += '</li>';
}

/**
 * A `<summary>` cannot contain a link, so a branch with a link is that link beside a bare
 * disclosure. That of a branch that is not in the page is added by the script that loads it
 * (`whole-menu.ts`).
 */
function renderDisclosure(draft: Draft, group: MenuGroup, titleClass: string): void {
  if (group.isCut) return;
  const outer = draft.branches;
  draft.out += '<details class="d-branch"';
  if (group.expanded) draft.out += OPEN;
  else {
    draft.branches = [...outer, draft.out.length];
    if (group.path !== undefined) addPlace(draft, group.path, draft.out.length, OPEN);
  }
  if (group.href === undefined)
    draft.out += `><summary${titleClass}>${renderLabel(draft, group)}</summary>`;
  else
    draft.out += `><summary aria-label="${escapeHtml(fill(draft.frame.locale.messages.showPagesOf, { label: group.label }))}"></summary>`;
  draft.out += '<ul>';
  renderItems(draft, group.items);
  draft.out += '</ul></details>';
  draft.branches = outer;
}

function renderTopGroup(draft: Draft, group: MenuGroup): void {
  draft.out += '<div class="sidebar-group">';
  const titleClass = 'sidebar-group-header';
  if (group.href !== undefined) renderLink(draft, group, group.href, ` class="${titleClass}"`);
  else if (!group.folds)
    draft.out += `<div class="${titleClass}">${renderLabel(draft, group)}</div>`;
  if (group.folds) renderDisclosure(draft, group, ` class="${titleClass}"`);
  else {
    draft.out += '<ul>';
    renderItems(draft, group.items);
    draft.out += '</ul>';
  }
  draft.out += '</div>';
}

function renderSidebar(frame: Frame, items: readonly MenuItem[]): RenderedSidebar {
  const draft: Draft = { frame, out: '', places: new Map(), branches: [] };
  let listOpen = false;
  for (const item of items) {
    const isGroup = item.kind === 'group';
    if (!isGroup && !listOpen) draft.out += '<div><ul>';
    if (isGroup && listOpen) draft.out += '</ul></div>';
    listOpen = !isGroup;
    if (isGroup) renderTopGroup(draft, item);
    else renderEntry(draft, item);
  }
  if (listOpen) draft.out += '</ul></div>';
  for (const places of draft.places.values()) places.sort((a, b) => a.offset - b.offset);
  return { markup: draft.out, places: draft.places };
}

/**
 * Renders the list of pages with the current one marked and the branches around it open.
 * @param path `BuiltPage.path` of the current page; undefined if there is none
 */
function sidebarMarkup(frame: Frame, items: readonly MenuItem[], path: string | undefined): string {
  const render = oncePerScope(frame, 'sidebars', () =>
    oncePerObject((list: readonly MenuItem[]) => renderSidebar(frame, list)),
  );
  const { markup, places } = render(items);
  const pagePlaces = path === undefined ? undefined : places.get(path);
  if (!pagePlaces) return markup;
  let out = '';
  let from = 0;
  for (const place of pagePlaces) {
    out += markup.slice(from, place.offset) + place.text;
    from = place.offset;
  }
  return out + markup.slice(from);
}

/**
 * Stands for the address of the root of the site, which differs by page: a character that no
 * address contains.
 */
const ROOT_MARK = '\u007f';

/**
 * Renders the whole of a list of pages that is in a file, whose addresses are the same for every
 * page.
 */
export function wholeSidebarMarkup(frame: Frame, items: readonly MenuItem[]): string {
  const prefix = frame.site.rootPrefix?.({ href: frame.href }) ?? '/';
  const resolve: ResolveLink = (kind, target) => {
    const address = frame.resolve(kind, target);
    return address.startsWith(prefix) ? ROOT_MARK + address.slice(prefix.length) : address;
  };
  return renderSidebar({ ...frame, resolve }, items).markup;
}

/**
 * The file of each list, by site and language: its name contains its hash, so it is rendered once.
 */
const fileNames = oncePerObject((_: SiteView) => new WeakMap<readonly MenuItem[], string>());

function wholeSidebarFile(frame: Frame, items: readonly MenuItem[]): string | undefined {
  const names = fileNames(frame.site);
  const name = names.get(items) ?? frame.site.menuFile?.(wholeSidebarMarkup(frame, items));
  if (name !== undefined) names.set(items, name);
  return name;
}

/**
 * The list of pages as the drawer of small screens; `sidebar` is the surrounding column of wide
 * ones.
 */
export const DRAWER_ID = 'mobile-nav';

/**
 * The container of the list of pages: a column on wide screens, a drawer on small ones. It is a
 * popover, so that the drawer opens without scripts; on wide screens the style sheet always shows
 * it.
 */
export function sidebarPanel(
  frame: Frame,
  levels: PlacedLevels,
  { sidebar: items, wholeSidebar }: Pick<PageMenu, 'sidebar' | 'wholeSidebar'>,
  path: string | undefined,
): Html {
  const { messages } = frame.locale;
  const head = oncePerScope(
    frame,
    'drawer-head',
    () =>
      html`<div class="d-drawer-head">${logo(frame)}<button type="button" class="d-btn-square" popovertarget="${DRAWER_ID}" popovertargetaction="hide" aria-label="${messages.closeMenu}">${interfaceIcon('close', 18)}</button></div>`,
  );
  const foot = oncePerScope(
    frame,
    'drawer-foot',
    () => html`<div class="d-drawer-part d-drawer-foot">${drawerLinks(frame)}</div>`,
  );
  const whole = wholeSidebar && {
    'data-menu': wholeSidebarFile(frame, wholeSidebar),
    'data-show': messages.showPagesOf,
  };
  return html`<div id="${DRAWER_ID}" class="d-sidebar" popover><div id="sidebar-content" class="d-sidebar-scroll">${head}<div class="d-drawer-part">${drawerLevels(frame, levels)}</div>${aboveSidebar(frame, levels)}<nav id="navigation-items" class="d-nav" aria-label="${messages.pages}"${attributes(whole ?? {})}>${trustedHtml(sidebarMarkup(frame, items, path))}</nav>${foot}</div></div>`;
}
