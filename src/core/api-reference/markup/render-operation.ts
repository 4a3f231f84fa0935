import type { ContentSection } from '../../content/page-content.ts';
import type { PageRenderer } from '../../content/page-renderer.ts';
import { anchorLink, word, wordMark, wordNamed } from '../../content/words.ts';
import type { PlaygroundDisplay, SiteConfig } from '../../docs-json/site-config.ts';
import { escapeHtml, type Html, html, joinHtml, trustedHtml } from '../../html.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { type AuthorizationView, authorizationNotes, type Credential } from '../authorizations.ts';
import { createDescriptionWriter } from '../descriptions.ts';
import type { ContentView, ResponseView } from '../operation-contents.ts';
import type { ParameterPlace } from '../parameters.ts';
import { isInteractive, playgroundOpener } from '../playground/playground-markup.ts';
import { isCallable, readInputs } from '../playground/read-inputs.ts';
import { bodySamples, codeSamples, responseSamples } from '../samples/code-samples.ts';
import { operationServers } from '../servers.ts';
import { type EndpointBar, endpointBar, methodBadge } from './endpoint-markup.ts';
import { exampleGroup } from './example-markup.ts';
import { examplesPlace } from './examples-place.ts';
import { type FieldWriter, fieldsMarkup, schemaMarkup, sharedMarkup, tagMarkup, wordTagMarkup } from './field-markup.ts';
import { operationMarkdown, operationPieces } from './operation-markdown.ts';
import { operationSections, type SectionAnchors } from './operation-sections.ts';
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
  settings?: Pick<SiteConfig['api'], 'expandParams' | 'paramPills' | 'examples' | 'withCookies' | 'isProxied'>;
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

const PARAMETER_TITLES: Record<ParameterPlace, string> = {
  path: 'Path Parameters',
  query: 'Query Parameters',
  header: 'Headers',
  cookie: 'Cookies',
};

/**
 * Renders the page of one operation or webhook: its bar, description, parameters, body and responses; examples go to the right
 * rail. The page's title is rendered elsewhere. Never throws.
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
  for (const group of [
    exampleGroup(page, requests, 'request-example'),
    exampleGroup(page, bodies, 'request-example'),
    exampleGroup(page, examples.responses, 'response-example'),
  ]) {
    if (group) page.addAside(group);
  }
  const anchors: SectionAnchors = {};
  const servers = operation.webhook ? [] : operationServers(document, operation);
  const parts = endpointParts(page, document, operation, options, { ...view, servers });
  const writer: FieldWriter = {
    describe: createDescriptionWriter(page),
    uniqueId: (text) => page.uniqueId(text),
    href: (path) => page.href(path),
    isExpanded: settings.expandParams === true,
  };
  if (view.description !== undefined && !options.withoutDescription) parts.push(trustedHtml(writer.describe(view.description)));
  if (view.moreAt) parts.push(html`<p><a href="${trustedHtml(page.href(view.moreAt.url))}">${view.moreAt.text}</a></p>`);
  parts.push(examplesPlace, ...parameterParts(page, writer, view));
  if (view.body) parts.push(bodyPart(page, writer, view, anchors));
  if (view.responses.length > 0) parts.push(responsesPart(page, writer, view.responses, anchors));
  if (view.callbacks.length > 0) parts.push(callbacksPart(page, writer, view.callbacks, anchors));
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
  const opener = playgroundOpener(page, readInputs(document, operation, { ...settings, baseUrls: [...(baseUrls ?? [])] }));
  return [endpointBar({ ...bar, action: opener.button }), opener.data];
}

/** A heading with its entry in the table of contents. Headings of depth 2 are built-in words, the others the author's names. */
export function headingPart(page: PageRenderer, depth: 2 | 3, text: string, after?: Html): { id: string; html: Html } {
  const id = page.uniqueId(text);
  const name = depth === 2 ? wordNamed(text) : undefined;
  page.addTocEntry(depth, id, text, name);
  const inner = html`${anchorLink(id)}${name ? word(name) : text}${after}`;
  return { id, html: depth === 2 ? html`<h2 id="${id}">${inner}</h2>` : html`<h3 id="${id}">${inner}</h3>` };
}

function parameterParts(page: PageRenderer, writer: FieldWriter, view: OperationView): Html[] {
  const parts: Html[] = [];
  if (view.authorizations.alternatives.length > 0 || view.authorizations.certificate) {
    parts.push(headingPart(page, 2, 'Authorizations').html, authorizationsMarkup(writer, view.authorizations));
  }
  for (const group of view.parameters) {
    const heading = headingPart(page, 2, PARAMETER_TITLES[group.place]).html;
    parts.push(heading, trustedHtml(fieldsMarkup(writer, group.fields, 'parameter')));
  }
  return parts;
}

/** All ways to authenticate; credentials that are required together are grouped. */
export function authorizationsMarkup(writer: FieldWriter, view: AuthorizationView): Html {
  const groups = view.alternatives.map((credentials) => credentials.map((item) => credentialMarkup(writer, item)).join(''));
  const or = `<p class="d-choices-title">${wordMark('or')}</p>`;
  const notes = authorizationNotes(view).map((note) => `<p class="d-field-note">${note}</p>`);
  return trustedHtml(groups.join(or) + notes.join(''));
}

