import { html } from '../../html.ts';
import { inlineMarkdownNodes } from '../nodes/plain-markdown.ts';
import { element } from '../nodes/plain-nodes.ts';
import { type Component, defineComponent, ID_PROP } from './define-component.ts';

const SIGN = html`<i class="d-sign" data-sign="check" aria-hidden="true"></i>`;

const checkList = defineComponent({
  names: ['CheckList'],
  summary: 'A list whose items have a check mark.',
  example: `<CheckList>
  <CheckListItem>Works without a server.</CheckListItem>
  <CheckListItem>Works in a bundle.</CheckListItem>
</CheckList>`,
  html: (_, node, page) => html`<ul class="d-check-list">${page.render(node.children)}</ul>`,
});

const checkListItem = defineComponent({
  names: ['CheckListItem'],
  parents: checkList.names,
  summary: 'One item.',
  html: (_, node, page) => html`<li>${SIGN}${page.render(node.children)}</li>`,
  markdown: (_, { children }) => [element('li', {}, children)],
});

const checkboxList = defineComponent({
  names: ['CheckboxList'],
  summary: 'A check list with its items in a prop or as content.',
  example: "<CheckboxList items={['Works without a server.', 'Works in a bundle.']} />",
  props: { items: { type: 'list', description: 'The items, with inline Markdown.' } },
  html({ items }, node, page) {
    if (items.length === 0) return page.render(node.children);
    return html`<ul class="d-check-list">${items.map((item) => html`<li>${SIGN}${page.inlineMarkdown(item)}</li>`)}</ul>`;
  },
  markdown({ items }, { children }) {
    if (items.length === 0) return children;
    const entries = items.map((item) => element('li', {}, inlineMarkdownNodes(item)));
    return [element('ul', {}, entries)];
  },
});

const tableWrapper = defineComponent({
  names: ['TableWrapper'],
  summary: 'Its content, unchanged: tables scroll by themselves.',
});

/** Renders like a Markdown heading. */
const heading = defineComponent({
  names: ['Heading'],
  summary: 'A heading whose level can be computed.',
  example: '<Heading level={3} id="made-by-a-component">Made by a component</Heading>',
  props: {
    level: { type: 'number', range: [1, 6], default: 2, description: 'Its level.' },
    noAnchor: { type: 'flag', description: 'Whether to omit the link to itself.' },
    ...ID_PROP,
  },
  markdown({ level, id, noAnchor }, { children, line }) {
    const attributes = { ...(id === undefined ? {} : { id }), ...(noAnchor ? { noAnchor } : {}) };
    return [{ ...element(`h${level}`, attributes, children), line }];
  },
});

const divider = defineComponent({
  names: ['Divider'],
  summary: 'A horizontal rule. Otherwise, use `---`.',
  example: '<Divider />',
  html: () => html`<hr>`,
  markdown: () => [element('hr', {})],
});

export const lists: readonly Component[] = [
  checkList,
  checkListItem,
  checkboxList,
  tableWrapper,
  heading,
  divider,
];
