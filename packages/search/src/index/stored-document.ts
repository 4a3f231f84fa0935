import type { SearchDocument } from '../search-index.ts';

/** A page as stored by `build-search-index.ts`. */
export type StoredPage = [
  path: string,
  href: string,
  title: string,
  description: string,
  keywords: string[],
  boost: number,
  labels: Pick<
    SearchDocument,
    'operation' | 'version' | 'language' | 'versions' | 'languages' | 'tag' | 'trail' | 'groups'
  >,
];

/**
 * The document of a section. Most hits are only ranked, so its own data are read lazily. A class,
 * because a query creates a hundred of them and an object literal with getters takes a hundred
 * times as long.
 */
export class StoredDocument implements SearchDocument {
  readonly path: string;
  readonly href: string;
  readonly pageTitle: string;
  readonly description: string;
  readonly keywords: string[];
  readonly boost: number;
  readonly operation?: string;
  version?: string;
  language?: string;
  readonly versions?: string[];
  readonly languages?: string[];
  readonly tag?: string;
  readonly trail?: string[];
  readonly groups?: string[];
  readonly #readRecord: () => string;
  #own: ReturnType<typeof readOwn> | undefined;
  #plain: ReturnType<typeof plainText> | undefined;

  /**
   * @param readRecord returns its own data as stored by `build-search-index.ts`: a line of JSON,
   *   then its Markdown
   */
  constructor(
    [path, href, pageTitle, description, keywords, boost, labels]: StoredPage,
    readRecord: () => string,
  ) {
    this.path = path;
    this.href = href;
    this.pageTitle = pageTitle;
    this.description = description;
    this.keywords = keywords;
    this.boost = boost;
    ({ operation: this.operation, version: this.version, language: this.language } = labels);
    ({ versions: this.versions, languages: this.languages } = labels);
    ({ tag: this.tag, trail: this.trail, groups: this.groups } = labels);
    this.#readRecord = readRecord;
  }

  get anchor(): string {
    return this.#ownOnce().anchor;
  }

  get headings(): string[] {
    return this.#ownOnce().headings;
  }

  get markdown(): string {
    return this.#ownOnce().markdown;
  }

  get text(): string {
    return this.#plainOnce().text;
  }

  get code(): string {
    return this.#plainOnce().code;
  }

  #ownOnce(): ReturnType<typeof readOwn> {
    this.#own ??= readOwn(this.#readRecord());
    return this.#own;
  }

  #plainOnce(): ReturnType<typeof plainText> {
    this.#plain ??= plainText(this.markdown);
    return this.#plain;
  }
}

/**
 * Labels the document of a page that several versions or languages share with those that the reader
 * sees.
 */
export function labelledFor(
  document: SearchDocument,
  seen: Pick<SearchDocument, 'version' | 'language'>,
): SearchDocument {
  if (seen.version !== undefined && document.versions?.includes(seen.version))
    document.version = seen.version;
  if (seen.language !== undefined && document.languages?.includes(seen.language))
    document.language = seen.language;
  return document;
}

/**
 * Returns a section's document as that of its page: it links to the top of the page, without
 * headings.
 */
export function asPage(document: SearchDocument): SearchDocument {
  return document.anchor === '' ? document : { ...copyOf(document), anchor: '', headings: [] };
}

/**
 * Returns a copy with all data as own properties, to be changed or compared: lazily read data are
 * not own properties.
 */
export function copyOf(document: SearchDocument): SearchDocument {
  const { anchor, headings, markdown, text, code } = document;
  return { ...document, anchor, headings, markdown, text, code };
}

function readOwn(record: string): Pick<SearchDocument, 'anchor' | 'headings' | 'markdown'> {
  const lineEnd = record.indexOf('\n');
  const [anchor, headings] = JSON.parse(record.slice(0, lineEnd)) as [string, string[]];
  return { anchor, headings, markdown: record.slice(lineEnd + 1) };
}

const FENCE =
  /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)(?:^[ \t]*\2[`~]*[ \t]*$|(?![\s\S]))/gm;

/** `*Push events*`: no list item, no product and no pattern of file names. */
const EMPHASIS = /(?<![\w*\\`])\*(?![\s*])([^*`\n]*[^*`\s])\*(?![\w*])/g;

/**
 * Returns the prose of a piece of Markdown, one space between words, and the text of its code
 * blocks.
 */
export function plainText(markdown: string): { text: string; code: string } {
  const blocks: string[] = [];
  const prose = markdown.replace(FENCE, (_, _indent: string, _fence: string, code: string) => {
    blocks.push(code.trimEnd());
    return '\n';
  });
  const text = prose
    .replace(/!\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/^[ \t]*(?:[-*+]|\d+[.)]|#{1,6}|>)[ \t]+/gm, '')
    .replace(/^[ \t|:-]+$/gm, '')
    .replace(/\*\*|__/g, '')
    .replace(EMPHASIS, '$1')
    .replace(/`|(?<=\s)\||\|(?=\s)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return { text, code: blocks.join('\n') };
}