function credentialMarkup(writer: FieldWriter, credential: Credential): string {
  const id = escapeHtml(writer.uniqueId(`authorization-${credential.name.toLowerCase()}`));
  const name = `<a class="d-field-name" href="#${id}"><code>${escapeHtml(credential.name)}</code></a>`;
  const head = `${name}<span class="d-field-type">string</span>${tagMarkup(credential.place)}${wordTagMarkup('required', 'danger')}`;
  const body = credential.description === '' ? '' : `<div class="d-field-body">${writer.describe(credential.description)}</div>`;
  return `<div class="d-field" id="${id}"><div class="d-field-head">${head}</div>${body}</div>`;
}

function bodyPart(page: PageRenderer, writer: FieldWriter, view: OperationView, anchors: SectionAnchors): Html {
  const body = view.body;
  if (!body) return joinHtml([]);
  const tags =
    (body.contents.length === 1 ? mediaMarkup(body.contents[0]) : '') +
    (body.required ? wordTagMarkup('required', 'danger') : '');
  const heading = headingPart(
    page,
    2,
    view.webhook ? 'Payload' : 'Body',
    tags === '' ? undefined : trustedHtml(`<span class="d-heading-tags">${tags}</span>`),
  );
  anchors.body = heading.id;
  const description = body.description === undefined ? '' : writer.describe(body.description);
  return html`${heading.html}${trustedHtml(description + contentsMarkup(writer, body.contents, view.webhook ? 'schema' : 'body'))}`;
}

/** Several content types with their own schemas are listed one below the other, collapsed. */
function contentsMarkup(writer: FieldWriter, contents: readonly ContentView[], prefix: string): string {
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
  const isPlainObject = schema.type === 'object' && (schema.fields.length > 0 || schema.choices.length > 0);
  return isPlainObject || schema.type === 'any'
    ? inner
    : `<p class="d-schema-type"><span class="d-field-type">${escapeHtml(schema.type)}</span></p>${inner}`;
}

function mediaMarkup(content: ContentView | undefined): string {
  return (content?.mediaTypes ?? []).map((type) => `<code class="d-media-type">${escapeHtml(type)}</code>`).join('');
}

function responsesPart(
  page: PageRenderer,
  writer: FieldWriter,
  responses: readonly ResponseView[],
  anchors: SectionAnchors,
): Html {
  const heading = headingPart(page, 2, responses.length === 1 ? 'Response' : 'Responses');
  anchors.responses = heading.id;
  const addTocEntry: PageRenderer['addTocEntry'] = (...entry) => page.addTocEntry(...entry);
  const markup = sharedMarkup(responses, { ...writer, addTocEntry }, (part) => {
    let out = '';
    for (const [index, response] of responses.entries()) {
      const id = part.uniqueId(`response ${response.status}`);
      part.addTocEntry(3, id, response.status);
      out += responseMarkup(part, response, id, index === 0);
    }
    return out;
  });
  return html`${heading.html}${trustedHtml(markup)}`;
}

function responseMarkup(writer: FieldWriter, response: ResponseView, id: string, isOpen: boolean): string {
  const tone = /^[1-5]/.test(response.status) ? response.status[0] : 'other';
  const status = `<h3 id="${escapeHtml(id)}" class="d-status" data-class="${tone}">${escapeHtml(response.status)}</h3>`;
  const headers =
    response.headers.length === 0
      ? ''
      : `<p class="d-choices-title">${wordMark('headers')}</p>${fieldsMarkup(writer, response.headers, 'response-header')}`;
  const description = response.description === undefined ? '' : writer.describe(response.description);
  const only = response.contents.length === 1 ? mediaMarkup(response.contents[0]) : '';
  const body = description + headers + contentsMarkup(writer, response.contents, 'response');
  const open = isOpen ? ' open' : '';
  return `<details class="d-response"${open}><summary>${status}<span class="d-heading-tags">${only}</span></summary><div>${body}</div></details>`;
}

function callbacksPart(
  page: PageRenderer,
  writer: FieldWriter,
  callbacks: readonly CallbackView[],
  anchors: SectionAnchors,
): Html {
  const heading = headingPart(page, 2, 'Callbacks');
  anchors.callbacks = heading.id;
  return html`${heading.html}${joinHtml(callbacks.map((callback) => callbackMarkup(writer, callback)))}`;
}

/** A callback is a request in the other direction; only readers who implement its receiver need the fields. */
function callbackMarkup(writer: FieldWriter, { body, ...callback }: CallbackView): Html {
  const texts = [callback.description, body?.description].filter((text) => text !== undefined);
  const payload = body ? contentsMarkup(writer, body.contents, 'callback') : '';
  const answers = callback.responses.map((response) =>
    responseMarkup(writer, response, writer.uniqueId(`callback response ${response.status}`), false),
  );
  const inner = [...texts.map((text) => writer.describe(text)), payload, ...answers].join('');
  const head = html`${methodBadge(callback.method)} <strong>${callback.name}</strong> <code>${callback.address}</code>`;
  return html`<details class="d-response"><summary>${head}</summary><div>${trustedHtml(inner)}</div></details>`;
}
