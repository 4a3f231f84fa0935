import { html } from '../../html.ts';
import { type Component, defineComponent } from './define-component.ts';
import { element } from './plain-nodes.ts';
import { ID_PROP } from './props.ts';

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
    return [{ ...element(`h${level}`, attributes, children), ...(line === undefined ? {} : { line }) }];
  },
});

const divider = defineComponent({
  names: ['Divider'],
  summary: 'A horizontal rule. Otherwise, use `---`.',
  example: '<Divider />',
  props: {},
  html: () => html`<hr>`,
  markdown: () => [element('hr', {})],
});

export const headings: readonly Component[] = [heading, divider];
