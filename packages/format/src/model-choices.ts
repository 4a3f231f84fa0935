/**
 * Providers of language models: protocols of servers that people run themselves, and provider
 * packages of the AI SDK.
 */
export const modelProviders = [
  'openai-compatible',
  'ollama',
  'openai',
  'anthropic',
  'google',
  'azure',
  'bedrock',
  'mistral',
] as const;
/** Those whose server decides how much a model reads. */
export const selfHostedProviders: readonly string[] = ['openai-compatible', 'ollama'];
/** Providers of embedding models: the language model providers that offer any. */
export const embeddingProviders = [
  'openai-compatible',
  'openai',
  'google',
  'azure',
  'bedrock',
  'mistral',
] as const;
export const rerankerProviders = ['openai-compatible', 'bedrock', 'onnx'] as const;

/** A model and how it is reached. */
export interface ModelAccess {
  /** Its name at the provider; for `onnx` the path of its files. */
  model: string;
  /** Base URL of the provider's API, if it is not the default. */
  url?: string;
  apiKey?: string;
  region?: string;
}

export interface LanguageModelChoice extends ModelAccess {
  provider: (typeof modelProviders)[number];
  /** Maximum input tokens: the question and its passages. */
  inputTokens: number;
  maxOutputTokens: number;
  /** A model that sends nothing for longer is given up: the reader gets quotes instead. */
  silenceSeconds: number;
  /** Whether it supports images. */
  takesImages: boolean;
  /** Whether its text begins with reasoning that has a closing tag only. */
  thinks: boolean;
}

export interface EmbedderChoice extends ModelAccess {
  provider: (typeof embeddingProviders)[number];
  /** Vector dimensions, if fewer than the model's default are requested. */
  dimensions?: number;
}

export interface RerankerChoice extends ModelAccess {
  provider: (typeof rerankerProviders)[number];
}
