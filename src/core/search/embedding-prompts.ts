/** The prefixes that a model expects before a text. */
export interface EmbeddingPrompts {
  query: string;
  document: string;
}

const NONE: EmbeddingPrompts = { query: '', document: '' };
const SENTENCE = 'Represent this sentence for searching relevant passages: ';

/** Models that were trained with prefixes, by a part of their name; without them they find less. More specific names come first. */
const families: [part: string, prompts: EmbeddingPrompts][] = [
  ['nomic-embed', { query: 'search_query: ', document: 'search_document: ' }],
  ['e5-mistral', { query: 'Instruct: Retrieve the passages of documentation that answer the question\nQuery: ', document: '' }],
  [
    'multilingual-e5-large-instruct',
    { query: 'Instruct: Retrieve the passages of documentation that answer the question\nQuery: ', document: '' },
  ],
  ['e5-', { query: 'query: ', document: 'passage: ' }],
  [
    'qwen3-embedding',
    { query: 'Instruct: Retrieve the passages of documentation that answer the question\nQuery:', document: '' },
  ],
  ['embeddinggemma', { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  ['arctic-embed-l-v2', { query: 'query: ', document: '' }],
  ['arctic-embed-m-v2', { query: 'query: ', document: '' }],
  ['arctic-embed2', { query: 'query: ', document: '' }],
  ['arctic-embed', { query: SENTENCE, document: '' }],
  ['mxbai-embed-large', { query: SENTENCE, document: '' }],
  ['bge-m3', NONE],
  ['bge-small-en', { query: SENTENCE, document: '' }],
  ['bge-base-en', { query: SENTENCE, document: '' }],
  ['bge-large-en', { query: SENTENCE, document: '' }],
];

/** Returns the prompts of a model, by its name on any server; none for a model that is not known to need them. */
export function promptsOf(model: string): EmbeddingPrompts {
  const name = model.toLowerCase().replaceAll('_', '-');
  return families.find(([part]) => name.includes(part))?.[1] ?? NONE;
}
