import { attributes, html, trustedHtml } from '../../html.ts';
import type { ComponentRenderer } from '../page-renderer.ts';
import { anyProp, classNames, flagProp, safeColour, textProp } from './props.ts';

const COLOURS = new Set(
  ['gray', 'blue', 'green', 'yellow', 'orange', 'red', 'purple', 'white', 'surface'].concat(
    'white-destructive',
    'surface-destructive',
  ),
);
const SIZES = new Set(['xs', 'sm', 'md', 'lg']);

/** `Badge`: a short word in a coloured box. A colour that is not one of the named ones may be any CSS colour. */
export const badge: ComponentRenderer = (node, page) => {
  const wanted = textProp(node, 'color', 'variant') ?? 'gray';
  const own = COLOURS.has(wanted) ? undefined : safeColour(wanted);
  const size = textProp(node, 'size') ?? 'md';
  const href = textProp(node, 'href');
  const attrs = attributes({
    class: classNames(node, 'd-badge'),
    'data-component': 'badge',
    'data-color': own ? 'custom' : COLOURS.has(wanted) ? wanted : 'gray',
    'data-size': SIZES.has(size) ? size : 'md',
    'data-shape': textProp(node, 'shape') === 'pill' ? 'pill' : undefined,
    'data-stroke': flagProp(node, 'stroke'),
    'data-disabled': flagProp(node, 'disabled'),
    style: own && `--d-badge:${own}`,
  });
  const type = textProp(node, 'iconType', 'icontype');
  const [lead, tail] = [anyProp(node, 'icon', 'leadIcon'), anyProp(node, 'tailIcon')].map(
    (icon) => icon && page.icon(icon, { type }),
  );
  const inner = html`${lead || undefined}${page.render(node.children)}${tail || undefined}`;
  return href === undefined
    ? html`<span${attrs}>${inner}</span>`
    : html`<a${attrs} href="${trustedHtml(page.href(href, node))}">${inner}</a>`;
};
