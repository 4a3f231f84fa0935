/** Providers of language models; each is a provider package of the AI SDK. */
export const modelProviders = ['openai-compatible', 'openai', 'anthropic', 'google', 'azure', 'bedrock', 'mistral'] as const;

/** A language model and how it is reached. */
export interface LanguageModelChoice {
  provider: (typeof modelProviders)[number];
  /** Its name at the provider. */
  model: string;
  /** Base URL of the provider's API, if it is not the default. */
  url?: string;
  apiKey?: string;
  region?: string;
  /** Maximum input tokens: the question and its passages. */
  inputTokens: number;
  maxOutputTokens: number;
  /** A model that sends nothing for longer is given up: the reader gets quotes instead. */
  silenceSeconds: number;
  /** Whether it supports images. */
  takesImages: boolean;
}
