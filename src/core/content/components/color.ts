import { attributes, type Html, html, joinHtml } from '../../html.ts';
import type { PropValue } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { anyProp, plainProp, richProp, safeColour, textProp } from './props.ts';

/** `Color`: a palette. Each colour is a button that copies its value. */
export const color: ComponentRenderer = (node, page) => {
  page.need('docent-color');
  const variant = textProp(node, 'variant') === 'table' ? 'table' : 'compact';
  return html`<docent-color class="d-colors color" data-component="color" data-variant="${variant}">${page.render(node.children)}</docent-color>`;
};

/** `Color.Row`: colours that belong together. */
export const colorRow: ComponentRenderer = (node, page) => {
  const title = richProp(node, page, 'title');
  return html`<div class="d-color-row color-row">${title && html`<p class="d-color-row-title">${title}</p>`}<div class="d-color-items">${page.render(node.children)}</div></div>`;
};

/** `Color.Item`: one colour, or one for each appearance. */
export const colorItem: ComponentRenderer = (node, page) => {
  const name = plainProp(node, page, 'name') ?? '';
  const value = anyProp(node, 'value');
  const variants =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? appearances(value as { [key: string]: PropValue })
      : [['', value] as const];
  return joinHtml(variants.map(([appearance, one]) => swatch(name, appearance, typeof one === 'string' ? one : '', page)));
};

function appearances(value: { readonly [key: string]: PropValue }): (readonly [string, PropValue])[] {
  return (['light', 'dark'] as const).filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]] as const);
}

function swatch(name: string, appearance: string, value: string, page: PageRenderer): Html {
  const colour = safeColour(value);
  if (colour === undefined) {
    page.warn(
      'unknown-color',
      `"${value}" is not a colour that a browser knows.`,
      'Write it as #rrggbb, rgb(…), hsl(…) or by its CSS name.',
    );
  }
  const attrs = attributes({ 'data-copy': value, 'data-appearance': appearance || undefined });
  return html`<button type="button" class="d-color color-item"${attrs}><span class="d-color-swatch"${attributes({
    style: colour && `background:${colour}`,
  })}></span><span class="d-color-text">${name && html`<span class="d-color-name">${name}</span>`}<span class="d-color-value">${value}</span></span></button>`;
}
