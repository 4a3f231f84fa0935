import { attributes, html, trustedHtml } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { anyProp, flagProp, numberProp, richProp, safeColour, textProp } from './props.ts';

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
  const align = textProp(node, 'align');
  const link =
    cta &&
    (href === undefined
      ? html`<span class="d-tooltip-cta">${cta}</span>`
      : html`<a class="d-tooltip-cta" href="${trustedHtml(page.href(href, node))}">${cta}</a>`);
  return html`<docent-tooltip class="d-tooltip tooltip" data-component="tooltip"${attributes({
    'data-side': SIDES.has(side) && side !== 'top' ? side : undefined,
    'data-align': align === 'start' || align === 'end' ? align : undefined,
  })}><span class="d-tooltip-trigger" tabindex="0">${page.render(node.children)}</span><span class="d-tooltip-bubble" role="tooltip">${
    headline && html`<strong>${headline}</strong>`
  }<span>${tip}</span>${link}</span></docent-tooltip>`;
};

/** `Mention`: a page by its path, as a link, or a person by name. */
export const mention: ComponentRenderer = (node, page) => {
  const target = textProp(node, 'page', 'href', 'path');
  const content = page.render(node.children);
  if (target !== undefined) {
    const address = /^(?:[/#]|[a-z]+:)/i.test(target) ? target : `/${target}`;
    const words =
      target
        .replace(/[?#][\s\S]*/, '')
        .split('/')
        .at(-1) ?? target;
    const name = richProp(node, page, 'title', 'label') ?? html`${words.replace(/[-_]+/g, ' ')}`;
    return html`<a class="d-mention" href="${trustedHtml(page.href(address, node))}">${content.value === '' ? name : content}</a>`;
  }
  const user = textProp(node, 'user', 'name');
  return html`<span class="d-mention">${content.value === '' ? user : content}</span>`;
};

/** `Latex`, of older pages: a formula whose source is the text. */
export const latex: ComponentRenderer = (node, page) => {
  const value = (textProp(node, 'formula', 'math', 'children') ?? page.textOf(node.children)).trim().replace(/^\$+|\$+$/g, '');
  return page.render([{ type: 'math', display: flagProp(node, 'display') || flagProp(node, 'block'), value }]);
};
