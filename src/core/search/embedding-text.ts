import type { SearchDocument } from './search-index.ts';

/** Part of what names a vector: another way to make the texts, other vectors. */
export const EMBEDDING_TEXT_VERSION = 1;
/** About a thousand tokens, which any model of the last years reads; what matters of a section stands at its beginning. */
const MAX_TEXT_LENGTH = 4000;

/** A section as an embedding model and a reranker read it: where it stands, then what it says. */
export function embeddingText(
  { pageTitle, headings, anchor, description, markdown }: SearchDocument,
  longest = MAX_TEXT_LENGTH,
): string {
  const place = [pageTitle, ...headings].join(' › ');
  const lead = anchor === '' && description !== '' ? `\n${description}` : '';
  return `${place}${lead}\n\n${markdown}`.slice(0, longest).trim();
}

/** A page as a model that embeds pages reads it. */
export function pageEmbeddingText({ pageTitle, description }: Pick<SearchDocument, 'pageTitle' | 'description'>): string {
  return `${pageTitle}. ${description}`.trim();
}
