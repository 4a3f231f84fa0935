import { requireInstalled } from '@docent/compiler/process/optional-packages.ts';
import type { ModelAccess } from '@docent/format/model-choices.ts';
import { faultOfStatus, ProviderFault } from '../../ports/provider-fault.ts';
import { EndlessAnswer, fetchWithin } from './bounded-answer.ts';
import { proxiedFetch } from './environment-proxy.ts';

interface Access {
  fetch: typeof fetch;
  baseURL?: string;
  apiKey?: string | undefined;
  region?: string | undefined;
}

/** One entry per provider package of the AI SDK. Only the package in use is loaded. */
const packages = {
  openai: async (access: Access) => (await import('@ai-sdk/openai')).createOpenAI(access),
  anthropic: async (access: Access) => (await import('@ai-sdk/anthropic')).createAnthropic(access),
  google: async (access: Access) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(access),
  azure: async (access: Access) => {
    const provider = (await import('@ai-sdk/azure')).createAzure(access);
    // Its `languageModel` calls the Responses API instead.
    return { ...provider, languageModel: provider.chat };
  },
  bedrock: async (access: Access) =>
    (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock(access),
  mistral: async (access: Access) => (await import('@ai-sdk/mistral')).createMistral(access),
};

export type PackagedProvider = keyof typeof packages;

/**
 * Returns a function that returns the models of a provider. It loads the package when it is called
 * first.
 * @throws DocentError `invalid_setting` if the package is not installed
 * @param within.maxBytes of a response
 * @param within.what start of messages: `The embedding model`
 */
export function packagedProvider<Name extends PackagedProvider>(
  name: Name,
  { url, apiKey, region }: ModelAccess,
  { maxBytes, what }: { maxBytes: number; what: string },
) {
  requireInstalled(
    `The provider ${name}`,
    `@ai-sdk/${name === 'bedrock' ? 'amazon-bedrock' : name}`,
  );
  const open = packages[name] as (access: Access) => ReturnType<(typeof packages)[Name]>;
  let loading: ReturnType<typeof open> | undefined;
  return () => {
    loading ??= open({
      fetch: fetchWithin(proxiedFetch(), maxBytes, what),
      ...(url !== undefined && { baseURL: url }),
      apiKey,
      region,
    });
    return loading;
  };
}

/**
 * Converts an error of a provider package, dropping its content: the request, the response, and the
 * provider's message must not be logged.
 * @throws the signal's reason if it was aborted
 */
export function aiSdkFault(what: string, error: unknown, signal: AbortSignal): ProviderFault {
  signal.throwIfAborted();
  if (error instanceof ProviderFault) return error;
  if (error instanceof Error && error.cause instanceof EndlessAnswer) return error.cause;
  const { statusCode, responseHeaders } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as {
    statusCode?: unknown;
    responseHeaders?: Record<string, string>;
  };
  if (typeof statusCode !== 'number')
    return new ProviderFault('busy', `${what} could not be reached.`);
  // A response in an unexpected format has a success status.
  if (statusCode < 400)
    return new ProviderFault('refused', `${what} returned a response that cannot be read.`);
  return faultOfStatus(what, statusCode, responseHeaders?.['retry-after']);
}
