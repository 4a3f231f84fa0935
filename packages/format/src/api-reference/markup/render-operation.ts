import type { ContentSection } from '../../content/page/page-content.ts';
import type { PageRenderer } from '../../content/page/page-renderer.ts';
import { anchorLink, word, wordMark, wordNamed } from '../../content/page/words.ts';
import type { PlaygroundDisplay, SiteConfig } from '../../docs-json/site-config.ts';
import { emptyHtml, escapeHtml, type Html, html, joinHtml, trustedHtml } from '../../html.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { type AuthorizationView, authorizationNotes, type Credential } from '../authorizations.ts';
import type { ContentView, ResponseView } from '../operation-contents.ts';
import { isInteractive, playgroundOpener } from '../playground/playground-markup.ts';
import { isCallable, readInputs } from '../playground/read-inputs.ts';
import type { InputPlace } from '../request-inputs.ts';
import { bodySamples, codeSamples, responseSamples } from '../samples/code-samples.ts';
import type { SchemaField } from '../schemas/schema-view.ts';
import { operationServers } from '../servers.ts';
import { type EndpointBar, endpointBar, methodBadge } from './endpoint-markup.ts';
import { addExamples } from './example-markup.ts';
import { examplesPlace } from './examples-place.ts';
import {
  createFieldWriter,
  type FieldWriter,
  fieldsMarkup,
  schemaMarkup,
  sharedMarkup,
  tagMarkup,
  wordTagMarkup,
} from './field-markup.ts';
import { operationMarkdown, operationPieces } from './operation-markdown.ts';
import { operationSections } from './operation-sections.ts';
import { type CallbackView, type OperationView, readOperationView } from './operation-view.ts';

/** The parts of a page generated from an API description. */
export interface RenderedApiPage {
  html: Html;
  markdown: string;
  sections: ContentSection[];
}

export interface RenderOperationOptions {
  /** Addresses for examples if the description names no server (`api.mdx.server`). */
  baseUrls?: readonly string[];
  /** The site's settings for API pages (`api` of docs.json). */
  settings?: Pick<
    SiteConfig['api'],
    'expandParams' | 'paramPills' | 'examples' | 'withCookies' | 'isProxied'
  >;
  /** Schemas that have pages of their own: name → site path. */
  objectPages?: ReadonlyMap<string, string> | undefined;
  /** How the page shows the request; absent: the request without a form. */
  display?: PlaygroundDisplay;
  /** Omit the original operation from the Markdown (`markdown.schema: false`). */
  withoutSource?: boolean;
  /** Omit the description if the page's header already shows it. */
  withoutDescription?: boolean;
}

/** The request that every reader can send, whatever language they use. */
const CURL = 'cURL';

const PARAMETER_TITLES: Record<InputPlace, string> = {
  path: 'Path Parameters',
  query: 'Query Parameters',
  header: 'Headers',
  cookie: 'Cookies',
};

/**
 * Renders the page of one operation or webhook: its bar, description, parameters, body and
 * responses; examples go to the right rail. The page's title is rendered elsewhere. Never throws.
 */
export function renderOperation(
  document: ApiDocument,
  operation: ApiOperation,
  page: PageRenderer,
  options: RenderOperationOptions = {},
): RenderedApiPage {
  const { settings = {} } = options;
  const view = readOperationView(document, operation, {
    ...(settings.paramPills && { pills: settings.paramPills }),
    ...(options.objectPages && { objectPages: options.objectPages }),
  });
  const requests = codeSamples(document, operation, options.baseUrls, settings.examples);
  const bodies = bodySamples(document, operation);
  const examples = { requests, bodies, responses: responseSamples(document, operation) };
  addExamples(page, requests, 'request-example');
  addExamples(page, bodies, 'request-example');
  addExamples(page, examples.responses, 'response-example');
  const servers = operation.webhook ? [] : operationServers(document, operation);
  const parts = endpointParts(page, document, operation, options, { ...view, servers });
  const writer = createFieldWriter(page, settings.expandParams);
  if (view.description !== undefined && !options.withoutDescription)
    parts.push(trustedHtml(writer.describe(view.description)));
  if (view.moreAt)
    parts.push(
      html`<p><a href="${trustedHtml(page.href(view.moreAt.url))}">${view.moreAt.text}</a></p>`,
    );
  parts.push(examplesPlace, authorizationsPart(writer, view.authorizations));
  for (const { place, fields } of view.parameters)
    parts.push(fieldsPart(writer, PARAMETER_TITLES[place], fields, 'parameter'));
  const body = bodyPart(writer, view);
  const responses = responsesPart(writer, view.responses);
  const callbacks = callbacksPart(writer, view.callbacks);
  const anchors = { body: body?.id, responses: responses?.id, callbacks: callbacks?.id };
  for (const part of [body, responses, callbacks]) if (part) parts.push(part.html);
  const pieces = operationPieces(view);
  return {
    html: html`<div class="d-api">${joinHtml(parts)}</div>`,
    markdown: operationMarkdown(operation, view, pieces, servers, examples, {
      description: options.withoutDescription === true,
      source: options.withoutSource === true,
    }),
    sections: operationSections(
      view,
      pieces,
      operation.summary,
      anchors,
      requests.find(({ label }) => label === CURL) ?? requests[0] ?? bodies[0],
    ),
  };
}

