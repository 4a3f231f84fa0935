import type { ContentSection } from '../../content/page/page-content.ts';
import type { PageRenderer } from '../../content/page/page-renderer.ts';
import { wordMark } from '../../content/page/words.ts';
import { type Html, html, joinHtml, trustedHtml } from '../../html.ts';
import { entriesOf, objectAt } from '../../json-value.ts';
import type { ApiChannel, ApiDocument, ApiServer } from '../api-document.ts';
import { channelProtocol, channelRoute } from '../api-document.ts';
import type { AuthorizationView } from '../authorizations.ts';
import { exampleValue } from '../example-value.ts';
import { isInteractive, playgroundOpener } from '../playground/playground-markup.ts';
import { readChannelInputs } from '../playground/read-channel-inputs.ts';
import {
  type ChannelView,
  MAX_CHANNEL_PARTS,
  type MessageView,
  readChannel,
} from '../read-channel.ts';
import type { CodeSample } from '../samples/code-samples.ts';
import {
  codeSpan,
  factsText,
  fieldsMarkdown,
  paragraphs,
  schemaInside,
} from '../schemas/schema-markdown.ts';
import { endpointBar } from './endpoint-markup.ts';
import { addExamples } from './example-markup.ts';
import { examplesPlace } from './examples-place.ts';
import {
  createFieldWriter,
  type FieldWriter,
  fieldsMarkup,
  schemaMarkup,
  tagMarkup,
} from './field-markup.ts';
import { authorizationsMarkdown, fence } from './operation-markdown.ts';
import { section, Words } from './operation-sections.ts';
import {
  authorizationsPart,
  fieldsPart,
  headingPart,
  type RenderedApiPage,
  type RenderOperationOptions,
} from './render-operation.ts';

const MAX_GENERATED_SAMPLES = 8;
/** Of all examples of a channel. */
const MAX_SAMPLE_CHARACTERS = 200_000;
/** From this length on, each message is a section of its own in search. */
const LARGE_CHARACTERS = 4_000;

const GROUPS = [
  { direction: 'send', title: 'Send' },
  { direction: 'receive', title: 'Receive' },
  { direction: undefined, title: 'Messages' },
] as const;

/** The fields before the messages. */
const FIELD_PARTS = [
  { key: 'serverVariables', title: 'Server variables', prefix: 'variable' },
  { key: 'parameters', title: 'Parameters', prefix: 'parameter' },
  { key: 'bindings', title: 'Bindings', prefix: 'binding' },
] as const;

/**
 * Renders the page of an AsyncAPI channel: how to connect, and the messages in both directions from
 * the client's view. Never throws.
 */
export function renderChannel(
  document: ApiDocument,
  channel: ApiChannel,
  page: PageRenderer,
  { display = 'simple', settings }: Pick<RenderOperationOptions, 'display' | 'settings'> = {},
): RenderedApiPage {
  const view = readChannel(document, channel);
  warnOfLimits(page, channel);
  const writer = createFieldWriter(page);
  const groups = messageGroups(document, view);
  for (const { direction, messages } of groups) {
    const sampledMessages = messages
      .filter(({ sample }) => sample !== undefined)
      .filter(({ example }, index) => index < MAX_GENERATED_SAMPLES || example !== undefined);
    addExamples(
      page,
      samplesOf(sampledMessages),
      direction === 'receive' ? 'response-example' : 'request-example',
    );
  }
  const method = channelProtocol(channel);
  const route = channelRoute(channel);
  const toSend = groups
    .filter(({ direction }) => direction !== 'receive')
    .flatMap(({ messages }) => samplesOf(messages));
  const inputs = isInteractive(display)
    ? readChannelInputs(document, channel, view, toSend, settings)
    : undefined;
  const opener = inputs && playgroundOpener(page, inputs);
  const bar = {
    method,
    route,
    servers: channel.servers,
    deprecated: false,
    action: opener?.button,
  };
  const parts: Html[] = [endpointBar(bar), ...(opener ? [opener.data] : [])];
  const [server, ...others] = channel.servers;
  // The bar lists several servers with their descriptions.
  if (server?.description && others.length === 0)
    parts.push(trustedHtml(writer.describe(server.description)));
  if (channel.description !== undefined)
    parts.push(trustedHtml(writer.describe(channel.description)));
  parts.push(examplesPlace, authorizationsPart(writer, authorizationsOf(view)));
  for (const { key, title, prefix } of FIELD_PARTS)
    parts.push(fieldsPart(writer, title, view[key], prefix));
  const head = headMarkdown(view, channel, `${method} ${route}`);
  const headWords = new Words()
    .add(`${method} ${route}`)
    .add(channel.name)
    .add(channel.description);
  for (const { description } of channel.servers) headWords.add(description);
  for (const { key } of FIELD_PARTS) headWords.addFields(view[key]);
  const texts = [head];
  const sections: ContentSection[] = [];
  for (const { title, introductions, messages } of groups) {
    if (messages.length === 0 && introductions.length === 0) continue;
    parts.push(
      headingPart(writer, 2, title).html,
      ...introductions.map((text) => trustedHtml(writer.describe(text))),
    );
    texts.push(`## ${title}`, ...introductions);
    for (const text of introductions) headWords.add(text);
    for (const [index, message] of messages.entries()) {
      const { id, html } = messageMarkup(writer, message);
      parts.push(html);
      const text = messageMarkdown(message, index === 0);
      texts.push(`### ${message.name}`, text);
      sections.push({
        ...section(text, messageWords(new Words(), message).text(), id),
        headings: [title, message.name],
      });
    }
  }
  const markdown = paragraphs(texts);
  const isLarge = markdown.length - head.length > LARGE_CHARACTERS;
  if (!isLarge) for (const message of view.messages) messageWords(headWords, message);
  const first = section(isLarge ? head : markdown, headWords.text());
  return {
    html: html`<div class="d-api">${joinHtml(parts)}</div>`,
    markdown,
    sections: isLarge ? [first, ...sections] : [first],
  };
}

