import type { PageRenderer } from '../../content/page-renderer.ts';
import { wordMark } from '../../content/words.ts';
import { type Html, html, joinHtml, trustedHtml } from '../../html.ts';
import type { ApiChannel, ApiDocument } from '../api-document.ts';
import { channelProtocol, channelRoute } from '../api-document.ts';
import { createDescriptionWriter } from '../descriptions.ts';
import { exampleValue } from '../example-value.ts';
import { isInteractive, playgroundOpener } from '../playground/playground-markup.ts';
import { readChannelInputs } from '../playground/read-channel-inputs.ts';
import { type ChannelView, type MessageView, readChannel } from '../read-channel.ts';
import type { CodeSample } from '../samples/code-samples.ts';
import { endpointBar } from './endpoint-markup.ts';
import { exampleGroup } from './example-markup.ts';
import { examplesPlace } from './examples-place.ts';
import { type FieldWriter, fieldsMarkup, schemaMarkup, tagMarkup } from './field-markup.ts';
import { fence } from './operation-markdown.ts';
import { section, Words } from './operation-sections.ts';
import { authorizationsMarkup, headingPart, type RenderedApiPage, type RenderOperationOptions } from './render-operation.ts';
import { codeSpan, factsText, fieldsMarkdown, schemaInside } from './schema-markdown.ts';

const GROUPS = [
  { direction: 'send', title: 'Send' },
  { direction: 'receive', title: 'Receive' },
  { direction: undefined, title: 'Messages' },
] as const;

/**
 * Renders the page of an AsyncAPI channel: how to connect, and the messages in both directions from the client's view. Never
 * throws.
 */
export function renderChannel(
  document: ApiDocument,
  channel: ApiChannel,
  page: PageRenderer,
  { display = 'simple', settings }: Pick<RenderOperationOptions, 'display' | 'settings'> = {},
): RenderedApiPage {
  const view = readChannel(document, channel);
  const writer: FieldWriter = { describe: createDescriptionWriter(page), uniqueId: (text) => page.uniqueId(text) };
  const samples = new Map(GROUPS.map(({ direction }) => [direction, messageSamples(document, view, direction)]));
  for (const [direction, list] of samples) {
    const group = exampleGroup(page, list, direction === 'receive' ? 'response-example' : 'request-example');
    if (group) page.addAside(group);
  }
  const method = channelProtocol(channel);
  const route = channelRoute(channel);
  const inputs = isInteractive(display)
    ? readChannelInputs(document, channel, view, [...(samples.get('send') ?? []), ...(samples.get(undefined) ?? [])], settings)
    : undefined;
  const opener = inputs && playgroundOpener(page, inputs);
  const bar = { method, route, servers: channel.servers, deprecated: false, action: opener?.button };
  const parts: Html[] = [endpointBar(bar), ...(opener ? [opener.data] : [])];
  if (channel.description !== undefined) parts.push(trustedHtml(writer.describe(channel.description)));
  parts.push(examplesPlace);
  if (view.credentials.length > 0) {
    const alternatives = view.credentials.map((credential) => [credential]);
    parts.push(
      headingPart(page, 2, 'Authorizations').html,
      authorizationsMarkup(writer, { alternatives, optional: false, certificate: false }),
    );
  }
  if (view.parameters.length > 0) {
    parts.push(headingPart(page, 2, 'Parameters').html, trustedHtml(fieldsMarkup(writer, view.parameters, 'parameter')));
  }
  if (view.bindings.length > 0) {
    parts.push(headingPart(page, 2, 'Bindings').html, trustedHtml(fieldsMarkup(writer, view.bindings, 'binding')));
  }
  for (const { direction, title } of GROUPS) parts.push(...messagesPart(page, writer, view, direction, title));
  const markdown = channelMarkdown(view, channel, `${method} ${route}`, samples.get('send')?.[0]);
  return {
    html: html`<div class="d-api">${joinHtml(parts)}</div>`,
    markdown,
    sections: [section(markdown, channelWords(view, channel, `${method} ${route}`))],
  };
}

function messagesPart(
  page: PageRenderer,
  writer: FieldWriter,
  view: ChannelView,
  direction: MessageView['direction'],
  title: string,
): Html[] {
  const messages = view.messages.filter((message) => message.direction === direction);
  if (messages.length === 0) return [];
  const heading = headingPart(page, 2, title).html;
  return [heading, ...messages.map((message) => messageMarkup(page, writer, message))];
}

function messageMarkup(page: PageRenderer, writer: FieldWriter, message: MessageView): Html {
  const tag = message.contentType === undefined ? undefined : trustedHtml(tagMarkup(message.contentType));
  const heading = headingPart(page, 3, message.name, tag && html`<span class="d-heading-tags">${tag}</span>`);
  const description = message.description === undefined ? '' : writer.describe(message.description);
  const headers = message.headers
    ? `<p class="d-choices-title">${wordMark('headers')}</p>${schemaMarkup(writer, message.headers, `${heading.id}-header`)}`
    : '';
  const payload = message.payload ? schemaMarkup(writer, message.payload, heading.id) : '';
  const bindings = message.bindings.length > 0 ? fieldsMarkup(writer, message.bindings, `${heading.id}-binding`) : '';
  return html`<div class="d-message">${heading.html}${trustedHtml(description + headers + payload + bindings)}</div>`;
}

function messageSamples(document: ApiDocument, view: ChannelView, direction: MessageView['direction']): CodeSample[] {
  const samples: CodeSample[] = [];
  for (const message of view.messages) {
    if (message.direction !== direction) continue;
    const value = message.example ?? exampleValue(document.root, message.payloadSchema, 'response');
    const code = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    if (code !== undefined) samples.push({ language: typeof value === 'string' ? 'text' : 'json', label: message.name, code });
  }
  return samples.slice(0, 8);
}

function channelMarkdown(view: ChannelView, channel: ApiChannel, head: string, sample: CodeSample | undefined): string {
  const parts = [codeSpan(head)];
  if (channel.description !== undefined) parts.push(channel.description.trim());
  if (view.parameters.length > 0) parts.push('## Parameters', fieldsMarkdown(view.parameters));
  if (view.bindings.length > 0) parts.push('## Bindings', fieldsMarkdown(view.bindings));
  for (const { direction, title } of GROUPS) {
    const messages = view.messages.filter((message) => message.direction === direction);
    if (messages.length > 0) parts.push(`## ${title}`);
    for (const message of messages) {
      parts.push(`### ${message.name}`);
      if (message.description !== undefined) parts.push(message.description.trim());
      if (message.headers) parts.push('Headers:', schemaInside(message.headers));
      if (message.bindings.length > 0) parts.push(fieldsMarkdown(message.bindings));
      if (message.payload) parts.push([factsText(message.payload), schemaInside(message.payload)].filter(Boolean).join('\n\n'));
    }
  }
  if (sample) parts.push('## Example', fence(sample));
  return parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n\n');
}

function channelWords(view: ChannelView, channel: ApiChannel, head: string): string {
  const words = new Words().add(head).add(channel.name).add(channel.description);
  words.addFields(view.parameters).addFields(view.bindings);
  for (const message of view.messages) {
    words.add(message.name).add(message.description).addFields(message.bindings);
    for (const schema of [message.headers, message.payload]) if (schema) words.addSchema(schema);
  }
  return words.text();
}
