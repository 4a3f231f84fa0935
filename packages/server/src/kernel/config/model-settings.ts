import { DocentError } from '@docent/format/errors.ts';
import {
  embeddingProviders,
  type LanguageModelChoice,
  type ModelAccess,
  modelProviders,
  rerankerProviders,
  selfHostedProviders,
} from '@docent/format/model-choices.ts';
import * as z from 'zod';
import { halfSet, notes, onOrOff, publicUrl, wholeNumber } from './setting.ts';

/** Parses `provider:model`; the model's own name may contain colons. */
function parseModel<Provider extends string>(text: string, providers: readonly Provider[]) {
  const at = text.indexOf(':');
  const provider = providers.find((candidate) => candidate === text.slice(0, at));
  const model = text.slice(at + 1).trim();
  return provider !== undefined && model !== '' ? { provider, model } : undefined;
}

/** Parses `provider:model`, or one of the words. For `transform`. */
function modelOf<const Provider extends string, const Word extends string>(
  providers: readonly Provider[],
  words: readonly Word[],
) {
  return (text: string, context: z.RefinementCtx): { provider: Provider; model: string } | Word => {
    const choice = words.find((word) => word === text) ?? parseModel(text, providers);
    if (choice !== undefined) return choice;
    context.addIssue({ code: 'custom', message: 'not a model' });
    return z.NEVER;
  };
}

const furtherModels = z.record(
  z.string().regex(/^[\w-]{1,40}$/),
  z.strictObject({
    model: z.string(),
    url: z.string().optional(),
    apiKey: z.string().optional(),
    region: z.string().optional(),
    images: z.boolean().optional(),
    thinks: z.boolean().optional(),
  }),
);

function readModels(text: string, context: z.RefinementCtx): z.output<typeof furtherModels> {
  try {
    return furtherModels.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'not models' });
    return {};
  }
}

const price = z.number().min(0).max(1_000_000);
const modelPrices = z.record(
  z.string().min(1).max(200),
  z.strictObject({ input: price, output: price }),
);

/** Prices of language models, in US dollars per million tokens, by provider and model. */
export type ModelPrices = z.output<typeof modelPrices>;

function readPrices(text: string, context: z.RefinementCtx): ModelPrices {
  try {
    return modelPrices.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'not prices' });
    return {};
  }
}

/** Settings of the language models. */
export const modelSettings = {
  DOCENT_MODEL: z
    .string()
    .transform(modelOf(modelProviders, ['extractive']))
    .prefault('extractive')
    .register(notes, {
      expected: `extractive, or a provider and a model such as openai-compatible:qwen3 (providers: ${modelProviders.join(', ')})`,
      meaning:
        'Model that writes the answers. `extractive` quotes the documentation and needs no key and no network; `provider:model` is a language model.',
    }),
  DOCENT_MODEL_URL: publicUrl().optional().register(notes, {
    default: '<address of the provider>',
    meaning:
      'Base address of the API of the language model, for example `http://localhost:11434/v1`.',
  }),
  DOCENT_MODEL_API_KEY: z.string().optional().register(notes, {
    expected: 'an API key of the provider',
    meaning: 'Key for the API of the language model. It never appears in logs or responses.',
  }),
  DOCENT_MODEL_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional()
    .register(notes, {
      expected: 'a region such as eu-central-1',
      meaning: 'Region of the language model; for `bedrock` only.',
    }),
  DOCENT_MODEL_INPUT_TOKENS: wholeNumber(1000, 1_000_000).optional().register(notes, {
    default: '<16000; 6000 for openai-compatible and ollama>',
    meaning: 'Maximum tokens of a question with its passages and history, by Docent’s estimate.',
  }),
  DOCENT_MODEL_OUTPUT_TOKENS: wholeNumber(50, 100_000).prefault('2000').register(notes, {
    meaning:
      'Maximum tokens of an answer from the language model. An answer that never ends is cut after 256 KB and 2 KB per token.',
  }),
  DOCENT_MODEL_SILENCE_SECONDS: wholeNumber(1, 600, 'seconds').prefault('45').register(notes, {
    meaning:
      'How long the language model may send nothing. Before its first word, Docent then quotes the documentation instead. Raise it for a local model that reads its prompt slowly.',
  }),
  DOCENT_MODEL_IMAGES: onOrOff().optional().register(notes, {
    default: '<on, off for openai-compatible and ollama>',
    meaning:
      'Whether the language model reads pictures that are attached to a question. If it does not, the answer says so.',
  }),
  DOCENT_MODEL_THINKS: onOrOff().prefault('off').register(notes, {
    meaning:
      'Whether the text of the language model begins with reasoning that ends with a tag such as `</think>` but has no opening tag. `on` never shows it as the answer. Servers that separate the reasoning themselves do not need it.',
  }),
  DOCENT_MODELS: z.string().transform(readModels).prefault('{}').register(notes, {
    expected:
      'JSON: an object of models by name, each with "model" and, if needed, "url", "apiKey", "region", "images" and "thinks"',
    meaning: 'Further language models, which sites can choose by name in their settings.',
  }),
  DOCENT_MODEL_PRICES: z.string().transform(readPrices).prefault('{}').register(notes, {
    expected:
      'JSON: an object of prices by provider and model, such as {"openai:gpt-x": {"input": 1.25, "output": 10}}',
    meaning:
      'Prices of language models, in US dollars per million tokens of `input` and of `output`. With them, owners see what an answer costs.',
  }),
};

