import { attributes, html, trustedHtml } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { anyProp, numberProp, richProp, safeColour, textProp } from './props.ts';

/** `Icon`: in the line of the text. */
export const icon: ComponentRenderer = (node, page) =>
  page.icon(anyProp(node, 'icon', 'src', 'name'), {
    type: textProp(node, 'iconType', 'icontype', 'style'),
    color: safeColour(textProp(node, 'color', 'colorLight')),
    sizePx: numberProp(node, 'size'),
    className: textProp(node, 'className', 'class'),
  });

const SIDES = new Set(['top', 'bottom', 'left', 'right']);

/**
 * `Tooltip`: words with an explanation that shows on hover and on focus. Without scripts CSS shows it; with them it
 * stays in view, closes on Escape and can be reached with the pointer (WCAG 2.2, 1.4.13).
 */
export const tooltip: ComponentRenderer = (node, page) => {
  page.need('docent-tooltip');
  const headline = richProp(node, page, 'headline');
  const tip = richProp(node, page, 'tip', 'content', 'text');
  const href = textProp(node, 'href');
  const cta = richProp(node, page, 'cta') ?? (href === undefined ? undefined : html`Read more`);
  const side = textProp(node, 'side') ?? 'top';
  const link =
    cta &&
    (href === undefined
      ? html`<span class="d-tooltip-cta">${cta}</span>`
      : html`<a class="d-tooltip-cta" href="${trustedHtml(page.href(href, node))}">${cta}</a>`);
  return html`<docent-tooltip class="d-tooltip" data-component="tooltip"${attributes({
    'data-side': SIDES.has(side) && side !== 'top' ? side : undefined,
  })}><span class="d-tooltip-trigger" tabindex="0">${page.render(node.children)}</span><span class="d-tooltip-bubble" role="tooltip">${
    headline && html`<strong>${headline}</strong>`
  }<span>${tip}</span>${link}</span></docent-tooltip>`;
};
