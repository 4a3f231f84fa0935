import { emptyHtml, type Html, html, trustedHtml } from '../../core/html.ts';
import type { MenuLink } from '../../core/navigation/navigation.ts';
import { type Frame, linkTo } from '../frame.ts';
import type { PageView } from '../page-view.ts';

function step(frame: Frame, link: MenuLink | undefined, direction: 'prev' | 'next', label: string): Html {
  if (!link) return emptyHtml;
  const address = trustedHtml(linkTo(frame, link.href));
  return html`<a class="d-turn d-turn-${direction} pagination-${direction}" rel="${direction}" href="${address}"><span class="d-turn-direction">${label}</span><span class="d-turn-title pagination-title">${link.label}</span></a>`;
}

/** Links to the pages before and after in reading order. */
export function pagination(frame: Frame, view: PageView): Html {
  const { previous, next } = view.menu;
  if (view.page.hideFooterPagination || (!previous && !next)) return emptyHtml;
  const { messages } = frame.locale;
  return html`<nav id="pagination" class="d-pagination" aria-label="${messages.pagination}">${step(frame, previous, 'prev', messages.previous)}${step(frame, next, 'next', messages.next)}</nav>`;
}