const addressNote = (of: string) => ({
  default: '<DOCENT_MODEL_URL for the same provider>',
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
    .transform(modelOf(embeddingProviders, ['off']))
    .prefault('off')
    .register(notes, {
      expected: `off, or a provider and a model such as openai-compatible:nomic-embed-text (providers: ${embeddingProviders.join(', ')})`,
      meaning:
        'Embedding model that finds pages by meaning, in addition to search by words. `off` searches by words only.',
    }),
  DOCENT_EMBEDDINGS_URL: publicUrl().optional().register(notes, addressNote('embedding model')),
  DOCENT_EMBEDDINGS_API_KEY: z.string().optional().register(notes, keyNote('embedding model')),
  DOCENT_EMBEDDINGS_DIMENSIONS: wholeNumber(32, 4096).optional().register(notes, {
    default: '<as many as the model has>',
    meaning:
      'Dimensions of each vector, for models that support shorter ones; a section takes as many bytes of memory.',
  }),
  DOCENT_EMBEDDINGS_TIMEOUT_MS: wholeNumber(50, 60_000, 'milliseconds')
    .prefault('800')
    .register(notes, {
      meaning: 'How long a question waits for its vector before it is searched by words only.',
    }),
  DOCENT_RERANKER: z
    .string()
    .transform(modelOf(rerankerProviders, ['off']))
    .prefault('off')
    .register(notes, {
      expected: `off, or a provider and a model such as openai-compatible:bge-reranker-v2-m3 or onnx:/models/ms-marco-MiniLM-L6-v2 (providers: ${rerankerProviders.join(', ')})`,
      meaning:
        'Model that reads the best passages together with the question and ranks them. `onnx:<path>` is a model whose files are on this machine.',
    }),
  DOCENT_RERANKER_URL: publicUrl().optional().register(notes, addressNote('reranker')),
  DOCENT_RERANKER_API_KEY: z.string().optional().register(notes, keyNote('reranker')),
  DOCENT_RERANKER_TIMEOUT_MS: wholeNumber(50, 60_000, 'milliseconds')
    .prefault('1500')
    .register(notes, {
      meaning:
        'How long a question waits for the reranker before the search’s own ranking is used.',
    }),
};

/** How a model is reached. */
type Reach = Omit<ModelAccess, 'model'>;

/** Returns what the provider of a model needs and does not have. */
function missingOf(provider: string, { url, apiKey, region }: Reach): (keyof Reach)[] {
  const missing: (keyof Reach)[] = [];
  if ((provider === 'openai-compatible' || provider === 'azure') && url === undefined)
    missing.push('url');
  if (
    !['openai-compatible', 'ollama', 'bedrock', 'onnx'].includes(provider) &&
    apiKey === undefined
  )
    missing.push('apiKey');
  if (provider === 'bedrock' && region === undefined) missing.push('region');
  return missing;
}

/**
 * Default input tokens: servers that people run themselves often have a context of 8,192 tokens.
 */
const SELF_HOSTED_TOKENS = 6000;
const PROVIDER_TOKENS = 16_000;

type Abilities = Pick<LanguageModelChoice, 'maxOutputTokens' | 'silenceSeconds'> & {
  inputTokens: number | undefined;
  images: boolean | undefined;
  thinks: boolean | undefined;
};

/**
 * Returns a language model with its connection settings.
 * @param nameOf returns the name of a missing setting
 * @throws DocentError `invalid_setting`
 */
function reachable(
  { provider, model }: Pick<LanguageModelChoice, 'provider' | 'model'>,
  { url, apiKey, region }: Reach,
  { images, thinks = false, ...budget }: Abilities,
  nameOf: (field: keyof Reach) => string,
): LanguageModelChoice {
  const errors = missingOf(provider, { url, apiKey, region }).map((field) => ({
    path: `/${nameOf(field)}`,
    message: `${nameOf(field)}: the model ${provider}:${model} needs it; set it, or choose another model.`,
  }));
  if (errors.length > 0)
    throw new DocentError('invalid_setting', errors.map((error) => error.message).join('\n'), {
      errors,
    });
  const isSelfHosted = selfHostedProviders.includes(provider);
  const { inputTokens = isSelfHosted ? SELF_HOSTED_TOKENS : PROVIDER_TOKENS } = budget;
  return {
    provider,
    model,
    url,
    apiKey,
    region,
    ...budget,
    inputTokens,
    thinks,
    takesImages: images ?? !isSelfHosted,
  };
}

const SETTING_OF: Record<keyof Reach, string> = {
  url: 'DOCENT_MODEL_URL',
  apiKey: 'DOCENT_MODEL_API_KEY',
  region: 'DOCENT_MODEL_REGION',
};

const schema = z.object(modelSettings);

/**
 * Returns the language model of the platform, and the additional models that sites may choose, by
 * name.
 * @throws DocentError `invalid_setting` for a model that the settings cannot reach
 */
export function modelsFrom(values: z.output<typeof schema>) {
  const budget = {
    inputTokens: values.DOCENT_MODEL_INPUT_TOKENS,
    maxOutputTokens: values.DOCENT_MODEL_OUTPUT_TOKENS,
    silenceSeconds: values.DOCENT_MODEL_SILENCE_SECONDS,
  };
  const models: Record<string, LanguageModelChoice> = {};
  for (const [name, { model, images, thinks, ...reach }] of Object.entries(values.DOCENT_MODELS)) {
    const choice = parseModel(model, modelProviders);
    if (!choice)
      throw halfSet(
        'DOCENT_MODELS',
        `the model of "${name}" must be a provider and a model such as openai:gpt-x, not ${JSON.stringify(model)}.`,
      );
    models[name] = reachable(
      choice,
      reach,
      { ...budget, images, thinks },
      (field) => `DOCENT_MODELS of "${name}", "${field}"`,
    );
  }
  const { DOCENT_MODEL: named, DOCENT_MODEL_IMAGES: images, DOCENT_MODEL_THINKS: thinks } = values;
  if (named === 'extractive') return { model: { kind: named } as const, models };
  const reach = {
    url: values.DOCENT_MODEL_URL,
    apiKey: values.DOCENT_MODEL_API_KEY,
    region: values.DOCENT_MODEL_REGION,
  };
  const model = reachable(
    named,
    reach,
    { ...budget, images, thinks },
    (field) => SETTING_OF[field],
  );
  return { model: { kind: 'language-model', ...model } as const, models };
}

type Values = z.output<typeof schema> & z.output<z.ZodObject<typeof retrievalSettings>>;

/**
 * Returns the models of semantic search.
 * @throws DocentError `invalid_setting` for a model that the settings cannot reach
 */
export function retrievalFrom(values: Values) {
  return { embeddings: embeddingsFrom(values), reranker: rerankerFrom(values) };
}

function embeddingsFrom(values: Values) {
  const {
    DOCENT_EMBEDDINGS: model,
    DOCENT_EMBEDDINGS_TIMEOUT_MS: timeoutMs,
    DOCENT_EMBEDDINGS_DIMENSIONS: dimensions,
  } = values;
  if (model === 'off') return { kind: model } as const;
  return {
    kind: 'on',
    ...model,
    ...reachOf('DOCENT_EMBEDDINGS', model, values),
    timeoutMs,
    dimensions,
  } as const;
}

function rerankerFrom(values: Values) {
  const { DOCENT_RERANKER: model, DOCENT_RERANKER_TIMEOUT_MS: timeoutMs } = values;
  if (model === 'off') return { kind: model } as const;
  return { kind: 'on', ...model, ...reachOf('DOCENT_RERANKER', model, values), timeoutMs } as const;
}

/**
 * A model's address and credentials: its own settings, or those of the language model if both use
 * the same provider.
 */
function reachOf(
  name: 'DOCENT_EMBEDDINGS' | 'DOCENT_RERANKER',
  { provider, model }: { provider: string; model: string },
  values: Values,
): Reach {
  if (provider === 'onnx') return {};
  const language = values.DOCENT_MODEL;
  const shares = language !== 'extractive' && language.provider === provider;
  const ownUrl = values[`${name}_URL`];
  const url = ownUrl ?? (shares ? values.DOCENT_MODEL_URL : undefined);
  // A key is sent only to the address that it was set for.
  const mayShareKey = shares && (ownUrl === undefined || ownUrl === values.DOCENT_MODEL_URL);
  const apiKey =
    values[`${name}_API_KEY`] ?? (mayShareKey ? values.DOCENT_MODEL_API_KEY : undefined);
  const region = provider === 'bedrock' ? values.DOCENT_MODEL_REGION : undefined;
  const [missing] = missingOf(provider, { url, apiKey, region });
  if (missing === undefined) return { url, apiKey, region };
  const setting = { url: `${name}_URL`, apiKey: `${name}_API_KEY`, region: SETTING_OF.region }[
    missing
  ];
  throw halfSet(setting, `the model ${provider}:${model} needs it; set it, or set ${name}=off.`);
}
