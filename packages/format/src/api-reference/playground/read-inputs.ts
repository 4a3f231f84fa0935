import type { SiteConfig } from '../../docs-json/site-config.ts';
import {
  boundedCopy,
  entriesOf,
  flagAt,
  isObject,
  type JsonObject,
  textAt,
  valueAt,
} from '../../json-value.ts';
import type { ApiDocument, ApiOperation } from '../api-document.ts';
import { type Credential, readAuthorizations } from '../authorizations.ts';
import { contentOf, mediaExamples } from '../media-examples.ts';
import { parameterExample, parameterSchema, requestParameters } from '../parameters.ts';
import {
  type BodyInput,
  type CredentialInput,
  inputPlaces,
  type ParameterInput,
  type PartEncoding,
  type RequestInputs,
} from '../request-inputs.ts';
import { follow } from '../schemas/references.ts';
import { baseOf, serverInputs, serverObjects, wholeAddress, withoutSlash } from '../servers.ts';
import { createShapeReader, readShape, type ShapeReader } from './read-shape.ts';

const MAX_MEDIA_TYPES = 6;
const MAX_EXAMPLE_CHARACTERS = 6_000;
/** Methods that `fetch` refuses. */
const NEVER_SENT = new Set(['TRACE', 'CONNECT', 'TRACK']);

/** Returns whether a browser can call an operation at all. */
export function isCallable(method: string): boolean {
  return (
    /^[A-Z]+$/.test(method) &&
    !NEVER_SENT.has(method) &&
    method !== 'WEBHOOK' &&
    !method.startsWith('WS')
  );
}

/**
 * Returns the inputs for calling an operation. Never throws; bounded for any description.
 * @param api the site's settings for API pages
 */
export function readInputs(
  document: ApiDocument,
  operation: ApiOperation,
  api: Partial<
    Pick<SiteConfig['api'], 'baseUrls' | 'examples' | 'withCookies' | 'isProxied' | 'expandParams'>
  >,
): RequestInputs {
  const { root } = document;
  const { baseUrls = [] } = api;
  const base = baseOf(document, baseUrls);
  const servers = serverInputs(
    root,
    serverObjects(root, operation.raw, operation.pathItem, root),
  ).map((server) => {
    return { ...server, url: wholeAddress(server.url, base) };
  });
  const reader = createShapeReader(root);
  const authorizations = readAuthorizations(root, operation.raw, operation.webhook);
  const holder = follow(root, valueAt(operation.raw, 'requestBody'))?.value;
  const inputs: RequestInputs = {
    method: operation.method,
    route: operation.route,
    servers: servers.length > 0 ? servers : baseUrls.map((url) => ({ url: withoutSlash(url) })),
    security: authorizations.alternatives.map((credentials) => credentials.map(credentialInput)),
    parameters: requestParameters(root, operation).flatMap((parameter) =>
      readParameter(reader, parameter),
    ),
    bodies: readBodies(reader, holder),
  };
  if (authorizations.optional) inputs.isOpen = true;
  if (flagAt(holder, 'required')) inputs.isBodyRequired = true;
  return withSettings(inputs, api);
}

/** The site's settings for all its requests. */
export function withSettings(
  inputs: RequestInputs,
  api: Partial<Pick<SiteConfig['api'], 'examples' | 'withCookies' | 'isProxied' | 'expandParams'>>,
): RequestInputs {
  if (api.examples?.languages) inputs.languages = api.examples.languages;
  if (api.examples?.prefill) inputs.prefill = true;
  if (api.expandParams) inputs.isExpanded = true;
  if (api.withCookies) inputs.withCookies = true;
  if (api.isProxied) inputs.isProxied = true;
  return inputs;
}

/** What a form needs of a credential: all but its texts. */
export function credentialInput({
  sample: _,
  description: __,
  ...input
}: Credential): CredentialInput {
  return input;
}

function readParameter(reader: ShapeReader, parameter: JsonObject): ParameterInput[] {
  const name = textAt(parameter, 'name');
  const place = inputPlaces.find((candidate) => candidate === textAt(parameter, 'in'));
  if (name === undefined || place === undefined || --reader.fieldsLeft < 0) return [];
  const shape = readShape(reader, parameterSchema(parameter));
  const example = parameterExample(reader.root, parameter);
  if (example !== undefined && example !== null) shape.example = boundedCopy(example, 20);
  const explode = valueAt(parameter, 'explode');
  return [
    {
      name,
      place,
      shape,
      required: flagAt(parameter, 'required') || place === 'path' || undefined,
      style: textAt(parameter, 'style'),
      explode: typeof explode === 'boolean' ? explode : undefined,
      allowReserved: flagAt(parameter, 'allowReserved') || undefined,
      isJson: isObject(valueAt(parameter, 'content')) || undefined,
    },
  ];
}

function readBodies(reader: ShapeReader, holder: unknown): BodyInput[] {
  return contentOf(reader.root, holder)
    .slice(0, MAX_MEDIA_TYPES)
    .map(([mediaType, media]) => {
      const body: BodyInput = { mediaType, shape: readShape(reader, valueAt(media, 'schema')) };
      const example = mediaExamples(reader.root, mediaType, media, 'request')[0]?.value;
      if (example !== undefined && (JSON.stringify(example)?.length ?? 0) <= MAX_EXAMPLE_CHARACTERS)
        body.example = example;
      const encodings = readEncodings(media);
      if (encodings.length > 0) body.encodings = encodings;
      return body;
    });
}

function readEncodings(media: unknown): PartEncoding[] {
  return entriesOf(valueAt(media, 'encoding'))
    .slice(0, 50)
    .map(([name, encoding]) => {
      const explode = valueAt(encoding, 'explode');
      return {
        name,
        contentType: textAt(encoding, 'contentType'),
        style: textAt(encoding, 'style'),
        explode: typeof explode === 'boolean' ? explode : undefined,
      };
    });
}
