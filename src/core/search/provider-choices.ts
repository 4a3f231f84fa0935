/** Where embedding models come from: those of the language models that have any. */
export const embeddingProviders = ['openai-compatible', 'openai', 'google', 'azure', 'bedrock', 'mistral'] as const;
/** Where rerankers come from. */
export const rerankerProviders = ['openai-compatible', 'bedrock'] as const;

/** How a model is reached. */
interface ModelAccess {
  /** Its name at the provider. */
  model: string;
  /** Base address of the provider's API, where it is not the provider's own. */
  url?: string;
  apiKey?: string;
  region?: string;
  /** How long a reader's question waits for it. */
  timeoutMs: number;
}

/** The embedding model that comes with this software, and how long a reader's question waits for it. */
export interface BuiltinEmbedderChoice extends Pick<ModelAccess, 'timeoutMs'> {
  kind: 'builtin';
}

/** An embedding model and how it is reached. */
export interface EmbedderChoice extends ModelAccess {
  provider: (typeof embeddingProviders)[number];
  /** Numbers of each vector, where the model is asked for fewer than it has. */
  dimensions?: number;
}

/** A reranker and how it is reached. */
export interface RerankerChoice extends ModelAccess {
  provider: (typeof rerankerProviders)[number];
}
