/** Where language models come from; each is a provider package of the AI SDK. */
export const modelProviders = ['openai-compatible', 'openai', 'anthropic', 'google', 'azure', 'bedrock', 'mistral'] as const;

/** A language model and how it is reached. */
export interface LanguageModelChoice {
  provider: (typeof modelProviders)[number];
  /** Its name at the provider. */
  model: string;
  /** Base address of the provider's API, where it is not the provider's own. */
  url?: string;
  apiKey?: string;
  region?: string;
  /** Tokens that a question with its passages may have. */
  inputTokens: number;
  maxOutputTokens: number;
  /** Whether it reads pictures. */
  takesImages: boolean;
}
