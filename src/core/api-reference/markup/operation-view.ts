import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { type AuthorizationView, readAuthorizations } from '../authorizations.ts';
import { entriesOf, isObject, type JsonObject, objectAt, textAt, valueAt } from '../json-value.ts';
import { type ResponseView, readBody, readResponses, responsesKey } from '../operation-contents.ts';
import { type ParameterGroup, readParameters } from '../parameters.ts';
import { follow } from '../references.ts';
import { createSchemaReader, readShared, type SchemaReader, takeText, turnToResponses } from '../schemas/read-schema.ts';

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
  body?: BodyView;
  responses: ResponseView[];
  callbacks: CallbackView[];
}

type BodyView = NonNullable<ReturnType<typeof readBody>>;

export interface CallbackView {
  name: string;
  method: string;
  /** An expression over the request, such as `{$request.body#/callbackUrl}`. */
  address: string;
  description?: string;
  /** What the API sends to that address. */
  body?: BodyView;
  /** How the receiver is expected to answer. */
  responses: ResponseView[];
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
    callbacks: [],
  };
  if (operation.description !== undefined) view.description = takeText(reader, operation.description);
  view.parameters = readParameters(reader, operation);
  const body = readBody(reader, raw);
  if (body) view.body = body;
  turnToResponses(reader, operation.webhook ? 'both' : 'response');
  view.responses = readSharedResponses(reader, raw);
  view.callbacks = readCallbacks(reader, raw);
  const moreUrl = textAt(objectAt(raw, 'externalDocs'), 'url');
  if (moreUrl !== undefined)
    view.moreAt = { url: moreUrl, text: textAt(objectAt(raw, 'externalDocs'), 'description') ?? moreUrl };
  return view;
}

/** The responses of an operation: one array for the operations that have the same ones. */
function readSharedResponses(reader: SchemaReader, raw: JsonObject): ResponseView[] {
  const key = responsesKey(raw);
  const read = () => readResponses(reader, raw);
  // Callbacks refer to the fields of the responses, so they need what reading leaves in the reader.
  if (key === undefined || valueAt(raw, 'callbacks') !== undefined) return read();
  return readShared(reader, [reader.use, ...reader.pills, key].join('\n'), read);
}

const MAX_CALLBACKS = 20;
const CALLBACK_METHODS = ['post', 'get', 'put', 'patch', 'delete'];

function readCallbacks(reader: SchemaReader, raw: JsonObject): CallbackView[] {
  const { root } = reader;
  // Cut at each level: many names may refer to one large callback.
  const firstOf = (value: unknown) => entriesOf(value).slice(0, MAX_CALLBACKS);
  const requests = firstOf(valueAt(raw, 'callbacks')).flatMap(([name, reference]) =>
    firstOf(follow(root, reference)?.value).flatMap(([address, reference]) => {
      const item = follow(root, reference)?.value;
      return CALLBACK_METHODS.map((method) => ({ name, address, method, request: valueAt(item, method) }));
    }),
  );
  return requests
    .filter(({ request }) => isObject(request))
    .slice(0, MAX_CALLBACKS)
    .map(({ name, address, method, request }) => {
      const callback: CallbackView = { name, method: method.toUpperCase(), address, responses: [] };
      const description = textAt(request, 'description') ?? textAt(request, 'summary');
      if (description !== undefined) callback.description = takeText(reader, description);
      const body = readBody(reader, request as JsonObject);
      if (body) callback.body = body;
      callback.responses = readResponses(reader, request as JsonObject);
      return callback;
    });
}
