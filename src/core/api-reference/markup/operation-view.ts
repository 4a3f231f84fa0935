import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { type AuthorizationView, readAuthorizations } from '../authorizations.ts';
import { entriesOf, isObject, type JsonObject, objectAt, textAt, valueAt } from '../json-value.ts';
import { type ContentView, type ResponseView, readBody, readResponses } from '../operation-contents.ts';
import { type ParameterGroup, readParameters } from '../parameters.ts';
import { createSchemaReader, takeText, turnToResponses } from '../read-schema.ts';
import { follow } from '../references.ts';

/** The view model of an operation, from which the HTML, the Markdown and the search sections are rendered. */
export interface OperationView {
  method: string;
  route: string;
  description?: string;
  deprecated: boolean;
  webhook: boolean;
  /** Address and text of `externalDocs`. */
  moreAt?: { url: string; text: string };
  authorizations: AuthorizationView;
  parameters: ParameterGroup[];
  body?: { required: boolean; description?: string; contents: ContentView[] };
  responses: ResponseView[];
  callbacks: CallbackView[];
}

export interface CallbackView {
  name: string;
  method: string;
  /** An expression over the request, such as `{$request.body#/callbackUrl}`. */
  address: string;
  description?: string;
}

/**
 * Builds the view of an operation. Never throws; schemas share one budget for the page.
 * @param options as for `createSchemaReader`
 */
export function readOperationView(
  document: ApiDocument,
  operation: ApiOperation,
  options: Parameters<typeof createSchemaReader>[2] = {},
): OperationView {
  const { root } = document;
  const { raw } = operation;
  const reader = createSchemaReader(root, operation.webhook ? 'both' : 'request', options);
  const view: OperationView = {
    method: operation.method,
    route: operation.route,
    deprecated: operation.deprecated,
    webhook: operation.webhook,
    authorizations: readAuthorizations(root, raw, operation.webhook),
    parameters: [],
    responses: [],
    callbacks: readCallbacks(root, raw),
  };
  if (operation.description !== undefined) view.description = takeText(reader, operation.description);
  view.parameters = readParameters(reader, operation);
  const body = readBody(reader, raw);
  if (body) view.body = body;
  turnToResponses(reader, operation.webhook ? 'both' : 'response');
  view.responses = readResponses(reader, raw);
  const moreUrl = textAt(objectAt(raw, 'externalDocs'), 'url');
  if (moreUrl !== undefined)
    view.moreAt = { url: moreUrl, text: textAt(objectAt(raw, 'externalDocs'), 'description') ?? moreUrl };
  return view;
}

const MAX_CALLBACKS = 20;
const CALLBACK_METHODS = ['post', 'get', 'put', 'patch', 'delete'];

function readCallbacks(root: JsonObject, raw: JsonObject): CallbackView[] {
  const callbacks: CallbackView[] = [];
  for (const [name, reference] of entriesOf(valueAt(raw, 'callbacks')).slice(0, MAX_CALLBACKS)) {
    for (const [address, item] of entriesOf(follow(root, reference)?.value).slice(0, MAX_CALLBACKS)) {
      const method = CALLBACK_METHODS.find((candidate) => isObject(valueAt(item, candidate)));
      if (method === undefined) continue;
      const callback: CallbackView = { name, method: method.toUpperCase(), address };
      const description = textAt(valueAt(item, method), 'description') ?? textAt(valueAt(item, method), 'summary');
      if (description !== undefined) callback.description = description;
      callbacks.push(callback);
    }
  }
  return callbacks;
}
