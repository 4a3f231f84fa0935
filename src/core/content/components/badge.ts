import { attributes, html, trustedHtml } from '../../html.ts';
import { defineComponent } from './define-component.ts';
import { element } from './plain-nodes.ts';
import { CLASS_PROP, classNames } from './props.ts';

const COLORS = 'gray blue green yellow orange red purple white surface white-destructive surface-destructive'.split(' ');

export const badge = defineComponent({
  names: ['Badge'],
  inline: true,
  summary: 'A short word in a colored box.',
  example:
    'A <Badge color="green">new</Badge> feature, and an <Badge color="red" shape="pill" icon="circle-alert">old</Badge> one.',
  props: {
    color: { type: 'color', aliases: ['variant'], values: COLORS, default: 'gray', description: 'The color.' },
    size: { type: 'text', values: ['xs', 'sm', 'md', 'lg'], default: 'md', description: 'The size.' },
    shape: { type: 'text', values: ['rounded', 'pill'], default: 'rounded', description: 'The corners.' },
    icon: { type: 'icon', aliases: ['leadIcon'], description: 'An icon before the word.' },
    tailIcon: { type: 'icon', description: 'An icon after the word.' },
    iconType: { type: 'text', aliases: ['icontype'], description: 'The style of a Font Awesome icon.' },
    href: { type: 'address', description: 'The link destination.' },
    stroke: { type: 'flag', description: 'An outline instead of a filled box.' },
    disabled: { type: 'flag', description: 'Shown faded.' },
    ...CLASS_PROP,
  },
  html(props, node, page) {
    const isNamed = COLORS.includes(props.color);
    const attrs = attributes({
      class: classNames(props, 'd-badge'),
      'data-component': 'badge',
      'data-badge': true,
      'data-color': isNamed ? props.color : 'custom',
      'data-size': props.size,
      'data-shape': props.shape === 'pill' ? 'pill' : undefined,
      'data-stroke': props.stroke,
      'data-disabled': props.disabled,
      style: isNamed ? undefined : `--d-badge:${props.color}`,
    });
    const options = props.iconType === undefined ? {} : { type: props.iconType };
    const [lead, tail] = [props.icon, props.tailIcon].map((icon) => icon && page.icon(icon, options));
    const inner = html`${lead || undefined}${page.render(node.children)}${tail || undefined}`;
    return props.href === undefined
      ? html`<span${attrs}>${inner}</span>`
      : html`<a${attrs} href="${trustedHtml(page.href(props.href, node))}">${inner}</a>`;
  },
  markdown: ({ href }, { children }) => (href === undefined ? children : [element('a', { href }, children)]),
});
