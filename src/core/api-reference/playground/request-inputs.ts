/**
 * What a reader can fill in to call an operation. It stands in the page as JSON, so it is plain data, small, and everything that is
 * absent is left out.
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
  /** One for each content type that the body may have. */
  bodies: BodyInput[];
  isBodyRequired?: true;
  /** Names of the languages that the request is shown in; absent: ours. */
  languages?: string[];
  /** Cookies that the browser holds for the API go with the request. */
  withCookies?: true;
  /** The site's server may make the call in place of the browser. */
  isProxied?: true;
  /** Groups of fields are open at first. */
  isExpanded?: true;
  /** Fields begin with the examples in them. */
  prefill?: true;
  /** Set for a channel that is connected to by WebSocket: what the reader may send. */
  messages?: { name: string; text: string }[];
  /** The parameters stand in the page, as fields that its author wrote. */
  byHand?: true;
}

export interface ServerInput {
  /** With `{name}` for variables; a path alone where the description has no more. */
  url: string;
  description?: string;
  variables?: ServerVariable[];
}

export interface ServerVariable {
  name: string;
  value: string;
  /** The values that are allowed; absent: any. */
  values?: string[];
}

export interface CredentialInput {
  /** Name of the header, the query parameter or the cookie. */
  name: string;
  place: 'header' | 'query' | 'cookie';
  kind: 'bearer' | 'basic' | 'key';
  /** What is sent before the value. */
  prefix?: string;
  /** What the author gives everybody (`x-default`). */
  preset?: string;
  /** Ways to get the value from the API's owner. */
  oauth?: OAuthFlow[];
}

/** A grant of OAuth 2 (RFC 6749), by the name that OpenAPI gives it. */
export interface OAuthFlow {
  kind: 'authorizationCode' | 'clientCredentials';
  tokenUrl: string;
  /** Of `authorizationCode`. */
  authorizationUrl?: string;
  /** What the operation asks for. */
  scopes: string[];
}

export type InputPlace = 'path' | 'query' | 'header' | 'cookie';

export interface ParameterInput {
  name: string;
  place: InputPlace;
  required?: true;
  /** `form`, `deepObject` …; absent: the one that OpenAPI gives the place. */
  style?: string;
  explode?: boolean;
  allowReserved?: true;
  /** The value is sent as JSON (`content` in place of `schema`). */
  isJson?: true;
  shape: InputShape;
}

export interface BodyInput {
  mediaType: string;
  shape: InputShape;
  example?: unknown;
  /** How parts of a form are written, by their names. */
  encodings?: PartEncoding[];
}

export interface PartEncoding {
  name: string;
  contentType?: string;
  style?: string;
  explode?: boolean;
}

/** What kind of value a field takes. */
export interface InputShape {
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'variants' | 'file' | 'json';
  /** As the reference shows it: `string<uuid>`. */
  type?: string;
  /** Of a choice. */
  values?: (string | number | boolean | null)[];
  /** Of an object. */
  fields?: FieldInput[];
  /** Properties whose names the reader gives. */
  rest?: InputShape;
  /** Of a list. */
  item?: InputShape;
  variants?: { label: string; shape: InputShape }[];
  /** A short example: shown in the empty field. */
  example?: unknown;
  /** The value that the field begins with. */
  default?: unknown;
  /** The only value that is allowed. */
  constant?: unknown;
  /** The text may be long. */
  isLong?: true;
}

export interface FieldInput {
  name: string;
  required?: true;
  shape: InputShape;
}
