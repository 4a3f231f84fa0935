import { z } from 'zod';
import {
  type BuiltinEmbedderChoice,
  type EmbedderChoice,
  embeddingProviders,
  type RerankerChoice,
  rerankerProviders,
} from '../core/model-choices.ts';
import type { modelSettings } from './model-settings.ts';
import { halfSet, notes, readPublicUrl, wholeNumber } from './setting.ts';

/** Either `words`, or `provider:model`; the model's own name may contain colons. For `transform`. */
function providerAndModel<const Provider extends string, const Word extends string>(
  providers: readonly Provider[],
  words: readonly Word[],
) {
  return (text: string, context: z.RefinementCtx): { provider: Provider; model: string } | Word => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    const at = text.indexOf(':');
    const provider = providers.find((one) => one === text.slice(0, at));
    const model = text.slice(at + 1).trim();
    if (provider !== undefined && model !== '') return { provider, model };
    context.addIssue({ code: 'custom', message: 'not a model' });
    return z.NEVER;
  };
}

const address = () => z.string().transform(readPublicUrl).optional();

const addressNote = (of: string) => ({
  default: '<DOCENT_MODEL_URL for the same provider>',
  expected: 'an http or https address without user, query or fragment',
  meaning: `Base address of the API of the ${of}, for example \`http://localhost:8080/v1\`.`,
});
const keyNote = (of: string) => ({
  default: '<DOCENT_MODEL_API_KEY for the same provider>',
  expected: 'an API key of the provider',
  meaning: `Key for the API of the ${of}. It never appears in logs or responses.`,
});

/** Settings of semantic search: embeddings and the reranker. */
export const retrievalSettings = {
  DOCENT_EMBEDDINGS: z
    .string()
    .transform(providerAndModel(embeddingProviders, ['off', 'builtin']))
    .prefault('off')
    .register(notes, {
      expected: `off, builtin, or a provider and a model such as openai-compatible:nomic-embed-text (providers: ${embeddingProviders.join(', ')})`,
      meaning:
        'Embedding model that finds pages by meaning, in addition to search by words. `builtin` is a small English model that ships with Docent; it needs no network. `off` searches by words only.',
    }),
  DOCENT_EMBEDDINGS_URL: address().register(notes, addressNote('embedding model')),
  DOCENT_EMBEDDINGS_API_KEY: z.string().optional().register(notes, keyNote('embedding model')),
  DOCENT_EMBEDDINGS_DIMENSIONS: wholeNumber(32, 4096).optional().register(notes, {
    default: '<as many as the model has>',
    meaning: 'Dimensions of each vector, for models that support shorter ones; a section takes as many bytes of memory.',
  }),
  DOCENT_EMBEDDINGS_TIMEOUT_MS: wholeNumber(50, 60_000, 'milliseconds').prefault('800').register(notes, {
    meaning: 'How long a question waits for its vector before it is searched by words only.',
  }),
  DOCENT_RERANKER: z
    .string()
    .transform(providerAndModel(rerankerProviders, ['off']))
    .prefault('off')
    .register(notes, {
      expected: `off, or a provider and a model such as openai-compatible:bge-reranker-v2-m3 or onnx:/models/ms-marco-MiniLM-L6-v2 (providers: ${rerankerProviders.join(', ')})`,
      meaning:
        'Model that reads the best passages together with the question and ranks them. `onnx:<path>` is a model whose files are on this machine.',
    }),
  DOCENT_RERANKER_URL: address().register(notes, addressNote('reranker')),
  DOCENT_RERANKER_API_KEY: z.string().optional().register(notes, keyNote('reranker')),
  DOCENT_RERANKER_TIMEOUT_MS: wholeNumber(50, 60_000, 'milliseconds').prefault('1500').register(notes, {
    meaning: 'How long a question waits for the reranker before the search’s own ranking is used.',
  }),
};

export interface RetrievalConfig {
  embeddings: { kind: 'off' } | BuiltinEmbedderChoice | ({ kind: 'on' } & EmbedderChoice);
  reranker: { kind: 'off' } | ({ kind: 'on' } & RerankerChoice);
}

const schema = z.object(retrievalSettings);
type Values = z.output<typeof schema> & z.output<z.ZodObject<typeof modelSettings>>;

/** @throws DocentError `invalid_setting` for a model that the settings cannot reach */
export function retrievalFrom(values: Values): RetrievalConfig {
  const { DOCENT_EMBEDDINGS: embedder, DOCENT_RERANKER: reranker, DOCENT_EMBEDDINGS_DIMENSIONS: dimensions } = values;
  return {
    embeddings:
      embedder === 'off'
        ? { kind: 'off' }
        : embedder === 'builtin'
          ? { kind: 'builtin', timeoutMs: values.DOCENT_EMBEDDINGS_TIMEOUT_MS }
          : {
              kind: 'on',
              ...embedder,
              ...reachOf('DOCENT_EMBEDDINGS', embedder, values),
              timeoutMs: values.DOCENT_EMBEDDINGS_TIMEOUT_MS,
              ...(dimensions !== undefined && { dimensions }),
            },
    reranker:
      reranker === 'off'
        ? { kind: 'off' }
        : {
            kind: 'on',
            ...reranker,
            ...reachOf('DOCENT_RERANKER', reranker, values),
            timeoutMs: values.DOCENT_RERANKER_TIMEOUT_MS,
          },
  };
}

/** A model's address and credentials: its own settings, or those of the language model if both use the same provider. */
function reachOf(
  name: 'DOCENT_EMBEDDINGS' | 'DOCENT_RERANKER',
  { provider, model }: { provider: string; model: string },
  values: Values,
): { url?: string; apiKey?: string; region?: string } {
  const language = values.DOCENT_MODEL;
  const shares = language.kind === 'language-model' && language.provider === provider;
  const ownUrl = values[`${name}_URL`];
  const url = ownUrl ?? (shares ? values.DOCENT_MODEL_URL : undefined);
  // A key is sent only to the address that it was set for.
  const mayShareKey = shares && (ownUrl === undefined || ownUrl === values.DOCENT_MODEL_URL);
  const apiKey = values[`${name}_API_KEY`] ?? (mayShareKey ? values.DOCENT_MODEL_API_KEY : undefined);
  const region = provider === 'bedrock' ? values.DOCENT_MODEL_REGION : undefined;
  const needed = (setting: string) => halfSet(setting, `the model ${provider}:${model} needs it; set it, or set ${name}=off.`);
  if ((provider === 'openai-compatible' || provider === 'azure') && url === undefined) throw needed(`${name}_URL`);
  if (provider === 'onnx') return {};
  if (provider !== 'openai-compatible' && provider !== 'bedrock' && apiKey === undefined) throw needed(`${name}_API_KEY`);
  if (provider === 'bedrock' && region === undefined) throw needed('DOCENT_MODEL_REGION');
  return { ...(url !== undefined && { url }), ...(apiKey !== undefined && { apiKey }), ...(region !== undefined && { region }) };
}
