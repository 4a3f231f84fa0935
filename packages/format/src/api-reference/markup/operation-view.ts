import {
  entriesOf,
  isObject,
  type JsonObject,
  objectAt,
  textAt,
  valueAt,
} from '../../json-value.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { type AuthorizationView, readAuthorizations } from '../authorizations.ts';
import { type ResponseView, readBody, readResponses, responsesKey } from '../operation-contents.ts';
import { type ParameterGroup, readParameters } from '../parameters.ts';
import {
  createSchemaReader,
  readShared,
  type SchemaReader,
  takeText,
  turnToResponses,
} from '../schemas/read-schema.ts';
import { follow } from '../schemas/references.ts';

/**
 * The view model of an operation, from which the HTML, the Markdown and the search sections are
 * rendered.
 */
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
  const description = operation.description && takeText(reader, operation.description);
  const parameters = readParameters(reader, operation);
  const body = readBody(reader, raw);
  turnToResponses(reader, operation.webhook ? 'both' : 'response');
  const more = objectAt(raw, 'externalDocs');
  const moreUrl = textAt(more, 'url');
  return {
    method: operation.method,
    route: operation.route,
    description,
    deprecated: operation.deprecated,
    webhook: operation.webhook,
    moreAt:
      moreUrl === undefined
        ? undefined
        : { url: moreUrl, text: textAt(more, 'description') ?? moreUrl },
    authorizations: readAuthorizations(root, raw, operation.webhook),
    parameters,
    body,
    responses: readSharedResponses(reader, raw),
    callbacks: readCallbacks(reader, raw),
  };
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
      return CALLBACK_METHODS.map((method) => ({
        name,
        address,
        method,
        request: valueAt(item, method),
      }));
    }),
  );
  return requests
    .filter(({ request }) => isObject(request))
    .slice(0, MAX_CALLBACKS)
    .map(({ name, address, method, request }) => {
      const description = textAt(request, 'description') ?? textAt(request, 'summary');
      return {
        name,
        method: method.toUpperCase(),
        address,
        description: description && takeText(reader, description),
        body: readBody(reader, request as JsonObject),
        responses: readResponses(reader, request as JsonObject),
      };
    });
}
