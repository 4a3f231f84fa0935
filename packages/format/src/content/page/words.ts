import { escapeHtml, type Html, html, trustedHtml } from '../../html.ts';

/** UI strings of GraphQL and SDK pages, of what schemas say about values, and of components. */
const SYMBOL_ENGLISH = {
  arguments: 'Arguments',
  returns: 'Returns',
  fields: 'Fields',
  values: 'Values',
  implements: 'Implements',
  implementedBy: 'Implemented by',
  usedBy: 'Used by',
  returnedBy: 'Returned by',
  acceptedBy: 'Accepted by',
  methods: 'Methods',
  parameters: 'Parameters',
  typeParameters: 'Type parameters',
  throws: 'Throws',
  example: 'Example',
  examples: 'Examples',
  members: 'Members',
  constructor: 'Constructor',
  callSignatures: 'Call signatures',
  definedIn: 'Defined in',
  type: 'Type',
  doNotUse: 'Do not use this in new code.',
  default: 'Default',
  range: 'Range',
  length: 'Length',
  items: 'Items',
  pattern: 'Pattern',
  multipleOf: 'Multiple of',
  show: 'Show',
  hide: 'Hide',
  childAttributes: 'child attributes',
  showPrompt: 'Show prompt',
  linkToSection: 'Link to this section',
  deeperLevels: 'Deeper levels are not shown.',
} as const;

/**
 * UI strings in the content of pages. Content contains them in English; pages are rendered with
 * their translations.
 */
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
  deprecatedTitle: 'Deprecated',
  ownProperties: 'Properties',
  ...SYMBOL_ENGLISH,
} as const;

export type ApiWord = keyof typeof ENGLISH;
export type SymbolWord = keyof typeof SYMBOL_ENGLISH;

const WORD = /<!--w:(\w+)-->([^<]*)<!--\/w-->/g;

const NAMES: ReadonlyMap<string, ApiWord> = new Map(
  Object.entries(ENGLISH).map(([name, text]) => [text, name as ApiWord]),
);

/** Returns the English text of a word, for texts that `wordOrText` marks later. */
export function englishOf(name: ApiWord): string {
  return ENGLISH[name];
}

/** Returns the word of an English text; undefined if there is none. */
export function wordNamed(english: string): ApiWord | undefined {
  return NAMES.get(english);
}

/** A word in a page's content: in English, marked so that it can be replaced. */
export function wordMark(name: ApiWord, english: string = ENGLISH[name]): string {
  return `<!--w:${name}-->${escapeHtml(english)}<!--/w-->`;
}

export function word(name: ApiWord, english?: string): Html {
  return trustedHtml(wordMark(name, english));
}

const ANCHOR_LABEL = `aria-label="${ENGLISH.linkToSection}"></a>`;

/**
 * The link of a heading to itself. Its label has no marks, because it is an attribute: no text of a
 * page can end like this link, so
 * `translateWords` finds it as it is.
 */
export function anchorLink(id: string): Html {
  return trustedHtml(`<a class="d-anchor" href="#${escapeHtml(id)}" ${ANCHOR_LABEL}`);
}

/** Returns whether a word is among the `symbols` of the translations. */
export function isSymbolWord(name: ApiWord): name is SymbolWord {
  return Object.hasOwn(SYMBOL_ENGLISH, name);
}

/** Returns an English text, marked as a word if it is one. */
export function wordOrText(english: string): Html {
  const name = wordNamed(english);
  return name === undefined ? html`${english}` : word(name);
}

/**
 * Replaces every marked word of the content, and the labels of links to headings, by their
 * translations, and removes the marks.
 * @param translate receives a word and its form in the content
 */
export function translateWords(
  markup: string,
  translate: (name: ApiWord, english: string) => string,
): string {
  let out = '';
  let from = 0;
  // Slices are not copied, which `replace` does.
  for (const { 0: marked, 1: name = '', 2: english = '', index } of markup.matchAll(WORD)) {
    const translation = Object.hasOwn(ENGLISH, name)
      ? escapeHtml(translate(name as ApiWord, english))
      : english;
    out += markup.slice(from, index) + translation;
    from = index + marked.length;
  }
  out += markup.slice(from);
  const label = escapeHtml(translate('linkToSection', ENGLISH.linkToSection));
  return label === ENGLISH.linkToSection
    ? out
    : out.replaceAll(ANCHOR_LABEL, () => `aria-label="${label}"></a>`);
}
