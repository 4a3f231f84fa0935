/**
 * The inputs for calling an operation. Embedded in the page as JSON, so it is small plain data
 * without absent values.
 */
export interface RequestInputs {
  /** Upper case. */
  method: string;
  /** With `{name}` for parameters. */
  route: string;
  servers: ServerInput[];
  /** Alternatives; all credentials of one are sent together. */
  security: CredentialInput[][];
  /** Calls without credentials are allowed too. */
  isOpen?: true;
  parameters: ParameterInput[];
  /** One for each content type of the body. */
  bodies: BodyInput[];
  isBodyRequired?: true;
  /** Names of the languages of the examples; absent: the default. */
  languages?: string[];
  /** Cookies of the browser for the API are sent with the request. */
  withCookies?: true;
  /** The site's server may make the call instead of the browser. */
  isProxied?: true;
  /** Groups of fields are expanded initially. */
  isExpanded?: true;
  /** Fields are prefilled with the examples. */
  prefill?: true;
  /** Set for a channel with a WebSocket connection: the messages that the reader may send. */
  messages?: { name: string; text: string }[];
  /** The parameters are on the page, as fields written by its author. */
  byHand?: true;
}

export interface ServerInput {
  /** With `{name}` for variables; only a path if the description has no more. */
  url: string;
  description?: string;
  variables?: ServerVariable[];
}

export interface ServerVariable {
  name: string;
  value: string;
  /** The allowed values; absent: any. */
  values?: string[];
}

export interface CredentialInput {
  /** Name of the header, the query parameter or the cookie. */
  name: string;
  place: 'header' | 'query' | 'cookie';
  kind: 'bearer' | 'basic' | 'key';
  /** The prefix of the value. */
  prefix?: string;
  /** A public value that the author provides (`x-default`). */
  preset?: string;
  /** Ways to obtain the value from the API's owner. */
  oauth?: OAuthFlow[];
}

/** A grant of OAuth 2 (RFC 6749), by its OpenAPI name. */
export interface OAuthFlow {
  kind: 'authorizationCode' | 'clientCredentials';
  tokenUrl: string;
  /** Of `authorizationCode`. */
  authorizationUrl?: string;
  /** The scopes that the operation requires. */
  scopes: string[];
}

/** Where a parameter is, in the order of pages. */
export const inputPlaces = ['path', 'query', 'header', 'cookie'] as const;

export type InputPlace = (typeof inputPlaces)[number];

export interface ParameterInput {
  name: string;
  place: InputPlace;
  required?: true;
  /** `form`, `deepObject` …; absent: the OpenAPI default of the location. */
  style?: string;
  explode?: boolean;
  allowReserved?: true;
  /** The value is sent as JSON (`content` instead of `schema`). */
  isJson?: true;
  shape: InputShape;
}

export interface BodyInput {
  mediaType: string;
  shape: InputShape;
  example?: unknown;
  /** How parts of a form are encoded, by name. */
  encodings?: PartEncoding[];
}

export interface PartEncoding {
  name: string;
  contentType?: string;
  style?: string;
  explode?: boolean;
}

/** The kind of value of a field. */
export interface InputShape {
  kind:
    | 'text'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'list'
    | 'object'
    | 'variants'
    | 'file'
    | 'json';
  /** As shown in the reference: `string<uuid>`. */
  type?: string;
  /** Of a choice. */
  values?: (string | number | boolean | null)[];
  /** Of an object. */
  fields?: FieldInput[];
  /** Properties whose names the reader chooses. */
  rest?: InputShape;
  /** Of a list. */
  item?: InputShape;
  variants?: { label: string; shape: InputShape }[];
  /** A short example, the placeholder of the empty field. */
  example?: unknown;
  /** The initial value of the field. */
  default?: unknown;
  /** The only allowed value. */
  constant?: unknown;
  /** The text may be long. */
  isLong?: true;
}

export interface FieldInput {
  name: string;
  required?: true;
  shape: InputShape;
}
