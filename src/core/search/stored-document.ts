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
 * The document of a section.
 * @param record its own data as `build-search-index.ts` stores it: a line of JSON, then its Markdown
 */
export function storedDocument(
  [path, href, pageTitle, description, keywords, boost, labels]: StoredPage,
  record: string,
): SearchDocument {
  const lineEnd = record.indexOf('\n');
  const [anchor, headings] = JSON.parse(record.slice(0, lineEnd)) as [string, string[]];
  const markdown = record.slice(lineEnd + 1);
  let plain: ReturnType<typeof plainText> | undefined;
  const plainOnce = () => {
    plain ??= plainText(markdown);
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
    anchor,
    headings,
    markdown,
    // Most hits are only ranked or quoted, so the work for these two waits until somebody reads them.
    get text() {
      return plainOnce().text;
    },
    get code() {
      return plainOnce().code;
    },
  };
}
