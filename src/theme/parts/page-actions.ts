import { type Html, html, trustedHtml } from '../../core/html.ts';
import { type Frame, linkTo } from '../frame.ts';
import type { PageView } from '../page-view.ts';
import { interfaceIcon } from './interface-icons.ts';

/** The address of the page's Markdown twin, escaped: `/guides/start.md`, `/index.md` for the start page. */
export function markdownAddress(frame: Pick<Frame, 'resolve'>, href: string): string {
  return linkTo({ resolve: (_, target) => frame.resolve('asset', target) }, `${href === '/' ? '/index' : href}.md`);
}

/** Copy the page as Markdown, or read it so. Copying needs scripts; without them the link to the Markdown is left. */
export function pageActions(frame: Frame, view: PageView): Html {
  const { messages } = frame.locale;
  const address = trustedHtml(markdownAddress(frame, view.page.href));
  const copyIcon = interfaceIcon('copy', 14);
  return html`<div class="d-actions"><button type="button" class="d-button d-button-small d-needs-js" id="page-copy" data-copy-page data-markdown="${address}">${copyIcon}<span data-copy-label aria-live="polite">${messages.copyPage}</span></button><details class="d-switch d-switch-more" data-menu><summary class="d-button d-button-small" aria-label="${messages.moreActions}"></summary><ul class="d-menu d-menu-end"><li class="d-needs-js"><button type="button" class="d-menu-item" data-copy-page data-markdown="${address}">${interfaceIcon('copy')}<span class="d-menu-label" data-copy-label>${messages.copyPage}</span></button></li><li><a class="d-menu-item" href="${address}">${interfaceIcon('markdown')}<span class="d-menu-label">${messages.viewAsMarkdown}</span></a></li></ul></details></div>`;
}
