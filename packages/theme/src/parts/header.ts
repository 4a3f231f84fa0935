import type { NavbarLink, SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { emptyHtml, type Html, html } from '@docent/format/html.ts';
import {
  type Frame,
  fileAt,
  linkAttributes,
  linkTo,
  oncePerScope,
  siteIcon,
} from '../view/frame.ts';
import { narrowText } from '../view/narrow-signs.ts';
import { interfaceIcon, socialIcon, socialLabel } from './icons.ts';
import { type PlacedLevels, switcher, tabBar } from './levels.ts';

/** `https://github.com/owner/name` → `owner/name`: the label of a bare repository link. */
function repositoryName(address: string): string | undefined {
  return /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i.exec(address)?.[1];
}

/** 12345 → `12.3k`. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [unit, sign] = count < 999_950 ? [1000, 'k'] : [1_000_000, 'M'];
  return `${(count / unit).toFixed(1).replace(/\.0$/, '')}${sign}`;
}

/** Stars of a repository, online members of a server; nothing if the count is unknown. */
function linkCount({
  type,
  count,
}: Pick<NavbarLink, 'count'> & { type?: string | undefined }): Html {
  if (count === undefined) return emptyHtml;
  return html`<span class="d-link-count" data-count="${type}">${shortCount(count)}</span>`;
}

type Primary = NonNullable<SiteConfig['navbar']['primary']>;

/** The content of the header's button if it links to a repository or a server. */
function platformLink(frame: Frame, primary: Primary): Html {
  const label = primary.label || repositoryName(primary.href) || socialLabel(primary.type);
  return html`${socialIcon(frame, primary.type)}<span>${label}</span>${linkCount(primary)}`;
}

/**
 * The header's button, in the shape of the hosted service: styles and scripts of sites reach for
 * its link, area and label.
 */
function primaryButton(frame: Frame): Html {
  const primary = frame.site.config.navbar.primary;
  if (!primary) return emptyHtml;
  const [look, area, label] =
    primary.type === 'button'
      ? [' d-btn-accent', ' bg-primary-dark', html`<span class="z-10">${primary.label}</span>`]
      : ['', '', platformLink(frame, primary)];
  return html`<div class="d-navbar-primary" id="topbar-cta-button"><a class="d-btn${look}"${linkAttributes(frame, primary.href)}><span class="d-btn-area absolute${area}"></span><div>${label}</div></a></div>`;
}

function navbarLinks(frame: Frame): Html {
  const links = frame.site.config.navbar.links;
  if (links.length === 0) return emptyHtml;
  const items = links.map((link) => {
    const icon = siteIcon(frame, link.icon);
    return html`<li><a class="d-navbar-link navbar-link"${linkAttributes(frame, link.href)}>${icon}<span>${link.label}</span>${linkCount(link)}</a></li>`;
  });
  return html`<nav class="d-navbar-links" aria-label="${frame.locale.messages.mainNavigation}"><ul>${items}</ul></nav>`;
}

function drawerButton(frame: Frame): Html {
  const primary = frame.site.config.navbar.primary;
  if (!primary) return emptyHtml;
  if (primary.type === 'button')
    return html`<li><a class="d-anchor-link d-anchor-primary"${linkAttributes(frame, primary.href)}><span>${primary.label}</span></a></li>`;
  return html`<li><a class="d-anchor-link"${linkAttributes(frame, primary.href)}>${platformLink(frame, primary)}</a></li>`;
}

/**
 * Repeats the header's links and button: in the drawer of small screens, and below a column that
 * contains the header.
 */
export function drawerLinks(frame: Frame): Html {
  const { links, primary } = frame.site.config.navbar;
  if (links.length === 0 && !primary) return emptyHtml;
  const items = links.map(
    (link) =>
      html`<li><a class="d-anchor-link"${linkAttributes(frame, link.href)}>${siteIcon(frame, link.icon)}<span>${link.label}</span>${linkCount(link)}</a></li>`,
  );
  return html`<nav class="d-anchors" aria-label="${frame.locale.messages.mainNavigation}"><ul>${items}${drawerButton(frame)}</ul></nav>`;
}

function searchButton(frame: Frame): Html {
  const { messages } = frame.locale;
  const prompt = frame.site.config.searchPrompt ?? messages.searchPlaceholder;
  return html`<button type="button" class="d-search-open" id="search-bar-entry" data-search-open aria-haspopup="dialog">${interfaceIcon('search')}<span class="d-search-hint">${narrowText(prompt)}</span><kbd class="d-search-key" aria-hidden="true"><span class="d-key-mac">&#8984;</span><span class="d-key-other">Ctrl </span>K</kbd></button>`;
}

/** The assistant button, beside the search. */
function assistantButton(frame: Frame): Html {
  if (!frame.site.hasAssistant) return emptyHtml;
  const label = frame.locale.messages.askAssistant;
  return html`<button type="button" class="d-ask d-needs-js" id="assistant-entry" data-assistant-open aria-haspopup="dialog" title="${label}" aria-keyshortcuts="Meta+I Control+I">${interfaceIcon('sparkle')}<span class="d-vh">${label}</span></button>`;
}

/**
 * The appearance menu. Hidden without scripts, because it would have no effect; they add its
 * choices (`elements/page/appearance.ts`).
 */
function appearanceMenu(frame: Frame): Html {
  if (frame.site.config.appearance.strict) return emptyHtml;
  const { messages } = frame.locale;
  return html`<details class="d-switch d-switch-sign d-needs-js" data-menu data-kind="appearance" data-system="${messages.appearanceSystem}" data-light="${messages.appearanceLight}" data-dark="${messages.appearanceDark}"><summary aria-label="${messages.appearance}"><span class="d-light-only">${interfaceIcon('sun', 18)}</span><span class="d-dark-only">${interfaceIcon('moon', 18)}</span></summary></details>`;
}

/**
 * The bar at the top: logo, products and versions, search, links, language, appearance, the button;
 * tabs below.
 */
export function header(frame: Frame, levels: PlacedLevels, localBar: Html): Html {
  const fixed = (part: string, render: () => Html): Html => oncePerScope(frame, part, render);
  const beside = levels.beside.map((level) => switcher(frame, level, 'header'));
  const languages = levels.languages.map((level) => switcher(frame, level, 'header'));
  const start = html`<div class="d-header-start">${fixed('logo', () => logo(frame))}${beside}</div>`;
  const end = html`<div class="d-header-end topbar-right-container">${fixed('links', () => navbarLinks(frame))}${languages}${fixed('appearance', () => appearanceMenu(frame))}${fixed('primary', () => primaryButton(frame))}</div>`;
  return html`<header id="navbar" class="d-header"><div class="d-header-bar">${start}<div class="d-header-search">${fixed('search', () => html`${searchButton(frame)}${assistantButton(frame)}`)}</div>${end}</div>${tabBar(frame, levels)}${localBar}</header>`;
}

/** The logo, or the site's name if there is none, linked to the start page. */
export function logo(frame: Frame): Html {
  const { config } = frame.site;
  const home = linkTo(frame, config.logo?.href ?? '/');
  const files = config.logo;
  if (!files?.light) return html`<a class="d-logo" href="${home}"><span>${config.name}</span></a>`;
  const image = (path: string, mode: string): Html =>
    html`<img class="nav-logo${mode}" src="${fileAt(frame, path)}" alt="${config.name}" height="28">`;
  const dark = files.dark || files.light;
  if (dark === files.light)
    return html`<a class="d-logo" href="${home}">${image(files.light, '')}</a>`;
  return html`<a class="d-logo" href="${home}">${image(files.light, ' d-light-only')}${image(dark, ' d-dark-only')}</a>`;
}
