import { join } from 'node:path';
import { z } from 'zod';
import type { TrustedProxies } from './core/access/client-address.ts';
import { parseIpRange } from './core/access/ip.ts';
import type { LimitSettings } from './core/access/limits.ts';
import { type LanguageModelChoice, modelProviders } from './core/assistant/language-model.ts';
import { DocentError, type FieldError } from './core/errors.ts';
import { nearestName } from './core/nearest-name.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Every choice that can be made about a running server. */
export interface Config {
  port: number;
  host: string;
  /** Where everything is kept that the server writes. */
  dataFolder: string;
  /** Without a trailing slash. */
  publicUrl: string;
  trustedProxies: TrustedProxies;
  logLevel: LogLevel;
  bundleLinkSeconds: number;
  buildThreads: number;
  limits: LimitSettings;
  model: { kind: 'extractive' } | ({ kind: 'language-model' } & LanguageModelChoice);
  /** Further models that sites may choose, by name. */
  models: Record<string, LanguageModelChoice>;
  /** Its address may hold a password, and says so in its name, so that it is never shown. */
  database: { kind: 'embedded'; folder: string } | { kind: 'postgres'; urlWithPassword: string };
  blobs: { kind: 'file-system'; folder: string };
  limiter: { kind: 'memory' } | { kind: 'postgres' };
}

/** What people are told about a setting. */
export interface Setting {
  name: string;
  /** Text of the default value, as it would be written. */
  default: string;
  /** What a value must be, for messages: "a whole number from 1 to 10". */
  expected: string;
  meaning: string;
}

const notes = z.registry<Omit<Setting, 'name'>>();

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

function readPublicUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!plain) context.addIssue({ code: 'custom', message: 'not an address' });
  return text.replace(/\/+$/, '');
}

function readDatabaseUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) context.addIssue({ code: 'custom', message: 'not an address' });
  return text;
}

function readTrustedProxies(text: string, context: z.RefinementCtx): TrustedProxies {
  if (/^\d{1,2}$/.test(text)) return text === '0' ? { kind: 'none' } : { kind: 'count', count: Number(text) };
  const ranges = text.split(',').map((entry) => parseIpRange(entry.trim()));
  const known = ranges.filter((range) => range !== undefined);
  if (known.length < ranges.length) context.addIssue({ code: 'custom', message: 'not a list of addresses' });
  return { kind: 'ranges', ranges: known };
}

type NamedModel = { kind: 'extractive' } | { kind: 'language-model'; provider: LanguageModelChoice['provider']; model: string };

/** `extractive`, or `provider:model`; the model's own name may hold colons. */
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

