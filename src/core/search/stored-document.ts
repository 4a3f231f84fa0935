import { plainText } from './plain-text.ts';
import type { SearchDocument } from './search-index.ts';

/** As `build-search-index.ts` stores a page. */
export type StoredPage = [
  path: string,
  href: string,
  title: string,
  description: string,
  keywords: string[],
  boost: number,
  labels: Pick<SearchDocument, 'operation' | 'version' | 'language' | 'tag' | 'groups'>,
];

/**
 * The document of a section. Most hits are only ranked, so its own data are read when somebody asks for them.
 * @param readRecord gives its own data as `build-search-index.ts` stores it: a line of JSON, then its Markdown
 */
export function storedDocument(
  [path, href, pageTitle, description, keywords, boost, labels]: StoredPage,
  readRecord: () => string,
): SearchDocument {
  let own: Pick<SearchDocument, 'anchor' | 'headings' | 'markdown'> | undefined;
  const ownOnce = () => {
    own ??= readOwn(readRecord());
    return own;
  };
  let plain: ReturnType<typeof plainText> | undefined;
  const plainOnce = () => {
    plain ??= plainText(ownOnce().markdown);
    return plain;
  };
  return {
    path,
    href,
    pageTitle,
    description,
    keywords,
    boost,
    ...labels,
    get anchor() {
      return ownOnce().anchor;
    },
    get headings() {
      return ownOnce().headings;
    },
    get markdown() {
      return ownOnce().markdown;
    },
    get text() {
      return plainOnce().text;
    },
    get code() {
      return plainOnce().code;
    },
  };
}

function readOwn(record: string): Pick<SearchDocument, 'anchor' | 'headings' | 'markdown'> {
  const lineEnd = record.indexOf('\n');
  const [anchor, headings] = JSON.parse(record.slice(0, lineEnd)) as [string, string[]];
  return { anchor, headings, markdown: record.slice(lineEnd + 1) };
}
