import { attributes, type Html, html, trustedHtml } from '../../html.ts';
import type { ComponentNode } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { calloutKind } from './callouts.ts';
import { isBlank } from './child-components.ts';
import { flagProp, iconProp, numberProp, plainProp, richProp, safeColour, textProp } from './props.ts';

const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;
const MOST_COLUMNS = 6;

/** `Columns`, `CardGroup`, `Cards`: a grid that falls back to fewer columns where there is no room. */
export const columns: ComponentRenderer = (node, page) => {
  const wanted = Math.round(numberProp(node, 'cols', 'col', 'num') ?? 2);
  const count = Math.min(Math.max(wanted, 1), MOST_COLUMNS);
  return html`<div class="d-columns card-group columns" data-component="columns" data-cols="${count}">${page.render(node.children)}</div>`;
};

/** `Column`: one cell of a grid. */
export const column: ComponentRenderer = (node, page) =>
  html`<div class="d-column" data-component="column">${page.render(node.children)}</div>`;

/**
 * `Card`. The link is the title, stretched over the card by CSS: the accessible name stays short, and links inside
 * the card keep working, which they would not in one large `<a>`.
 */
export const card: ComponentRenderer = (node, page) => {
  const href = flagProp(node, 'disabled') ? undefined : textProp(node, 'href');
  const colour = safeColour(textProp(node, 'color'));
  const image = textProp(node, 'img');
  const title = richProp(node, page, 'title');
  const icon = iconProp(node, page, { color: colour });
  const cta = richProp(node, page, 'cta');
  const arrow = flagProp(node, 'arrow', href !== undefined && EXTERNAL.test(href));
  const attrs = attributes({
    class: 'd-card card',
    'data-component': 'card',
    'data-kind': calloutKind(textProp(node, 'type')),
    'data-horizontal': flagProp(node, 'horizontal'),
    'data-disabled': flagProp(node, 'disabled'),
    'data-link': href !== undefined,
  });
  return html`<div${attrs}>${image && html`<img class="d-card-image" src="${trustedHtml(page.src(image, node))}" alt="" loading="lazy">`}<div class="d-card-inner">${
    icon && html`<div class="d-card-icon" aria-hidden="true">${icon}</div>`
  }<div class="d-card-text">${cardTitle(node, page, href, title)}${cardBody(node, page)}${cta && html`<div class="d-card-cta">${cta}</div>`}</div></div>${
    arrow && href !== undefined
      ? html`<i class="d-sign d-card-arrow" data-sign="${EXTERNAL.test(href) ? 'arrow-out' : 'arrow'}" aria-hidden="true"></i>`
      : undefined
  }</div>`;
};

function cardTitle(node: ComponentNode, page: PageRenderer, href: string | undefined, title: Html | undefined): Html | undefined {
  if (href === undefined) return title && html`<div class="d-card-title">${title}</div>`;
  const link = trustedHtml(page.href(href, node));
  if (title) return html`<div class="d-card-title"><a class="d-card-link" href="${link}">${withoutLinks(title)}</a></div>`;
  const name = page.textOf(node.children).trim().slice(0, 100) || plainProp(node, page, 'cta') || href;
  return html`<a class="d-card-link" href="${link}" aria-label="${name}"></a>`;
}

function cardBody(node: ComponentNode, page: PageRenderer): Html | undefined {
  const description = richProp(node, page, 'description');
  if (description === undefined && isBlank(node.children)) return undefined;
  return html`<div class="d-card-body">${description && html`<p>${description}</p>`}${page.render(node.children)}</div>`;
}

/** A title that is a link cannot hold another one. */
function withoutLinks(title: Html): Html {
  return trustedHtml(title.value.replace(/<\/?a\b[^<>]*>/g, ''));
}

/** `Tile`: a picture or drawing with a title under it, all of it one link. */
export const tile: ComponentRenderer = (node, page) => {
  const href = textProp(node, 'href');
  const title = richProp(node, page, 'title');
  const description = richProp(node, page, 'description');
  return html`<div class="d-tile tile" data-component="tile"${attributes({ 'data-link': href !== undefined })}><div class="d-tile-preview">${page.render(
    node.children,
  )}</div><div class="d-tile-text">${cardTitle(node, page, href, title)}${description && html`<div class="d-tile-description">${description}</div>`}</div></div>`;
};