const environment = z.object({
  DOCENT_PORT: wholeNumber(0, 65_535)
    .prefault('3000')
    .register(notes, { default: '3000', expected: 'a port, 0 to 65535', meaning: 'Port to listen on; 0 takes a free one.' }),
  DOCENT_HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .prefault('127.0.0.1')
    .register(notes, {
      default: '127.0.0.1',
      expected: 'an address or a host name of this machine',
      meaning: 'Address to listen on. The default is reached from this machine only; `0.0.0.0` opens the server to the network.',
    }),
  DOCENT_DATA: z
    .string()
    .prefault('./data')
    .register(notes, { default: './data', expected: 'a folder', meaning: 'Folder for everything that the server keeps.' }),
  DOCENT_PUBLIC_URL: z.string().transform(readPublicUrl).optional().register(notes, {
    default: 'http://localhost:<port>',
    expected: 'an http or https address without user, query or fragment',
    meaning: 'Address that readers and clients reach the server under; links are made with it.',
  }),
  DOCENT_TRUSTED_PROXIES: z.string().transform(readTrustedProxies).prefault('0').register(notes, {
    default: '0',
    expected: 'a number of proxies, or addresses and CIDR ranges separated by commas',
    meaning: 'Reverse proxies in front of the server, whose `X-Forwarded-For` is believed.',
  }),
  DOCENT_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).prefault('info').register(notes, {
    default: 'info',
    expected: 'debug, info, warn, error or silent',
    meaning: 'Least level of what is logged.',
  }),
  DOCENT_BUNDLE_LINK_SECONDS: wholeNumber(900, 604_800).prefault('86400').register(notes, {
    default: '86400',
    expected: 'a whole number of seconds, 900 to 604800',
    meaning: 'How long the link to an exported bundle works.',
  }),
  DOCENT_BUILD_THREADS: wholeNumber(1, 64).prefault('2').register(notes, {
    default: '2',
    expected: 'a whole number, 1 to 64',
    meaning: 'Threads that render the pages of one build.',
  }),
  DOCENT_LIMIT_ASSISTANT_PER_ORGANISATION_HOUR: wholeNumber(1, 1_000_000_000).prefault('10000').register(notes, {
    default: '10000',
    expected: 'a whole number, 1 or more',
    meaning: 'Requests to the assistant API that an organisation may make in an hour.',
  }),
  DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: wholeNumber(1, 1_000_000_000).prefault('10000').register(notes, {
    default: '10000',
    expected: 'a whole number, 1 or more',
    meaning: 'Requests to the assistant API that one address may make in a day; an IPv6 address counts by its /64.',
  }),
  DOCENT_LIMIT_KEYS_PER_ORGANISATION_HOUR: wholeNumber(1, 1_000_000_000).prefault('10').register(notes, {
    default: '10',
    expected: 'a whole number, 1 or more',
    meaning: 'Keys that an organisation may create in an hour. The local operator is not limited.',
  }),
  DOCENT_MODEL: z
    .string()
    .transform(readModel)
    .prefault('extractive')
    .register(notes, {
      default: 'extractive',
      expected: `extractive, or a provider and a model such as openai-compatible:qwen3 (providers: ${modelProviders.join(', ')})`,
      meaning:
        'What writes the answers. `extractive` quotes the documentation and needs no key and no network; `provider:model` is a language model.',
    }),
  DOCENT_MODEL_URL: z.string().transform(readPublicUrl).optional().register(notes, {
    default: '<address of the provider>',
    expected: 'an http or https address without user, query or fragment',
    meaning: 'Base address of the API of the language model, for example `http://localhost:11434/v1`.',
  }),
  DOCENT_MODEL_API_KEY: z.string().optional().register(notes, {
    default: '<none>',
    expected: 'a key of the provider',
    meaning: 'Key for the API of the language model. It is never logged and never part of an answer.',
  }),
  DOCENT_MODEL_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional()
    .register(notes, {
      default: '<none>',
      expected: 'a region such as eu-central-1',
      meaning: 'Region of the language model; for `bedrock` only.',
    }),
  DOCENT_MODEL_INPUT_TOKENS: wholeNumber(1000, 1_000_000).prefault('16000').register(notes, {
    default: '16000',
    expected: 'a whole number, 1000 or more',
    meaning: 'Tokens that a question with its passages and its history may have, by our own estimate.',
  }),
  DOCENT_MODEL_OUTPUT_TOKENS: wholeNumber(50, 100_000).prefault('2000').register(notes, {
    default: '2000',
    expected: 'a whole number, 50 or more',
    meaning: 'Most tokens of an answer of the language model.',
  }),
  DOCENT_MODELS: z.string().transform(readModels).prefault('{}').register(notes, {
    default: '{}',
    expected: 'JSON: an object of models by name, each with "model" and, where it needs them, "url", "apiKey" and "region"',
    meaning: 'Further language models, which single sites may choose by name in their settings.',
  }),
  DOCENT_DATABASE: z.enum(['embedded', 'postgres']).prefault('embedded').register(notes, {
    default: 'embedded',
    expected: 'embedded or postgres',
    meaning:
      'The database: `embedded` keeps it in the data folder; `postgres` is a PostgreSQL server, which several processes may share.',
  }),
  DOCENT_DATABASE_URL: z.string().transform(readDatabaseUrl).optional().register(notes, {
    default: '<none>',
    expected: 'an address such as postgres://user:password@host:5432/name',
    meaning: 'Address of the PostgreSQL server, version 15 or newer; for `DOCENT_DATABASE=postgres`. It is never shown.',
  }),
  DOCENT_BLOBS: z.enum(['file-system']).prefault('file-system').register(notes, {
    default: 'file-system',
    expected: 'file-system',
    meaning: 'Where files are stored: `file-system` keeps them in the data folder.',
  }),
  DOCENT_BLOBS_FOLDER: z.string().optional().register(notes, {
    default: '<DOCENT_DATA>/blobs',
    expected: 'a folder',
    meaning: 'Folder for the files, for processes that share one; each has a data folder of its own besides.',
  }),
  DOCENT_LIMITER: z.enum(['memory', 'postgres']).prefault('memory').register(notes, {
    default: 'memory',
    expected: 'memory or postgres',
    meaning:
      'Where limits are counted: `memory` is right for one process; `postgres` counts exactly for all processes on one PostgreSQL server.',
  }),
});

