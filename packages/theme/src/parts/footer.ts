import { emptyHtml, type Html, html } from '@docent/format/html.ts';
import type { MenuLink } from '@docent/format/navigation/navigation.ts';
import { type Frame, linkAttributes, linkTo, siteIcon } from '../view/frame.ts';
import type { PageView } from '../view/page-view.ts';
import { socialIcon, socialLabel } from './icons.ts';

function columns(frame: Frame): Html {
  const groups = frame.site.config.footer.links.filter((column) => column.items.length > 0);
  if (groups.length === 0) return emptyHtml;
  const rendered = groups.map((column) => {
    const items = column.items.map(
      (item) =>
        html`<li><a${linkAttributes(frame, item.href)}>${siteIcon(frame, item.icon)}${item.label}</a></li>`,
    );
    return html`<div>${column.header ? html`<p class="d-footer-title">${column.header}</p>` : emptyHtml}<ul>${items}</ul></div>`;
  });
  return html`<div class="d-footer-lists">${rendered}</div>`;
}

function socials(frame: Frame): Html {
  const links = frame.site.config.footer.socials;
  if (links.length === 0) return emptyHtml;
  const items = links.map(
    (link) =>
      html`<li><a href="${linkTo(frame, link.href)}" rel="noreferrer" aria-label="${socialLabel(link.platform)}">${socialIcon(frame, link.platform)}</a></li>`,
  );
  return html`<ul class="d-socials">${items}</ul>`;
}

/** The page footer: columns of links, social icons, the site's name. Nothing if none is set. */
export function footer(frame: Frame): Html {
  const { links, socials: marks } = frame.site.config.footer;
  if (links.length === 0 && marks.length === 0) return emptyHtml;
  return html`<footer id="footer" class="d-footer advanced-footer">${columns(frame)}<div class="d-footer-end"><span>${frame.site.config.name}</span>${socials(frame)}</div></footer>`;
}

function step(
  frame: Frame,
  link: MenuLink | undefined,
  direction: 'prev' | 'next',
  label: string,
): Html {
  if (!link) return emptyHtml;
  return html`<a class="d-turn d-turn-${direction} pagination-${direction}" rel="${direction}" href="${linkTo(frame, link.href)}"><span class="d-turn-direction">${label}</span><span class="d-turn-title pagination-title">${link.label}</span></a>`;
}

/** Links to the pages before and after in reading order. */
export function pagination(frame: Frame, view: PageView): Html {
  const { previous, next } = view.menu;
  if (view.page.hideFooterPagination || (!previous && !next)) return emptyHtml;
  const { messages } = frame.locale;
  return html`<nav id="pagination" class="d-pagination" aria-label="${messages.pagination}">${step(frame, previous, 'prev', messages.previous)}${step(frame, next, 'next', messages.next)}</nav>`;
}
