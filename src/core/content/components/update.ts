import { attributes, html, joinHtml } from '../../html.ts';
import type { ComponentNode } from '../expand/content-node.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { anchorProp, anyProp, listProp, plainProp, richProp } from './props.ts';

/** `Update`: one entry of a changelog. Its label stands beside it and in the table of contents; its tags can be filtered by. */
export const update: ComponentRenderer = (node, page) => {
  const label = plainProp(node, page, 'label') ?? 'Update';
  const id = anchorProp(node, page, label);
  const tags = listProp(node, 'tags');
  const description = richProp(node, page, 'description');
  page.addTocEntry(2, id, label);
  page.need('docent-update');
  const badges = tags.map((tag) => html`<span class="d-badge" data-color="gray" data-size="sm">${tag}</span>`);
  const attrs = attributes({ id, 'data-tags': tags.length > 0 ? JSON.stringify(tags) : undefined, ...feedTexts(node) });
  return html`<docent-update class="d-update update" data-component="update"${attrs}><div class="d-update-side"><a class="d-update-label" href="#${id}">${
    richProp(node, page, 'label') ?? label
  }</a>${description && html`<div class="d-update-description">${description}</div>`}${
    badges.length > 0 ? html`<div class="d-update-tags">${joinHtml(badges)}</div>` : undefined
  }</div><div class="d-update-body">${page.render(node.children)}</div></docent-update>`;
};

/** What the page's feed shows instead of the entry itself: `rss={{ title, description }}`. */
function feedTexts(node: ComponentNode): Record<string, string> {
  const rss = anyProp(node, 'rss');
  if (typeof rss !== 'object' || rss === null || Array.isArray(rss)) return {};
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(rss)) {
    if ((name === 'title' || name === 'description') && typeof value === 'string') texts[`data-rss-${name}`] = value;
  }
  return texts;
}
