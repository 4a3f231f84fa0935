import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { LanguageModelChoice } from '../../core/model-choices.ts';
import type { ChatModel } from '../../ports/chat-model.ts';
import { proxiedFetch } from '../model-client/environment-proxy.ts';
import { createAiSdkModel } from './ai-sdk.ts';
import { createOpenAiCompatibleModel } from './openai-compatible.ts';

type Load = (config: LanguageModelChoice) => Promise<LanguageModelV4>;

const address = ({ url }: LanguageModelChoice) => ({ fetch: proxiedFetch(), ...(url !== undefined && { baseURL: url }) });

/** One entry per provider package of the AI SDK. Only the package in use is loaded. */
const providers: Record<Exclude<LanguageModelChoice['provider'], 'openai-compatible'>, Load> = {
  openai: async (config) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ ...address(config), apiKey: config.apiKey }).responses(config.model);
  },
  anthropic: async (config) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ ...address(config), apiKey: config.apiKey }).messages(config.model);
  },
  google: async (config) => {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ ...address(config), apiKey: config.apiKey }).chat(config.model);
  },
  azure: async (config) => {
    const { createAzure } = await import('@ai-sdk/azure');
    return createAzure({ ...address(config), apiKey: config.apiKey }).chat(config.model);
  },
  bedrock: async (config) => {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    return createAmazonBedrock({ ...address(config), apiKey: config.apiKey, region: config.region })(config.model);
  },
  mistral: async (config) => {
    const { createMistral } = await import('@ai-sdk/mistral');
    return createMistral({ ...address(config), apiKey: config.apiKey }).chat(config.model);
  },
};

/** Returns the configured language model. Nothing is loaded or called before the first question. */
export function createLanguageModel(config: LanguageModelChoice): ChatModel {
  const { provider } = config;
  if (provider === 'openai-compatible') return createOpenAiCompatibleModel(config);
  return createAiSdkModel({
    name: `${provider}:${config.model}`,
    load: () => providers[provider](config),
    inputTokens: config.inputTokens,
    maxOutputTokens: config.maxOutputTokens,
    takesImages: config.takesImages,
    silenceSeconds: config.silenceSeconds,
  });
}