/** Every setting, for the documentation and for messages. */
export const settings: readonly Setting[] = Object.entries(environment.shape).map(([name, schema]) => {
  const note = notes.get(schema);
  if (!note) throw new Error(`The setting ${name} is not described.`);
  return { name, ...note };
});

/** Settings of the commands that talk to a server; they are read with the command's own options. */
export const commandSettings: readonly Setting[] = [
  {
    name: 'DOCENT_URL',
    default: 'the platform of the data folder',
    expected: 'an http or https address',
    meaning: 'Server that commands talk to; the option `--url`.',
  },
  { name: 'DOCENT_API_KEY', default: '<none>', expected: 'an admin key', meaning: 'Key for that server; the option `--key`.' },
];

function unknownNames(env: Record<string, string | undefined>): FieldError[] {
  const names = new Set([...settings, ...commandSettings].map((setting) => setting.name));
  return Object.keys(env)
    .filter((name) => name.startsWith('DOCENT_') && !names.has(name))
    .map((name) => {
      const meant = nearestName(name, names);
      return {
        path: `/${name}`,
        message: `${name}: there is no such setting${meant ? `; did you mean ${meant}?` : '; remove it.'}`,
      };
    });
}

function wrongValues(error: z.ZodError, env: Record<string, string | undefined>): FieldError[] {
  const wrong = new Set(error.issues.map((issue) => issue.path[0]));
  return settings
    .filter((setting) => wrong.has(setting.name))
    .map(({ name, expected, default: preset }) => ({
      path: `/${name}`,
      message: `${name}: expected ${expected}, got ${shown(name, env[name])}; correct it, or remove it for the default ${preset}.`,
    }));
}

/** A value as it may be shown: an address without the password in it. */
function shown(name: string, value: string | undefined): string {
  return name === 'DOCENT_DATABASE_URL' ? 'another text, which is not shown' : JSON.stringify(value);
}

/**
 * Reads the configuration. An empty value counts as not set.
 * @throws DocentError `invalid_setting`, listing every fault: name, expected, got, remedy
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name.startsWith('DOCENT_') && value !== ''));
  const result = environment.safeParse(given);
  const errors = [...unknownNames(given), ...(result.success ? [] : wrongValues(result.error, given))];
  if (!result.success || errors.length > 0) {
    throw new DocentError('invalid_setting', errors.map((error) => error.message).join('\n'), { errors });
  }
  return configFrom(result.data);
}

/** Providers that have an address of their own, and those that cannot be asked without a key. */
const NEEDS_URL: ReadonlySet<string> = new Set(['openai-compatible', 'azure']);
const NEEDS_NO_KEY: ReadonlySet<string> = new Set(['openai-compatible', 'bedrock']);

interface Reach {
  url?: string | undefined;
  apiKey?: string | undefined;
  region?: string | undefined;
}

type Budget = Pick<LanguageModelChoice, 'inputTokens' | 'maxOutputTokens'>;

/**
 * A named model with how it is reached.
 * @param nameOf what the setting is called that is missing
 * @throws DocentError `invalid_setting`
 */
function reachable(
  named: Extract<NamedModel, { kind: 'language-model' }>,
  { url, apiKey, region }: Reach,
  budget: Budget,
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
  };
}

const SETTING_OF: Record<keyof Reach, string> = {
  url: 'DOCENT_MODEL_URL',
  apiKey: 'DOCENT_MODEL_API_KEY',
  region: 'DOCENT_MODEL_REGION',
};

