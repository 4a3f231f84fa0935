import type { SearchDocument } from './search-index.ts';

/** Part of a vector's key: changing how texts are made changes the vectors. */
export const EMBEDDING_TEXT_VERSION = 1;
/**
 * About a thousand tokens, which any recent model accepts; the important part of a section is at
 * its beginning.
 */
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

/** The prefixes that a model expects before a text. */
export interface EmbeddingPrompts {
  query: string;
  document: string;
}

const SENTENCE = 'Represent this sentence for searching relevant passages: ';
const INSTRUCTION =
  'Instruct: Retrieve the passages of documentation that answer the question\nQuery:';

/**
 * Models that were trained with prefixes, by a part of their name; without them they find less.
 * More specific names come first.
 */
const families: [part: string, query: string, document?: string][] = [
  ['nomic-embed', 'search_query: ', 'search_document: '],
  ['e5-mistral', `${INSTRUCTION} `],
  ['multilingual-e5-large-instruct', `${INSTRUCTION} `],
  ['e5-', 'query: ', 'passage: '],
  ['qwen3-embedding', INSTRUCTION],
  ['embeddinggemma', 'task: search result | query: ', 'title: none | text: '],
  ['arctic-embed-l-v2', 'query: '],
  ['arctic-embed-m-v2', 'query: '],
  ['arctic-embed2', 'query: '],
  ['arctic-embed', SENTENCE],
  ['mxbai-embed-large', SENTENCE],
  ['bge-m3', ''],
  ['bge-small-en', SENTENCE],
  ['bge-base-en', SENTENCE],
  ['bge-large-en', SENTENCE],
];

/**
 * Returns the prompts of a model, by its name on any server; none for a model that is not known to
 * need them.
 */
export function promptsOf(model: string): EmbeddingPrompts {
  const name = model.toLowerCase().replaceAll('_', '-');
  const [, query = '', document = ''] = families.find(([part]) => name.includes(part)) ?? [];
  return { query, document };
}