function warnOfLimits(page: PageRenderer, { name, raw }: ApiChannel): void {
  for (const part of ['messages', 'parameters']) {
    const count = entriesOf(objectAt(raw, part)).length;
    if (count <= MAX_CHANNEL_PARTS) continue;
    const message = `The channel "${name}" has ${count} ${part}; the first ${MAX_CHANNEL_PARTS} are shown.`;
    page.warn('too-many-channel-parts', message, 'Split the channel into several channels.');
  }
}

/** The messages of one direction, with an example of each. */
interface MessageGroup {
  title: string;
  direction: MessageView['direction'];
  introductions: string[];
  messages: (MessageView & { sample: CodeSample | undefined })[];
}

function messageGroups(document: ApiDocument, view: ChannelView): MessageGroup[] {
  let charactersLeft = MAX_SAMPLE_CHARACTERS;
  return GROUPS.map(({ direction, title }) => {
    const messageViews = view.messages.filter((message) => message.direction === direction);
    const messages = messageViews.map((message) => {
      const sample = charactersLeft > 0 ? messageSample(document, message) : undefined;
      charactersLeft -= sample?.code.length ?? 0;
      return { ...message, sample };
    });
    const introductions = view.introductions
      .filter((introduction) => introduction.direction === direction)
      .map(({ text }) => text);
    return { direction, title, introductions, messages };
  });
}

function messageSample(
  document: ApiDocument,
  { name, example, payloadSchema }: MessageView,
): CodeSample | undefined {
  const value = example ?? exampleValue(document.root, payloadSchema, 'response');
  const code = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return code === undefined
    ? undefined
    : { language: typeof value === 'string' ? 'text' : 'json', label: name, code };
}

function samplesOf(messages: MessageGroup['messages']): CodeSample[] {
  return messages.flatMap(({ sample }) => sample ?? []);
}

function messageMarkup(writer: FieldWriter, message: MessageView): { id: string; html: Html } {
  const tag =
    message.contentType === undefined ? undefined : trustedHtml(tagMarkup(message.contentType));
  const heading = headingPart(
    writer,
    3,
    message.name,
    tag && html`<span class="d-heading-tags">${tag}</span>`,
  );
  const description = message.description === undefined ? '' : writer.describe(message.description);
  const headers = message.headers
    ? `<p class="d-choices-title">${wordMark('headers')}</p>${schemaMarkup(writer, message.headers, `${heading.id}-header`)}`
    : '';
  const payload = message.payload ? schemaMarkup(writer, message.payload, heading.id) : '';
  const bindings =
    message.bindings.length > 0
      ? fieldsMarkup(writer, message.bindings, `${heading.id}-binding`)
      : '';
  const inner = trustedHtml(description + headers + payload + bindings);
  return { id: heading.id, html: html`<div class="d-message">${heading.html}${inner}</div>` };
}

/** What stands before the messages. */
function headMarkdown(view: ChannelView, channel: ApiChannel, line: string): string {
  const parts = [codeSpan(line), serversMarkdown(channel.servers)];
  if (channel.description !== undefined) parts.push(channel.description);
  if (view.credentials.length > 0)
    parts.push('## Authorizations', authorizationsMarkdown(authorizationsOf(view)));
  for (const { key, title } of FIELD_PARTS)
    if (view[key].length > 0) parts.push(`## ${title}`, fieldsMarkdown(view[key]));
  return paragraphs(parts);
}

function serversMarkdown(servers: readonly ApiServer[]): string {
  const items = servers.map(({ url, description = '' }) => {
    const text = description.replace(/\s+/g, ' ').trim();
    return `- ${codeSpan(url)}${text === '' ? '' : `: ${text}`}`;
  });
  return items.length === 0 ? '' : `Servers:\n\n${items.join('\n')}`;
}

/** Each of the credentials is enough. */
function authorizationsOf({ credentials }: ChannelView): AuthorizationView {
  return {
    alternatives: credentials.map((credential) => [credential]),
    optional: false,
    certificate: false,
  };
}

/**
 * A message without its heading. Generated examples repeat the fields, so there is one for each
 * direction.
 */
function messageMarkdown(message: MessageGroup['messages'][number], isFirst: boolean): string {
  const parts = [message.description];
  if (message.headers) parts.push('Headers:', schemaInside(message.headers));
  if (message.bindings.length > 0) parts.push(fieldsMarkdown(message.bindings));
  if (message.payload) parts.push(factsText(message.payload), schemaInside(message.payload));
  if (message.sample && (isFirst || message.example !== undefined))
    parts.push('Example:', fence(message.sample));
  return paragraphs(parts);
}

function messageWords(words: Words, message: MessageView): Words {
  words.add(message.name).add(message.description).addFields(message.bindings);
  for (const schema of [message.headers, message.payload]) if (schema) words.addSchema(schema);
  return words;
}