function modelsFrom(values: z.output<typeof environment>): Pick<Config, 'model' | 'models'> {
  const budget = { inputTokens: values.DOCENT_MODEL_INPUT_TOKENS, maxOutputTokens: values.DOCENT_MODEL_OUTPUT_TOKENS };
  const named = values.DOCENT_MODEL;
  const reach = { url: values.DOCENT_MODEL_URL, apiKey: values.DOCENT_MODEL_API_KEY, region: values.DOCENT_MODEL_REGION };
  const models: Config['models'] = {};
  for (const [name, { model, ...itsReach }] of Object.entries(values.DOCENT_MODELS)) {
    const choice = parseModel(model);
    if (choice?.kind !== 'language-model') {
      const message = `DOCENT_MODELS: the model of "${name}" must be a provider and a model such as openai:gpt-x, not ${JSON.stringify(model)}.`;
      throw new DocentError('invalid_setting', message, { errors: [{ path: '/DOCENT_MODELS', message }] });
    }
    models[name] = reachable(choice, itsReach, budget, (field) => `DOCENT_MODELS of "${name}", "${field}"`);
  }
  if (named.kind === 'extractive') return { model: named, models };
  return { model: { kind: 'language-model', ...reachable(named, reach, budget, (field) => SETTING_OF[field]) }, models };
}

function configFrom(values: z.output<typeof environment>): Config {
  const dataFolder = values.DOCENT_DATA;
  return {
    port: values.DOCENT_PORT,
    host: values.DOCENT_HOST,
    dataFolder,
    publicUrl: values.DOCENT_PUBLIC_URL ?? `http://localhost:${values.DOCENT_PORT}`,
    trustedProxies: values.DOCENT_TRUSTED_PROXIES,
    logLevel: values.DOCENT_LOG_LEVEL,
    bundleLinkSeconds: values.DOCENT_BUNDLE_LINK_SECONDS,
    buildThreads: values.DOCENT_BUILD_THREADS,
    limits: {
      assistantPerOrganisationHour: values.DOCENT_LIMIT_ASSISTANT_PER_ORGANISATION_HOUR,
      assistantPerIpDay: values.DOCENT_LIMIT_ASSISTANT_PER_IP_DAY,
      keysPerOrganisationHour: values.DOCENT_LIMIT_KEYS_PER_ORGANISATION_HOUR,
    },
    ...modelsFrom(values),
    database: databaseFrom(values),
    blobs: { kind: values.DOCENT_BLOBS, folder: values.DOCENT_BLOBS_FOLDER ?? join(dataFolder, 'blobs') },
    limiter: limiterFrom(values),
  };
}

/** @throws DocentError `invalid_setting` for settings of which one needs the other */
function databaseFrom(values: z.output<typeof environment>): Config['database'] {
  const { DOCENT_DATABASE: kind, DOCENT_DATABASE_URL: url, DOCENT_DATA: dataFolder } = values;
  if (kind === 'postgres') {
    if (url === undefined)
      throw halfSet('DOCENT_DATABASE_URL', 'DOCENT_DATABASE=postgres needs it; set it to the address of the server.');
    return { kind, urlWithPassword: url };
  }
  if (url !== undefined)
    throw halfSet('DOCENT_DATABASE', 'DOCENT_DATABASE_URL is set, so it must be postgres; set it, or remove the address.');
  return { kind, folder: join(dataFolder, 'database') };
}

/** @throws DocentError `invalid_setting` */
function limiterFrom({ DOCENT_LIMITER: kind, DOCENT_DATABASE: database }: z.output<typeof environment>): Config['limiter'] {
  if (kind === 'postgres' && database !== 'postgres')
    throw halfSet(
      'DOCENT_LIMITER',
      'postgres counts in the database, so DOCENT_DATABASE must be postgres too; set it, or use memory.',
    );
  return { kind };
}

function halfSet(name: string, remedy: string): DocentError {
  const message = `${name}: ${remedy}`;
  return new DocentError('invalid_setting', message, { errors: [{ path: `/${name}`, message }] });
}

const SECRET_NAME = /(?:key|secret|password|token)$/i;

/** The configuration as text for logs: one `name: value` for each leaf, what a name calls a secret as `***`. */
export function describeConfig(config: object): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    if (SECRET_NAME.test(name)) lines[name] = '***';
    else if (typeof value !== 'object' || value === null || Array.isArray(value)) lines[name] = describeValue(value);
    else for (const [inner, text] of Object.entries(describeConfig(value))) lines[`${name}.${inner}`] = text;
  }
  return lines;
}

/** Addresses are numbers beyond JSON. */
function describeValue(value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? inner.toString() : inner));
}
