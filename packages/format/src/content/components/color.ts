import { attributes, type Html, html, joinHtml } from '../../html.ts';
import { NodesValue, type PropValue } from '../nodes/content-node.ts';
import { element, nodes, titleLine } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import { safeColor } from './css-colors.ts';
import { type Component, defineComponent, labelOf } from './define-component.ts';

const color = defineComponent({
  names: ['Color'],
  summary: 'A palette. Each color is a button that copies its value.',
  example: `<Color variant="table">
  <Color.Row title="Brand">
    <Color.Item name="Primary" value="#0f766e" />
    <Color.Item name="Text" value={{ light: '#111827', dark: '#f9fafb' }} />
  </Color.Row>
</Color>`,
  props: {
    variant: {
      type: 'text',
      values: ['compact', 'table'],
      default: 'compact',
      description: 'The layout of the palette.',
    },
  },
  html({ variant }, node, page) {
    page.need('docent-color');
    return html`<docent-color class="d-colors color" data-component="color" data-variant="${variant}">${page.render(node.children)}</docent-color>`;
  },
});

const colorRow = defineComponent({
  names: ['Color.Row'],
  parents: color.names,
  summary: 'A group of colors.',
  props: { title: { type: 'title', description: 'The name of the group.' } },
  html({ title }, node, page) {
    const head = title && html`<p class="d-swatches-title">${page.render(title)}</p>`;
    return html`<div class="d-color-row color-row">${head}<div class="d-swatches">${page.render(node.children)}</div></div>`;
  },
  markdown: ({ title }, { children }) => [...titleLine(title), ...children],
});

const colorItem = defineComponent({
  names: ['Color.Item'],
  parents: [...color.names, ...colorRow.names],
  summary: 'One color, or one for each appearance.',
  props: {
    name: { type: 'title', description: 'The name of the color.' },
    value: { type: 'data', description: 'A CSS color, or `{ light, dark }`.' },
  },
  html: ({ name, value }, _, page) =>
    joinHtml(
      swatches(value).map(([appearance, one]) =>
        swatch(labelOf(name) ?? '', appearance, one, page),
      ),
    ),
  markdown({ name, value }) {
    const values = swatches(value).flatMap(([, one], index) =>
      nodes(index > 0 ? ', ' : undefined, element('code', {}, one)),
    );
    return [element('li', {}, name, name && ': ', values)];
  },
});

function swatches(value: PropValue): (readonly [appearance: string, value: string])[] {
  const textOf = (propValue: PropValue): string => (typeof propValue === 'string' ? propValue : '');
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    value instanceof NodesValue
  )
    return [['', textOf(value)]];
  const pair = value as { readonly [appearance: string]: PropValue };
  return ['light', 'dark']
    .filter((key) => Object.hasOwn(pair, key))
    .map((key) => [key, textOf(pair[key])]);
}

function swatch(name: string, appearance: string, value: string, page: PageRenderer): Html {
  const cssColor = safeColor(value);
  if (cssColor === undefined) {
    page.warn(
      'unknown-color',
      `"${value}" is not a valid CSS color.`,
      'Write it as #rrggbb, rgb(…), hsl(…) or by its CSS name.',
    );
  }
  const attrs = attributes({ 'data-copy': value, 'data-appearance': appearance || undefined });
  return html`<button type="button" class="d-color color-item"${attrs}><span class="d-swatch"${attributes(
    {
      style: cssColor && `background:${cssColor}`,
    },
  )}></span><span class="d-swatch-text">${name && html`<span class="d-swatch-name">${name}</span>`}<span class="d-swatch-value">${value}</span></span></button>`;
}

export const colors: readonly Component[] = [color, colorRow, colorItem];
