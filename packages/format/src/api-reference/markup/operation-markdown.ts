import { boundedCopy, CUT, entriesOf } from '../../json-value.ts';
import { oncePerObject } from '../../once.ts';
import type { ApiOperation, ApiServer } from '../api-document.ts';
import { type AuthorizationView, authorizationNotes } from '../authorizations.ts';
import { FILES_KEY } from '../join-files.ts';
import type { ContentView, ResponseView } from '../operation-contents.ts';
import type { CodeSample } from '../samples/code-samples.ts';
import {
  codeSpan,
  factsText,
  fieldsMarkdown,
  paragraphs,
  schemaInside,
} from '../schemas/schema-markdown.ts';
import type { OperationView } from './operation-view.ts';

const TITLES = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Headers',
  cookie: 'Cookies',
} as const;

/** The parts of an operation's Markdown that the page and its search sections share. */
export interface OperationPieces {
  /** Fields of each group of parameters, in the view's order. */
  parameters: string[];
  /** Without a heading. */
  body: string;
  /** One for each response, without headings. */
  responses: string[];
  /** Without a heading; empty if there are none. */
  callbacks: string;
}

/** Writes the fields of an operation as Markdown. */
export function operationPieces(view: OperationView): OperationPieces {
  return {
    parameters: view.parameters.map((group) => fieldsMarkdown(group.fields)),
    body: view.body ? bodyMarkdown(view.body) : '',
    responses: view.responses.map(responseMarkdown),
    callbacks: callbacksMarkdown(view),
  };
}

function bodyMarkdown({ description, contents }: NonNullable<OperationView['body']>): string {
  return paragraphs([description, ...contentsMarkdown(contents)]);
}

/** The Markdown of a response, which the pages of several operations may show. */
const responseMarkdown = oncePerObject(
  ({ description, headers, contents }: ResponseView): string => {
    const fields = headers.length > 0 ? `Headers:\n\n${fieldsMarkdown(headers)}` : '';
    return paragraphs([description, fields, ...contentsMarkdown(contents)]);
  },
);

/**
 * Returns the page of an operation as clean Markdown: every fact of the HTML, one example each for
 * request and response, and all examples that the author named.
 */
export function operationMarkdown(
  operation: ApiOperation,
  view: OperationView,
  pieces: OperationPieces,
  servers: readonly ApiServer[],
  examples: Record<'requests' | 'bodies' | 'responses', readonly CodeSample[]>,
  leaveOut: { description: boolean; source: boolean },
): string {
  const parts = [codeSpan(`${view.method} ${view.route}`)];
  if (view.deprecated) parts.push('**Deprecated.**');
  if (servers.length > 0) parts.push(serversMarkdown(servers));
  if (view.description !== undefined && !leaveOut.description) parts.push(view.description);
  if (view.moreAt) parts.push(`[${view.moreAt.text}](${view.moreAt.url})`);
  if (view.authorizations.alternatives.length > 0 || view.authorizations.certificate)
    parts.push('## Authorizations', authorizationsMarkdown(view.authorizations));
  for (const [index, group] of view.parameters.entries())
    parts.push(`## ${TITLES[group.place]}`, pieces.parameters[index] as string);
  if (view.body)
    parts.push(
      view.webhook ? '## Payload' : `## Body${view.body.required ? ' (required)' : ''}`,
      pieces.body,
    );
  if (view.responses.length > 0) parts.push('## Responses');
  for (const [index, response] of view.responses.entries())
    parts.push(`### ${response.status}`, pieces.responses[index] as string);
  if (view.callbacks.length > 0) parts.push('## Callbacks', pieces.callbacks);
  const [request] = examples.requests;
  if (request) parts.push('## Example request', fence(request));
  for (const body of examples.bodies.filter(isFirstOrNamed))
    parts.push(
      `## Example ${view.webhook ? 'payload' : 'body'}${body.isNamed ? ` (${body.label})` : ''}`,
      fence(body),
    );
  for (const response of examples.responses.filter(isFirstOrNamed))
    parts.push(`## Example response (${response.label})`, fence(response));
  const source = leaveOut.source ? undefined : sourceExcerpt(operation);
  if (source !== undefined)
    parts.push('## OpenAPI', fence({ language: 'json', label: 'OpenAPI', code: source }));
  return paragraphs(parts);
}

function isFirstOrNamed({ isNamed }: CodeSample, index: number): boolean {
  return index === 0 || isNamed === true;
}

const MAX_SOURCE_CHARACTERS = 4_000;
const MAX_SOURCE_NODES = 200;
const SHOWN_ABOVE = new Set(['description', 'summary', 'tags', 'deprecated', 'externalDocs']);

/**
 * Returns the operation as written in the description, including references; undefined if it is too
 * long to be useful.
 */
function sourceExcerpt(operation: ApiOperation): string | undefined {
  const entries = entriesOf(operation.raw).filter(
    ([key]) => !SHOWN_ABOVE.has(key) && !key.startsWith('x-'),
  );
  const copy = boundedCopy(Object.fromEntries(entries), MAX_SOURCE_NODES);
  const text = JSON.stringify(
    { [operation.route]: { [operation.method.toLowerCase()]: copy } },
    null,
    1,
  );
  const isLeftOut =
    text.length > MAX_SOURCE_CHARACTERS || text.includes(`"${CUT}"`) || text.includes(FILES_KEY);
  return isLeftOut ? undefined : text;
}

/** A fenced code block that its content cannot close. */
export function fence(sample: CodeSample): string {
  const longest = Math.max(2, ...(sample.code.match(/`{3,}/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${sample.language}\n${sample.code}\n${ticks}`;
}

/** Content types with their schemas. */
function contentsMarkdown(contents: readonly ContentView[]): string[] {
  return contents.map(({ mediaTypes, schema }) => {
    const facts = [schema.description?.trim(), factsText(schema)].filter(Boolean).join(' ');
    const head = `Content type: ${mediaTypes.map(codeSpan).join(', ')}${schema.type === 'any' ? '' : ` (${codeSpan(schema.type)})`}`;
    return paragraphs([facts === '' ? head : `${head}. ${facts}`, schemaInside(schema)]);
  });
}

function serversMarkdown(servers: readonly ApiServer[]): string {
  const [only] = servers;
  if (only && servers.length === 1) return `Server: ${codeSpan(only.url)}`;
  return `Servers:\n${servers.map((server) => `- ${codeSpan(server.url)}${server.description ? `: ${server.description}` : ''}`).join('\n')}`;
}

export function authorizationsMarkdown(view: AuthorizationView): string {
  const groups = view.alternatives.map((credentials) => {
    return credentials
      .map(
        ({ name, place, description }) =>
          `- ${codeSpan(name)} (${place})${description === '' ? '' : `: ${description.replace(/\s+/g, ' ').trim()}`}`,
      )
      .join('\n');
  });
  return paragraphs([groups.join('\n\nor\n\n'), ...authorizationNotes(view)]);
}

function callbacksMarkdown(view: OperationView): string {
  const parts = view.callbacks.flatMap(
    ({ name, method, address, description, body, responses }) => [
      `### ${name.replace(/\s+/g, ' ')}`,
      codeSpan(`${method} ${address}`),
      description,
      body && bodyMarkdown(body),
      ...responses.map(
        (response) => `Response ${codeSpan(response.status)}: ${responseMarkdown(response)}`,
      ),
    ],
  );
  return paragraphs(parts);
}
