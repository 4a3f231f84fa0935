import { escapeHtml, type Html, trustedHtml } from '../html.ts';

/** Words of API pages. Content holds them in English; the page is written with those of its language. */
const ENGLISH = {
  tryIt: 'Try it',
  authorizations: 'Authorizations',
  pathParameters: 'Path Parameters',
  queryParameters: 'Query Parameters',
  headers: 'Headers',
  cookies: 'Cookies',
  body: 'Body',
  payload: 'Payload',
  response: 'Response',
  responses: 'Responses',
  callbacks: 'Callbacks',
  required: 'required',
  deprecated: 'deprecated',
  readOnly: 'read-only',
  writeOnly: 'write-only',
  oneOf: 'One of',
  or: 'or',
  properties: 'properties',
  servers: 'servers',
} as const;

export type ApiWord = keyof typeof ENGLISH;

const WORD = /<!--w:(\w+)-->([^<]*)<!--\/w-->/g;

const NAMES: ReadonlyMap<string, ApiWord> = new Map(Object.entries(ENGLISH).map(([name, text]) => [text, name as ApiWord]));

/** Which word an English text is; undefined where it is none of them. */
export function wordNamed(english: string): ApiWord | undefined {
  return NAMES.get(english);
}

/** A word as it stands in a page's content: in English, marked so that it can be replaced. */
export function wordMark(name: ApiWord, english: string = ENGLISH[name]): string {
  return `<!--w:${name}-->${escapeHtml(english)}<!--/w-->`;
}

export function word(name: ApiWord, english?: string): Html {
  return trustedHtml(wordMark(name, english));
}

/**
 * Writes every marked word of the content in another language, and takes the marks away.
 * @param translate takes a word and how it stands in the content
 */
export function translateWords(markup: string, translate: (name: ApiWord, english: string) => string): string {
  if (!markup.includes('<!--w:')) return markup;
  return markup.replace(WORD, (_, name: string, english: string) =>
    Object.hasOwn(ENGLISH, name) ? escapeHtml(translate(name as ApiWord, english)) : english,
  );
}
