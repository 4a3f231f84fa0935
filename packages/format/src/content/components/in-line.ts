import { attributes, html, trustedHtml } from '../../html.ts';
import { type MathNode, nodeText } from '../nodes/content-node.ts';
import { element, isBlank, nodes } from '../nodes/plain-nodes.ts';
import {
  CLASS_PROP,
  type Component,
  classNames,
  defineComponent,
  type PropSchemas,
  type PropsOf,
} from './define-component.ts';

const icon = defineComponent({
  names: ['Icon'],
  inline: true,
  summary: 'An inline icon, by its name in the icon library of the site.',
  example: 'Made with <Icon icon="heart" color="#dc2626" /> and <Icon icon="coffee" size={20} />.',
  props: {
    icon: {
      type: 'icon',
      aliases: ['src', 'name'],
      description: 'An icon name, the URL of an image, or JSX.',
    },
    iconType: {
      type: 'text',
      aliases: ['icontype', 'style'],
      description: 'The style of a Font Awesome icon.',
    },
    color: { type: 'color', aliases: ['colorLight'], description: 'Its color.' },
    size: { type: 'number', description: 'Its size in pixels; by default, the size of the text.' },
    ...CLASS_PROP,
  },
  html: ({ icon, iconType, color, size, className }, _, page) =>
    page.icon(icon, { type: iconType, color, sizePx: size, className }),
  markdown: () => [],
});

/**
 * Without scripts CSS shows it; with them it stays in view, closes on Escape and can be reached
 * with the pointer (WCAG 2.2, 1.4.13).
 */
const tooltip = defineComponent({
  names: ['Tooltip'],
  inline: true,
  summary: 'Text with an explanation that appears on hover and focus.',
  example:
    'An <Tooltip headline="API" tip="What programs call." cta="All routes" href="/api/overview">API</Tooltip>.',
  props: {
    tip: { type: 'title', aliases: ['content', 'text'], description: 'The explanation.' },
    headline: { type: 'title', description: 'A bold line above it.' },
    cta: {
      type: 'title',
      description: 'The text of a link below it; "Read more" if there is an `href`.',
    },
    href: { type: 'address', description: 'The destination of that link.' },
    side: {
      type: 'text',
      values: ['top', 'bottom', 'left', 'right'],
      default: 'top',
      description: 'Its position.',
    },
    align: {
      type: 'text',
      values: ['start', 'center', 'end'],
      default: 'center',
      description: 'Its alignment.',
    },
  },
  html({ tip, headline, cta, href, side, align }, node, page) {
    page.need('docent-tooltip');
    const call = cta ? page.render(cta) : href === undefined ? undefined : html`Read more`;
    const link =
      call &&
      (href === undefined
        ? html`<span class="d-term-link">${call}</span>`
        : html`<a class="d-term-link" href="${trustedHtml(page.href(href, node))}">${call}</a>`);
    return html`<docent-tooltip class="d-tooltip tooltip" data-component="tooltip"${attributes({
      'data-side': side === 'top' ? undefined : side,
      'data-align': align === 'center' ? undefined : align,
    })}><span class="d-term" tabindex="0">${page.render(node.children)}</span><span class="d-term-bubble" role="tooltip">${
      headline && html`<strong>${page.render(headline)}</strong>`
    }<span>${tip && page.render(tip)}</span>${link}</span></docent-tooltip>`;
  },
  markdown({ tip, headline, cta, href }, { children }) {
    const link = href === undefined ? cta : [element('a', { href }, cta ?? 'Read more')];
    const pieces = [
      [headline, tip].filter((part) => part !== undefined),
      link ? [link] : [],
    ].filter(({ length }) => length > 0);
    const about = pieces.map((parts) =>
      parts.flatMap((part, index) => nodes(index > 0 ? ': ' : undefined, part)),
    );
    const listed = about.flatMap((piece, index) => nodes(index > 0 ? ', ' : undefined, piece));
    return listed.length === 0 ? children : nodes(children, ' (', listed, ')');
  },
});

const link = defineComponent({
  names: ['Link'],
  inline: true,
  link: 'whole',
  summary: 'A link as a component.',
  example: 'See the <Link href="/quickstart">quickstart</Link>.',
  props: {
    href: { type: 'address', aliases: ['to', 'url'], description: 'The link destination.' },
    ...CLASS_PROP,
  },
  html({ href, className }, node, page) {
    const target = href === undefined ? undefined : trustedHtml(` href="${page.href(href, node)}"`);
    return html`<a${target}${attributes({ class: className })}>${page.render(node.children)}</a>`;
  },
  markdown: ({ href }, { children }) =>
    href === undefined ? children : [element('a', { href }, children)],
});

