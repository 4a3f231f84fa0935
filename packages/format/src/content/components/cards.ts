import { attributes, type Html, html, trustedHtml } from '../../html.ts';
import { type ComponentNode, type ContentNode, nodeText } from '../nodes/content-node.ts';
import { element, isBlank, leading, nodes } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import { calloutKind, KIND_WORDS } from './callouts.ts';
import {
  type Component,
  defineComponent,
  ICON_PROPS,
  iconOf,
  labelOf,
  type PropSchemas,
} from './define-component.ts';

const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

const LINK_PROPS = {
  title: { type: 'title', description: 'The title, which is the link text.' },
  href: { type: 'address', description: 'The link destination.' },
  description: { type: 'title', description: 'A line under the title.' },
} as const satisfies PropSchemas;

interface LinkView {
  readonly title: readonly ContentNode[] | undefined;
  readonly href: string | undefined;
  readonly description: readonly ContentNode[] | undefined;
  readonly cta?: readonly ContentNode[] | undefined;
}

/** One line of a list: the title as a link, and its description. */
function cardMarkdown(
  { title, href, description, cta }: LinkView,
  { children }: ComponentNode,
): ContentNode[] {
  const label = title ?? cta ?? (href === undefined ? [] : nodes(href));
  const link = href === undefined ? element('strong', {}, label) : element('a', { href }, label);
  const call = title && cta && nodes(' (', cta, ')');
  const about = description ? leading(description, ' ', children) : children;
  const content = leading(label.length > 0 ? nodes(link, call) : [], ': ', about);
  return isBlank(content) ? [] : [element('li', {}, content)];
}

const columns = defineComponent({
  names: ['Columns', 'CardGroup', 'Cards'],
  summary: 'Columns next to each other: a grid, which uses fewer columns on narrow screens.',
  example: `<Columns cols={3}>
  <Card title="With an icon" icon="star" href="/quickstart">A card that leads somewhere.</Card>
  <Card title="Plain">A card that only says something.</Card>
  <Card title="Elsewhere" icon="globe" href="https://example.com">A card that leaves the site.</Card>
</Columns>`,
  props: {
    cols: {
      type: 'number',
      aliases: ['col', 'num'],
      range: [1, 6],
      default: 2,
      description: 'The number of columns.',
    },
  },
  html: ({ cols }, node, page) =>
    html`<div class="d-columns card-group columns" data-component="columns" data-cols="${cols}">${page.render(node.children)}</div>`,
});

const column = defineComponent({
  names: ['Column'],
  parents: columns.names,
  summary: 'One cell of a grid, for content other than cards.',
  example: `<Columns cols={2}>
  <Column>Text at the left.</Column>
  <Column>Text at the right.</Column>
</Columns>`,
  html: (_, node, page) =>
    html`<div class="d-column" data-component="column">${page.render(node.children)}</div>`,
});

/**
 * The title is the link, stretched over the card by CSS: the accessible name stays short, and links
 * inside the card keep working, unlike in one large `<a>`.
 */
const card = defineComponent({
  names: ['Card'],
  link: 'cover',
  summary: 'A box with a title and an optional link.',
  example:
    '<Card title="Quickstart" icon="rocket" href="/quickstart" cta="Begin">Your first site in five minutes.</Card>',
  props: {
    ...LINK_PROPS,
    ...ICON_PROPS,
    color: { type: 'color', description: 'The color of the icon.' },
    img: { type: 'address', description: 'An image above the text.' },
    cta: { type: 'title', description: 'The call to action at the end.' },
    horizontal: { type: 'flag', description: 'Whether the icon is beside the text.' },
    arrow: {
      type: 'flag',
      description: 'Whether to show an arrow; by default, on links to other sites.',
    },
    type: { type: 'text', values: KIND_WORDS, description: 'The colors of a callout kind.' },
    disabled: { type: 'flag', description: 'Whether it is dimmed and without its link.' },
  },
  html(props, node, page) {
    const href = props.disabled ? undefined : props.href;
    const icon = iconOf(props, page, props.color);
    const isExternal = href !== undefined && EXTERNAL.test(href);
    const arrow =
      node.props.arrow === undefined || node.props.arrow === null ? isExternal : props.arrow;
    const attrs = attributes({
      class: 'd-card card',
      'data-component': 'card',
      'data-kind': calloutKind(props.type),
      'data-horizontal': props.horizontal,
      'data-disabled': props.disabled,
      'data-link': href !== undefined,
    });
    const title = linkedTitle({ ...props, href }, node, page);
    const description = props.description && page.render(props.description);
    const body =
      description || !isBlank(node.children)
        ? html`<div class="d-box-body" data-component-part="card-content">${description && html`<p>${description}</p>`}${page.render(node.children)}</div>`
        : undefined;
    return html`<div${attrs}>${props.img && html`<img class="d-box-image" data-component-part="card-image" src="${trustedHtml(page.src(props.img, node))}" alt="" loading="lazy">`}<div class="d-box-inner" data-component-part="card-content-container">${
      icon &&
      html`<div class="d-box-sign" data-component-part="card-icon" aria-hidden="true">${icon}</div>`
    }<div class="d-box-text">${title}${body}${props.cta && html`<div class="d-box-cta" data-component-part="card-cta">${page.render(props.cta)}</div>`}</div></div>${
      arrow && href !== undefined
        ? html`<i class="d-sign d-box-arrow" data-sign="${isExternal ? 'arrow-out' : 'arrow'}" aria-hidden="true"></i>`
        : undefined
    }</div>`;
  },
  markdown: (props, node) =>
    cardMarkdown({ ...props, href: props.disabled ? undefined : props.href }, node),
});

function linkedTitle(
  { title, href, cta }: LinkView,
  node: ComponentNode,
  page: PageRenderer,
): Html | undefined {
  if (href === undefined)
    return (
      title &&
      html`<div class="d-box-title" data-component-part="card-title">${page.render(title)}</div>`
    );
  const link = trustedHtml(page.href(href, node));
  if (title)
    return html`<div class="d-box-title" data-component-part="card-title"><a class="d-box-link" href="${link}">${withoutLinks(page.render(title))}</a></div>`;
  const name = nodeText(node.children).trim().slice(0, 100) || labelOf(cta) || href;
  return html`<a class="d-box-link" href="${link}" aria-label="${name}"></a>`;
}

/** A linked title cannot contain another link. */
function withoutLinks(title: Html): Html {
  return trustedHtml(title.value.replace(/<\/?a\b[^<>]*>/g, ''));
}

const tile = defineComponent({
  names: ['Tile'],
  link: 'cover',
  summary: 'A linked picture or drawing with a title below it.',
  example: `<Columns cols={3}>
  <Tile title="Themes" description="Nine of them." href="/guides/themes">
    <Icon icon="palette" size={48} />
  </Tile>
</Columns>`,
  props: LINK_PROPS,
  html(props, node, page) {
    return html`<div class="d-tile tile" data-component="tile"${attributes({ 'data-link': props.href !== undefined })}><div class="d-pick-picture">${page.render(
      node.children,
    )}</div><div class="d-pick-text">${linkedTitle(props, node, page)}${props.description && html`<div class="d-pick-description">${page.render(props.description)}</div>`}</div></div>`;
  },
  markdown: cardMarkdown,
});

export const cards: readonly Component[] = [card, columns, column, tile];
