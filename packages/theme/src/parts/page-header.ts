import { emptyHtml, type Html, html } from '@docent/format/html.ts';
import { type Frame, linkTo } from '../view/frame.ts';
import type { PageView } from '../view/page-view.ts';
import { inlineMarkdown } from './banner.ts';
import { navTag } from './levels.ts';
import { pageActions } from './page-actions.ts';
import { feedLink } from './page-notes.ts';

function eyebrow(frame: Frame, view: PageView): Html {
  const trail = view.menu.breadcrumbs;
  const last = trail.at(-1);
  if (!last) return emptyHtml;
  if (frame.site.config.eyebrows === 'section')
    return html`<div class="d-eyebrow eyebrow">${last.label}</div>`;
  const items = trail.map((crumb) =>
    crumb.href
      ? html`<span class="breadcrumb-item" role="listitem"><a href="${linkTo(frame, crumb.href)}">${crumb.label}</a></span>`
      : html`<span class="breadcrumb-item" role="listitem"><span>${crumb.label}</span></span>`,
  );
  return html`<nav class="d-eyebrow d-breadcrumbs eyebrow" aria-label="${frame.locale.messages.breadcrumbs}"><div class="breadcrumb-list" role="list">${items}</div></nav>`;
}

/**
 * A title in which a name too long for a phone, such as `transaction.authorization.failed`, breaks
 * between its words.
 */
function breakable(title: string): Html[] {
  const parts = /\S{24}/.test(title) ? title.split(/(?<=\w[._/])(?=\w{3})/) : [title];
  return parts.map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${part}`));
}

/** The header of the article: eyebrow, title, description, actions. */
export function pageHeader(frame: Frame, view: PageView): Html {
  const { page } = view;
  const deprecated = page.deprecated
    ? html`<span class="d-deprecated">${frame.locale.messages.deprecated}</span>`
    : emptyHtml;
  const description = page.description
    ? html`<p class="d-description">${inlineMarkdown(frame, page.description)}</p>`
    : emptyHtml;
  return html`<header id="header" class="d-page-header">${eyebrow(frame, view)}<h1 id="page-title" class="d-title">${breakable(page.title)}${deprecated}${navTag(page.tag)}</h1>${description}${feedLink(frame, page)}${pageActions(frame, view)}</header>`;
}