const MENTION_PROPS = {
  page: { type: 'address', aliases: ['href', 'path'], description: 'The path of a page.' },
  user: {
    type: 'text',
    aliases: ['name'],
    description: 'The name of a person, if no page is mentioned.',
  },
  title: {
    type: 'title',
    aliases: ['label'],
    description: 'The link text; by default, derived from the path.',
  },
} as const satisfies PropSchemas;

function mentioned({ page, title }: PropsOf<typeof MENTION_PROPS>) {
  if (page === undefined) return undefined;
  const href = /^(?:[/#]|[a-z]+:)/i.test(page) ? page : `/${page}`;
  const [path = ''] = page.split(/[?#]/, 1);
  const words = path.split('/').at(-1) ?? page;
  return { href, name: title ?? nodes(words.replace(/[-_]+/g, ' ')) };
}

const mention = defineComponent({
  names: ['Mention'],
  inline: true,
  summary: 'A page by its path, as a link, or a person by name.',
  example: 'Begin with <Mention page="quickstart" />, or ask <Mention user="Ada" />.',
  props: MENTION_PROPS,
  html(props, node, page) {
    const target = mentioned(props);
    const content = page.render(node.children);
    if (!target)
      return html`<span class="d-mention">${content.value === '' ? props.user : content}</span>`;
    return html`<a class="d-mention" href="${trustedHtml(page.href(target.href, node))}">${content.value === '' ? page.render(target.name) : content}</a>`;
  },
  markdown(props, { children }) {
    const target = mentioned(props);
    const content = isBlank(children) ? undefined : children;
    return target
      ? [element('a', { href: target.href }, content ?? target.name)]
      : nodes(content ?? props.user);
  },
});

const latex = defineComponent({
  names: ['Latex'],
  inline: true,
  summary: 'A formula whose source is the content, as in older pages. Otherwise, use `$…$`.',
  example: '<Latex>8 \\times (17 - 15)</Latex>',
  props: {
    formula: {
      type: 'text',
      aliases: ['math', 'children'],
      description: 'The LaTeX source; by default, the content.',
    },
    display: { type: 'flag', aliases: ['block'], description: 'Whether it is on its own line.' },
  },
  markdown({ formula, display }, { children }): MathNode[] {
    const value = (formula ?? nodeText(children)).trim().replace(/^\$+|(?<!\$)\$+$/g, '');
    return [{ type: 'math', display, value }];
  },
});

const COLORS =
  'gray blue green yellow orange red purple white surface white-destructive surface-destructive'.split(
    ' ',
  );

const badge = defineComponent({
  names: ['Badge'],
  inline: true,
  summary: 'A short word in a colored box.',
  example:
    'A <Badge color="green">new</Badge> feature, and an <Badge color="red" shape="pill" icon="circle-alert">old</Badge> one.',
  props: {
    color: {
      type: 'color',
      aliases: ['variant'],
      values: COLORS,
      default: 'gray',
      description: 'The color.',
    },
    size: {
      type: 'text',
      values: ['xs', 'sm', 'md', 'lg'],
      default: 'md',
      description: 'The size.',
    },
    shape: {
      type: 'text',
      values: ['rounded', 'pill'],
      default: 'rounded',
      description: 'The corners.',
    },
    icon: { type: 'icon', aliases: ['leadIcon'], description: 'An icon before the word.' },
    tailIcon: { type: 'icon', description: 'An icon after the word.' },
    iconType: {
      type: 'text',
      aliases: ['icontype'],
      description: 'The style of a Font Awesome icon.',
    },
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
      style: isNamed ? undefined : `--d-tone:${props.color}`,
    });
    const [lead, tail] = [props.icon, props.tailIcon].map(
      (icon) => icon && page.icon(icon, { type: props.iconType }),
    );
    const inner = html`${lead || undefined}${page.render(node.children)}${tail || undefined}`;
    return props.href === undefined
      ? html`<span${attrs}>${inner}</span>`
      : html`<a${attrs} href="${trustedHtml(page.href(props.href, node))}">${inner}</a>`;
  },
  markdown: ({ href }, { children }) =>
    href === undefined ? children : [element('a', { href }, children)],
});

export const inLine: readonly Component[] = [icon, tooltip, link, mention, latex, badge];
