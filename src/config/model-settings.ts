import { z } from 'zod';
import { DocentError } from '../core/errors.ts';
import { type LanguageModelChoice, modelProviders } from '../core/model-choices.ts';
import { notes, onOrOff, readPublicUrl, wholeNumber } from './setting.ts';

type NamedModel = { kind: 'extractive' } | { kind: 'language-model'; provider: LanguageModelChoice['provider']; model: string };

/** `extractive`, or `provider:model`; the model's own name may contain colons. */
function parseModel(text: string): NamedModel | undefined {
  if (text === 'extractive') return { kind: 'extractive' };
  const [name = '', ...rest] = text.split(':');
  const provider = modelProviders.find((one) => one === name);
  const model = rest.join(':').trim();
  return provider !== undefined && model !== '' ? { kind: 'language-model', provider, model } : undefined;
}

function readModel(text: string, context: z.RefinementCtx): NamedModel {
  const model = parseModel(text);
  if (!model) context.addIssue({ code: 'custom', message: 'not a model' });
  return model ?? { kind: 'extractive' };
}

const furtherModels = z.record(
  z.string().regex(/^[\w-]{1,40}$/),
  z.strictObject({
    model: z.string(),
    url: z.string().optional(),
    apiKey: z.string().optional(),
    region: z.string().optional(),
    images: z.boolean().optional(),
  }),
);

function readModels(text: string, context: z.RefinementCtx): Record<string, z.output<typeof furtherModels>[string]> {
  try {
    return furtherModels.parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'not models' });
    return {};
  }
}

/** Settings of the language models. */
export const modelSettings = {
  DOCENT_MODEL: z
    .string()
    .transform(readModel)
    .prefault('extractive')
    .register(notes, {
      expected: `extractive, or a provider and a model such as openai-compatible:qwen3 (providers: ${modelProviders.join(', ')})`,
      meaning:
        'Model that writes the answers. `extractive` quotes the documentation and needs no key and no network; `provider:model` is a language model.',
    }),
  DOCENT_MODEL_URL: z.string().transform(readPublicUrl).optional().register(notes, {
    default: '<address of the provider>',
    expected: 'an http or https address without user, query or fragment',
    meaning: 'Base address of the API of the language model, for example `http://localhost:11434/v1`.',
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
  DOCENT_MODEL_INPUT_TOKENS: wholeNumber(1000, 1_000_000).prefault('16000').register(notes, {
    meaning: 'Maximum tokens of a question with its passages and history, by Docent’s estimate.',
  }),
  DOCENT_MODEL_OUTPUT_TOKENS: wholeNumber(50, 100_000).prefault('2000').register(notes, {
    meaning: 'Maximum tokens of an answer from the language model.',
  }),
  DOCENT_MODEL_SILENCE_SECONDS: wholeNumber(1, 600, 'seconds').prefault('45').register(notes, {
    meaning:
      'How long the language model may send nothing. Before its first word, Docent then quotes the documentation instead. Raise it for a local model that reads its prompt slowly.',
  }),
  DOCENT_MODEL_IMAGES: onOrOff().optional().register(notes, {
    default: '<on, off for openai-compatible>',
    meaning: 'Whether the language model reads pictures that are attached to a question. If it does not, the answer says so.',
  }),
  DOCENT_MODELS: z.string().transform(readModels).prefault('{}').register(notes, {
    expected: 'JSON: an object of models by name, each with "model" and, if needed, "url", "apiKey", "region" and "images"',
    meaning: 'Further language models, which sites can choose by name in their settings.',
  }),
};

export interface ModelsConfig {
  model: { kind: 'extractive' } | ({ kind: 'language-model' } & LanguageModelChoice);
  /** Additional models that sites may choose, by name. */
  models: Record<string, LanguageModelChoice>;
}

const schema = z.object(modelSettings);

/** Providers that need a configured address, and those that need a key. */
const NEEDS_URL: ReadonlySet<string> = new Set(['openai-compatible', 'azure']);
const NEEDS_NO_KEY: ReadonlySet<string> = new Set(['openai-compatible', 'bedrock']);

interface Reach {
  url?: string | undefined;
  apiKey?: string | undefined;
  region?: string | undefined;
}

type Budget = Pick<LanguageModelChoice, 'inputTokens' | 'maxOutputTokens' | 'silenceSeconds'> & { images: boolean | undefined };

/**
 * Returns a named model with its connection settings.
 * @param nameOf returns the name of a missing setting
 * @throws DocentError `invalid_setting`
 */
function reachable(
  named: Extract<NamedModel, { kind: 'language-model' }>,
  { url, apiKey, region }: Reach,
  { images, ...budget }: Budget,
  nameOf: (field: keyof Reach) => string,
): LanguageModelChoice {
  const { provider, model } = named;
  const missing: (keyof Reach)[] = [
    ...(NEEDS_URL.has(provider) && url === undefined ? (['url'] as const) : []),
    ...(!NEEDS_NO_KEY.has(provider) && apiKey === undefined ? (['apiKey'] as const) : []),
    ...(provider === 'bedrock' && region === undefined ? (['region'] as const) : []),
  ];
  if (missing.length > 0) {
    const errors = missing.map((field) => ({
      path: `/${nameOf(field)}`,
      message: `${nameOf(field)}: the model ${provider}:${model} needs it; set it, or choose another model.`,
    }));
    throw new DocentError('invalid_setting', errors.map((error) => error.message).join('\n'), { errors });
  }
  return {
    provider,
    model,
    ...(url !== undefined && { url }),
    ...(apiKey !== undefined && { apiKey }),
    ...(region !== undefined && { region }),
    ...budget,
    takesImages: images ?? provider !== 'openai-compatible',
  };
}

const SETTING_OF: Record<keyof Reach, string> = {
  url: 'DOCENT_MODEL_URL',
  apiKey: 'DOCENT_MODEL_API_KEY',
  region: 'DOCENT_MODEL_REGION',
};

/** @throws DocentError `invalid_setting` for a model that the settings cannot reach */
export function modelsFrom(values: z.output<typeof schema>): ModelsConfig {
  const budget = {
    inputTokens: values.DOCENT_MODEL_INPUT_TOKENS,
    maxOutputTokens: values.DOCENT_MODEL_OUTPUT_TOKENS,
    silenceSeconds: values.DOCENT_MODEL_SILENCE_SECONDS,
  };
  const named = values.DOCENT_MODEL;
  const reach = { url: values.DOCENT_MODEL_URL, apiKey: values.DOCENT_MODEL_API_KEY, region: values.DOCENT_MODEL_REGION };
  const models: ModelsConfig['models'] = {};
  for (const [name, { model, images, ...itsReach }] of Object.entries(values.DOCENT_MODELS)) {
    const choice = parseModel(model);
    if (choice?.kind !== 'language-model') {
      const message = `DOCENT_MODELS: the model of "${name}" must be a provider and a model such as openai:gpt-x, not ${JSON.stringify(model)}.`;
      throw new DocentError('invalid_setting', message, { errors: [{ path: '/DOCENT_MODELS', message }] });
    }
    models[name] = reachable(choice, itsReach, { ...budget, images }, (field) => `DOCENT_MODELS of "${name}", "${field}"`);
  }
  if (named.kind === 'extractive') return { model: named, models };
  return {
    model: {
      kind: 'language-model',
      ...reachable(named, reach, { ...budget, images: values.DOCENT_MODEL_IMAGES }, (field) => SETTING_OF[field]),
    },
    models,
  };
}
