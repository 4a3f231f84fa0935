import { attributes, emptyHtml, html } from '../../html.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { iconProp, listProp, plainProp, richProp } from './props.ts';

/** Title of the view that each page shows first; the others start hidden, so nothing jumps when scripts run. */
const firstTitles = new WeakMap<PageRenderer, string>();

/** `View`: content for one choice (a language, a platform). One selector switches all views of the page. */
export const view: ComponentRenderer = (node, page) => {
  const label = plainProp(node, page, 'title') ?? 'View';
  const shown = firstTitles.get(page) ?? label;
  firstTitles.set(page, shown);
  page.need('docent-view');
  const attrs = attributes({ 'data-title': label, hidden: label === shown ? undefined : 'until-found' });
  return html`<docent-view class="d-view" data-component="view"${attrs}><p class="d-view-title">${iconProp(node, page)}<span>${richProp(node, page, 'title') ?? label}</span></p>${page.render(
    node.children,
  )}</docent-view>`;
};

/** `Visibility`: what is for programs is not in the page, only in its Markdown. */
export const visibility: ComponentRenderer = (node, page) => {
  return plainProp(node, page, 'for')?.toLowerCase() === 'agents' ? emptyHtml : page.render(node.children);
};

/** `Variation`: content for some readers. All of them are shown, each under the names of those that it is for. */
export const variation: ComponentRenderer = (node, page) => {
  const names = listProp(node, 'is');
  const label = names.length > 0 ? html`<p class="d-view-title"><span>${names.join(', ')}</span></p>` : undefined;
  return html`<div class="d-view" data-component="variation"${attributes({ 'data-variation': names.join(' ') || undefined })}>${label}${page.render(node.children)}</div>`;
};