/** The bar of the operation, with the button that opens its form if the page has one. */
function endpointParts(
  page: PageRenderer,
  document: ApiDocument,
  operation: ApiOperation,
  { display = 'simple', baseUrls, settings }: RenderOperationOptions,
  bar: EndpointBar,
): Html[] {
  if (display === 'none') return [];
  if (!isInteractive(display) || !isCallable(operation.method)) return [endpointBar(bar)];
  const opener = playgroundOpener(
    page,
    readInputs(document, operation, { ...settings, baseUrls: [...(baseUrls ?? [])] }),
  );
  return [endpointBar({ ...bar, action: opener.button }), opener.data];
}

/** A part of a page, and the id of its heading. */
interface Part {
  id: string;
  html: Html;
}

/**
 * A heading with its entry in the table of contents. Headings of depth 2 are built-in words, the
 * others the author's names.
 */
export function headingPart(
  page: Pick<PageRenderer, 'uniqueId' | 'addTocEntry'>,
  depth: 2 | 3,
  text: string,
  after?: Html,
): Part {
  const id = page.uniqueId(text);
  const name = depth === 2 ? wordNamed(text) : undefined;
  page.addTocEntry(depth, id, text, name);
  const inner = html`${anchorLink(id)}${name ? word(name) : text}${after}`;
  return {
    id,
    html: depth === 2 ? html`<h2 id="${id}">${inner}</h2>` : html`<h3 id="${id}">${inner}</h3>`,
  };
}

/** Fields below a heading; nothing if there are none. */
export function fieldsPart(
  writer: FieldWriter,
  title: string,
  fields: readonly SchemaField[],
  prefix: string,
): Html {
  if (fields.length === 0) return emptyHtml;
  return html`${headingPart(writer, 2, title).html}${trustedHtml(fieldsMarkup(writer, fields, prefix))}`;
}

/** The ways to authenticate below a heading; nothing if there are none. */
export function authorizationsPart(writer: FieldWriter, view: AuthorizationView): Html {
  if (view.alternatives.length === 0 && !view.certificate) return emptyHtml;
  return html`${headingPart(writer, 2, 'Authorizations').html}${authorizationsMarkup(writer, view)}`;
}

/** All ways to authenticate; credentials that are required together are grouped. */
function authorizationsMarkup(writer: FieldWriter, view: AuthorizationView): Html {
  const groups = view.alternatives.map((credentials) =>
    credentials.map((item) => credentialMarkup(writer, item)).join(''),
  );
  const or = `<p class="d-choices-title">${wordMark('or')}</p>`;
  const notes = authorizationNotes(view).map((note) => `<p class="d-prop-note">${note}</p>`);
  return trustedHtml(groups.join(or) + notes.join(''));
}

function credentialMarkup(writer: FieldWriter, credential: Credential): string {
  const id = escapeHtml(writer.uniqueId(`authorization-${credential.name.toLowerCase()}`));
  const name = `<a class="d-prop-name" href="#${id}"><code>${escapeHtml(credential.name)}</code></a>`;
  const head = `${name}<span class="d-prop-type">string</span>${tagMarkup(credential.place)}${wordTagMarkup('required', 'danger')}`;
  const body =
    credential.description === ''
      ? ''
      : `<div class="d-prop-body">${writer.describe(credential.description)}</div>`;
  return `<div class="d-field" id="${id}"><div class="d-prop-head">${head}</div>${body}</div>`;
}

function bodyPart(writer: FieldWriter, { body, webhook }: OperationView): Part | undefined {
  if (!body) return undefined;
  const tags =
    (body.contents.length === 1 ? mediaMarkup(body.contents[0]) : '') +
    (body.required ? wordTagMarkup('required', 'danger') : '');
  const after =
    tags === '' ? undefined : trustedHtml(`<span class="d-heading-tags">${tags}</span>`);
  const { id, html: heading } = headingPart(writer, 2, webhook ? 'Payload' : 'Body', after);
  const description = body.description === undefined ? '' : writer.describe(body.description);
  const contents = contentsMarkup(writer, body.contents, webhook ? 'schema' : 'body');
  return { id, html: html`${heading}${trustedHtml(description + contents)}` };
}

