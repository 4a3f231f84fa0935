import type { SearchDocument } from './search-index.ts';

/** Part of a vector's key: changing how texts are made changes the vectors. */
export const EMBEDDING_TEXT_VERSION = 1;
/** About a thousand tokens, which any recent model accepts; the important part of a section is at its beginning. */
const MAX_TEXT_LENGTH = 4000;

/** Returns a section as input of an embedding model or a reranker: its place, then its text. */
export function embeddingText(
  { pageTitle, headings, anchor, description, markdown }: SearchDocument,
  longest = MAX_TEXT_LENGTH,
): string {
  const place = [pageTitle, ...headings].join(' › ');
  const lead = anchor === '' && description !== '' ? `\n${description}` : '';
  return `${place}${lead}\n\n${markdown}`.slice(0, longest).trim();
}

/** Returns a page as input of a model that embeds pages. */
export function pageEmbeddingText({ pageTitle, description }: Pick<SearchDocument, 'pageTitle' | 'description'>): string {
  return `${pageTitle}. ${description}`.trim();
}
