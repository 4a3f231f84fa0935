import { attributes, type Html, html } from '../../html.ts';
import {
  type ComponentNode,
  type ContentNode,
  NodesValue,
  nodeText,
  type PropValue,
} from '../nodes/content-node.ts';
import { element, leading, nodes } from '../nodes/plain-nodes.ts';
import type { PageRenderer } from '../page/page-renderer.ts';
import { word } from '../page/words.ts';
import {
  type Component,
  defineComponent,
  ID_PROP,
  type PropSchemas,
  type PropsOf,
} from './define-component.ts';

const PLACES = ['query', 'path', 'body', 'header', 'cookie'] as const;

const FIELD_PROPS = {
  type: { type: 'text', description: 'Its type, for example `string` or `integer[]`.' },
  required: { type: 'flag', description: 'Whether it is required.' },
  optional: { type: 'flag', description: 'Has no effect: fields are optional by default.' },
  deprecated: { type: 'flag', description: 'Whether it is deprecated.' },
  default: { type: 'data', description: 'The default value.' },
  initialValue: {
    type: 'data',
    description: 'The initial value in the playground, if it is not the default.',
  },
  placeholder: { type: 'text', description: 'An example of a value.' },
  pre: { type: 'list', description: 'Labels before the name.' },
  post: { type: 'list', description: 'Labels at the end of the line.' },
  title: { type: 'text', description: 'The name, if no other prop sets it.' },
  ...ID_PROP,
} as const satisfies PropSchemas;

interface FieldView {
  name: string;
  place?: string | undefined;
  props: PropsOf<typeof FIELD_PROPS>;
}

function fieldHtml(
  { name, place, props }: FieldView,
  node: ComponentNode,
  page: PageRenderer,
  prefix: string,
): Html {
  const id = props.id ?? page.uniqueId(`${prefix} ${name}`);
  const { type, placeholder, required } = props;
  const fallback = defaultOf(props.default);
  const pieces = [
    ...props.pre.map((label) => html`<span class="d-prop-tag">${label}</span>`),
    name &&
      html`<a class="d-prop-name" data-component-part="field-name" href="#${id}"><code>${name}</code></a>`,
    type &&
      html`<span class="d-prop-type" data-component-part="field-info-pill">${page.render(typeNodes(type, node))}</span>`,
    place && html`<span class="d-prop-tag">${place}</span>`,
    fallback !== undefined &&
      html`<span class="d-prop-tag">${word('default', 'default')}: <code>${fallback}</code></span>`,
    placeholder && html`<span class="d-prop-tag">for example <code>${placeholder}</code></span>`,
    required &&
      html`<span class="d-prop-tag" data-tone="danger" data-component-part="field-required-pill">${word('required')}</span>`,
    props.deprecated &&
      html`<span class="d-prop-tag" data-tone="warning" data-component-part="field-deprecated-pill">${word('deprecated')}</span>`,
    ...props.post.map((label) => html`<span class="d-prop-tag">${label}</span>`),
  ];
  // The field data for the form of a hand-written endpoint.
  const facts = attributes({
    'data-name': name,
    'data-place': place,
    'data-type': type,
    'data-required': required ? '' : undefined,
    'data-example': placeholder,
    'data-default': defaultOf(props.initialValue) ?? fallback,
  });
  return html`<div class="d-field field" data-component="${prefix}-field" id="${id}"${facts}><div class="d-prop-head">${pieces}</div><div class="d-prop-body">${page.render(
    node.children,
  )}</div></div>`;
}

/** A type like `Promise<void>` is code; otherwise Markdown would parse an element. */
const READS_AS_MARKUP = /[<*_`\\]/;

const asCode = (node: ContentNode): ContentNode =>
  node.type === 'text' && READS_AS_MARKUP.test(node.value) ? element('code', {}, node.value) : node;

/** A type may be JSX, such as a link to where it is described. */
function typeNodes(type: string, { props }: ComponentNode): readonly ContentNode[] {
  return props.type instanceof NodesValue ? props.type.nodes : [{ type: 'text', value: type }];
}

function fieldMarkdown({ name, place, props }: FieldView, node: ComponentNode): ContentNode[] {
  const fallback = defaultOf(props.default);
  const facts: (ContentNode | string)[][] = [
    ...props.pre.map((label) => [label]),
    ...(props.type ? [typeNodes(props.type, node).map(asCode)] : []),
    ...(place ? [[place]] : []),
    ...(props.required ? [['required']] : []),
    ...(props.deprecated ? [['deprecated']] : []),
    ...(fallback === undefined ? [] : [['default: ', element('code', {}, fallback)]]),
    ...(props.placeholder ? [['for example ', element('code', {}, props.placeholder)]] : []),
    ...props.post.map((label) => [label]),
  ];
  const listed = facts.flatMap((fact, index) => nodes(index === 0 ? ' (' : ', ', ...fact));
  const head = nodes(name && element('code', {}, name), listed, facts.length > 0 ? ')' : undefined);
  return [element('li', {}, leading(head, ': ', node.children))];
}

/** A default may be any value, including `false` and `0`. */
function defaultOf(value: PropValue): string | undefined {
  if (value === undefined) return undefined;
  if (value instanceof NodesValue) return nodeText(value.nodes);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const PARAM_PROPS = {
  path: { type: 'text', description: 'The name of a parameter in the path.' },
  query: { type: 'text', description: 'The name of a query parameter.' },
  body: { type: 'text', description: 'The name of a field of the body.' },
  header: { type: 'text', description: 'The name of a header.' },
  cookie: { type: 'text', description: 'The name of a cookie.' },
  auth: { type: 'text', description: 'The name of a credential.' },
  name: { type: 'text', description: 'The name of a parameter without a location.' },
  ...FIELD_PROPS,
} as const satisfies PropSchemas;

function paramView(props: PropsOf<typeof PARAM_PROPS>): FieldView {
  const place = PLACES.find((candidate) => props[candidate] !== undefined);
  return {
    name: (place && props[place]) ?? props.name ?? props.auth ?? props.title ?? '',
    place,
    props,
  };
}

const paramField = defineComponent({
  names: ['ParamField', 'RequestField'],
  summary: 'A parameter of a request. The prop that holds its name also sets its location.',
  example: `<ParamField path="jobId" type="string" required>
  Which job.
</ParamField>
<ParamField query="limit" type="integer" default={20}>
  How many to return.
</ParamField>`,
  props: PARAM_PROPS,
  html: (props, node, page) => fieldHtml(paramView(props), node, page, 'param'),
  markdown: (props, node) => fieldMarkdown(paramView(props), node),
});

const RESPONSE_PROPS = {
  name: { type: 'text', description: 'Its name.' },
  body: { type: 'text', description: 'The name, as in older pages.' },
  header: { type: 'text', description: 'The name of a header of the response.' },
  ...FIELD_PROPS,
} as const satisfies PropSchemas;

function responseView(props: PropsOf<typeof RESPONSE_PROPS>): FieldView {
  const { name, body, header, title } = props;
  return {
    name: name ?? body ?? header ?? title ?? '',
    place: header === undefined ? undefined : 'header',
    props,
  };
}

const responseField = defineComponent({
  names: ['ResponseField'],
  summary: 'A value in a response.',
  example: `<ResponseField name="progress" type="number" required>
  From 0 to 100.
</ResponseField>`,
  props: RESPONSE_PROPS,
  html: (props, node, page) => fieldHtml(responseView(props), node, page, 'response'),
  markdown: (props, node) => fieldMarkdown(responseView(props), node),
});

export const fields: readonly Component[] = [paramField, responseField];
