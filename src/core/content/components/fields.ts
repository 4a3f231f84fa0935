import { word } from '../../api-reference/markup/words.ts';
import { attributes, type Html, html } from '../../html.ts';
import { type ComponentNode, NodesValue } from '../expand/content-node.ts';
import type { ComponentRenderer, PageRenderer } from '../page-renderer.ts';
import { anyProp, flagProp, listProp, textProp } from './props.ts';

const PLACES = ['query', 'path', 'body', 'header', 'cookie'] as const;

interface FieldView {
  name: string;
  place?: string;
  /** First part of the id. */
  prefix: string;
}

/** `ParamField`: a parameter of an endpoint; the prop that names it also says where it stands. */
export const paramField: ComponentRenderer = (node, page) => {
  const place = PLACES.find((candidate) => textProp(node, candidate) !== undefined);
  const name = (place && textProp(node, place)) ?? textProp(node, 'name', 'title') ?? '';
  return renderField(node, page, { name, place, prefix: 'param' });
};

/** `ResponseField`: a value in an answer. Older pages name it with `body` or `header`. */
export const responseField: ComponentRenderer = (node, page) => {
  const place = textProp(node, 'header') === undefined ? undefined : 'header';
  return renderField(node, page, { name: textProp(node, 'name', 'body', 'header', 'title') ?? '', place, prefix: 'response' });
};

function renderField(node: ComponentNode, page: PageRenderer, view: FieldView): Html {
  const id = textProp(node, 'id') ?? page.uniqueId(`${view.prefix} ${view.name}`);
  const type = textProp(node, 'type');
  const fallback = defaultOf(node, page);
  const placeholder = textProp(node, 'placeholder');
  const pieces = [
    ...listProp(node, 'pre').map((word) => html`<span class="d-field-tag">${word}</span>`),
    view.name && html`<a class="d-field-name" href="#${id}"><code>${view.name}</code></a>`,
    type && html`<span class="d-field-type">${type}</span>`,
    view.place && html`<span class="d-field-tag">${view.place}</span>`,
    fallback !== undefined && html`<span class="d-field-tag">default: <code>${fallback}</code></span>`,
    placeholder && html`<span class="d-field-tag">for example <code>${placeholder}</code></span>`,
    flagProp(node, 'required') && html`<span class="d-field-tag" data-tone="danger">${word('required')}</span>`,
    flagProp(node, 'deprecated') && html`<span class="d-field-tag" data-tone="warning">${word('deprecated')}</span>`,
    ...listProp(node, 'post').map((word) => html`<span class="d-field-tag">${word}</span>`),
  ];
  // What a form is made of that calls a hand-written endpoint.
  const facts = attributes({
    'data-name': view.name,
    'data-place': view.place,
    'data-type': type,
    'data-required': flagProp(node, 'required') ? '' : undefined,
    'data-example': placeholder,
    'data-default': fallback,
  });
  return html`<div class="d-field field" data-component="${view.prefix}-field" id="${id}"${facts}><div class="d-field-head">${pieces}</div><div class="d-field-body">${page.render(
    node.children,
  )}</div></div>`;
}

/** A default may be anything, `false` and `0` too. */
function defaultOf(node: ComponentNode, page: PageRenderer): string | undefined {
  const value = anyProp(node, 'default');
  if (value === undefined || value === null) return undefined;
  if (value instanceof NodesValue) return page.textOf(value.nodes);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