/** Several content types with their own schemas are listed one below the other, collapsed. */
function contentsMarkup(
  writer: FieldWriter,
  contents: readonly ContentView[],
  prefix: string,
): string {
  const [only] = contents;
  if (only && contents.length === 1) return topSchemaMarkup(writer, only, prefix);
  const blocks = contents.map((content, index) => {
    const open = index === 0 ? ' open' : '';
    return `<details class="d-choice"${open}><summary>${mediaMarkup(content)}</summary><div>${topSchemaMarkup(writer, content, prefix)}</div></details>`;
  });
  return blocks.join('');
}

function topSchemaMarkup(writer: FieldWriter, { schema }: ContentView, prefix: string): string {
  const inner = schemaMarkup(writer, schema, prefix);
  // The fields of an object show that it is one; everything else names its type.
  const isPlainObject =
    schema.type === 'object' && (schema.fields.length > 0 || schema.choices.length > 0);
  return isPlainObject || schema.type === 'any'
    ? inner
    : `<p class="d-schema-type"><span class="d-prop-type">${escapeHtml(schema.type)}</span></p>${inner}`;
}

function mediaMarkup(content: ContentView | undefined): string {
  return (content?.mediaTypes ?? [])
    .map((type) => `<code class="d-media-type">${escapeHtml(type)}</code>`)
    .join('');
}

function responsesPart(writer: FieldWriter, responses: readonly ResponseView[]): Part | undefined {
  if (responses.length === 0) return undefined;
  const { id, html: heading } = headingPart(
    writer,
    2,
    responses.length === 1 ? 'Response' : 'Responses',
  );
  const markup = sharedMarkup(responses, writer, (part) => {
    let out = '';
    for (const [index, response] of responses.entries()) {
      const id = part.uniqueId(`response ${response.status}`);
      part.addTocEntry(3, id, response.status);
      out += responseMarkup(part, response, id, index === 0);
    }
    return out;
  });
  return { id, html: html`${heading}${trustedHtml(markup)}` };
}

function responseMarkup(
  writer: FieldWriter,
  response: ResponseView,
  id: string,
  isOpen: boolean,
): string {
  const tone = /^[1-5]/.test(response.status) ? response.status[0] : 'other';
  const status = `<h3 id="${escapeHtml(id)}" class="d-status" data-class="${tone}">${escapeHtml(response.status)}</h3>`;
  const headers =
    response.headers.length === 0
      ? ''
      : `<p class="d-choices-title">${wordMark('headers')}</p>${fieldsMarkup(writer, response.headers, 'response-header')}`;
  const description =
    response.description === undefined ? '' : writer.describe(response.description);
  const only = response.contents.length === 1 ? mediaMarkup(response.contents[0]) : '';
  const body = description + headers + contentsMarkup(writer, response.contents, 'response');
  const open = isOpen ? ' open' : '';
  return `<details class="d-response"${open}><summary>${status}<span class="d-heading-tags">${only}</span></summary><div>${body}</div></details>`;
}

function callbacksPart(writer: FieldWriter, callbacks: readonly CallbackView[]): Part | undefined {
  if (callbacks.length === 0) return undefined;
  const { id, html: heading } = headingPart(writer, 2, 'Callbacks');
  return {
    id,
    html: html`${heading}${joinHtml(callbacks.map((callback) => callbackMarkup(writer, callback)))}`,
  };
}

/**
 * A callback is a request in the other direction; only readers who implement its receiver need the
 * fields.
 */
function callbackMarkup(writer: FieldWriter, { body, ...callback }: CallbackView): Html {
  const texts = [callback.description, body?.description].filter((text) => text !== undefined);
  const payload = body ? contentsMarkup(writer, body.contents, 'callback') : '';
  const answers = callback.responses.map((response) =>
    responseMarkup(
      writer,
      response,
      writer.uniqueId(`callback response ${response.status}`),
      false,
    ),
  );
  const inner = [...texts.map((text) => writer.describe(text)), payload, ...answers].join('');
  const head = html`${methodBadge(callback.method)} <strong>${callback.name}</strong> <code>${callback.address}</code>`;
  return html`<details class="d-response"><summary>${head}</summary><div>${trustedHtml(inner)}</div></details>`;
}
