import { z } from 'zod';
import { accountSettings, accountsFrom } from './config/account-settings.ts';
import { bundleSettings } from './config/bundle-settings.ts';
import { exportSettings } from './config/export-settings.ts';
import { modelSettings, modelsFrom } from './config/model-settings.ts';
import { type PublishingConfig, publishingFrom, publishSettings } from './config/publish-settings.ts';
import { retrievalFrom, retrievalSettings } from './config/retrieval-settings.ts';
import type { S3Config } from './config/s3-settings.ts';
import { serverSettings } from './config/server-settings.ts';
import { describeSettings, type Setting } from './config/setting.ts';
import { blobsFrom, databaseFrom, limiterFrom, secretFrom, storageSettings } from './config/storage-settings.ts';
import type { TrustedProxies } from './core/access/client-address.ts';
import { hostnameOf, isLoopbackName } from './core/access/host-name.ts';
import type { IpRange } from './core/access/ip.ts';
import type { LimitSettings } from './core/access/limits.ts';
import type { Role } from './core/access/may.ts';
import type { LanguageModelChoice } from './core/assistant/language-model.ts';
import { DocentError, type FieldError } from './core/errors.ts';
import { nearestName } from './core/nearest-name.ts';
import type { BuiltinEmbedderChoice, EmbedderChoice, RerankerChoice } from './core/search/provider-choices.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** An OpenID Connect provider, and whom it lets in. */
export interface SsoConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** What new people join, by its identifier; without it, only those with an invitation come in. */
  organisation: string | undefined;
  role: Role;
  /** Domains of email addresses; none for all. */
  emailDomains: readonly string[];
  /** Whether an address counts as verified where the provider says nothing about that. */
  trustsEmail: boolean;
}

/** Every choice that can be made about a running server. */
export interface Config {
  port: number;
  host: string;
  /** Where everything is kept that the server writes. */
  dataFolder: string;
  /** Without a trailing slash. */
  publicUrl: string;
  /** The host name in it. */
  publicHostname: string;
  /** The domain that sites have their names below. */
  sitesDomain: string | undefined;
  trustedProxies: TrustedProxies;
  /** Further names of the platform. */
  reservedHostnames: readonly string[];
  /** Servers that are asked for the proofs of host names; none for those of the system. */
  dnsServers: readonly string[];
  /** Who may show pages in a frame, as CSP writes it. */
  frameAncestors: string;
  metricsToken: string | undefined;
  /** Private addresses that may be connected to when a site refers to them. */
  allowedPrivateRanges: readonly IpRange[];
  /** Whether builds fetch what sites name by its address. */
  fetchRemote: boolean;
  /** Whether the server makes the calls of API pages, for the sites that ask for it. */
  playgroundProxy: boolean;
  /** What readers and machines do on sites is counted. */
  analytics: { enabled: boolean; eventsPerDay: number };
  /** Whether pages load the scripts of other services that sites choose. */
  integrations: boolean;
  logLevel: LogLevel;
  /** How long a server that was asked to stop goes on serving. */
  drainSeconds: number;
  bundleLinkSeconds: number;
  exports: {
    perOrganisation: number;
    perProcess: number;
    retentionDays: number;
    signingKeyFile: string | undefined;
  };
  buildThreads: number;
  publishing: PublishingConfig;
  /** Builds of a site that are kept, counted from the newest. */
  keptDeployments: number;
  auditLogDays: number;
  limits: LimitSettings;
  /** What an organisation may have. */
  quotas: { sites: number; storedBytes: number };
  model: { kind: 'extractive' } | ({ kind: 'language-model' } & LanguageModelChoice);
  /** Further models that sites may choose, by name. */
  models: Record<string, LanguageModelChoice>;
  embeddings: { kind: 'off' } | BuiltinEmbedderChoice | ({ kind: 'on' } & EmbedderChoice);
  reranker: { kind: 'off' } | ({ kind: 'on' } & RerankerChoice);
  /** Its address may hold a password, and says so in its name, so that it is never shown. */
  database: { kind: 'embedded'; folder: string } | { kind: 'postgres'; urlWithPassword: string };
  blobs: { kind: 'file-system'; folder: string } | ({ kind: 's3' } & S3Config);
  /** Signs what is given out and comes back. */
  secret: { kind: 'file'; file: string } | { kind: 'set'; secret: string };
  /** The OpenID Connect provider that people sign in with, where there is one. */
  sso: SsoConfig | undefined;
  /** Whether people sign in with passwords. */
  passwords: boolean;
  /** What sends mail, where something does. */
  mail: { urlWithPassword: string; from: string } | undefined;
  limiter: { kind: 'memory' } | { kind: 'postgres' } | { kind: 'redis'; urlWithPassword: string };
}

export const environment = z.object({
  ...serverSettings,
  ...accountSettings,
  ...publishSettings,
  ...exportSettings,
  ...modelSettings,
  ...retrievalSettings,
  ...storageSettings,
});

/** Every setting, for the documentation and for messages. */
export const settings: readonly Setting[] = describeSettings(environment.shape);

/** Settings of single commands; they are read with the command's own options. */
export const commandSettings: readonly Setting[] = [
  {
    name: 'DOCENT_URL',
    default: 'the platform of the data folder',
    expected: 'an http or https address',
    meaning: 'Server that commands talk to; the option `--url`.',
  },
  { name: 'DOCENT_API_KEY', default: '<none>', expected: 'an admin key', meaning: 'Key for that server; the option `--key`.' },
  ...describeSettings(bundleSettings),
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
  return [...settings, ...commandSettings]
    .filter((setting) => wrong.has(setting.name))
    .map(({ name, expected, default: preset }) => ({
      path: `/${name}`,
      message: `${name}: expected ${expected}, got ${shown(name, env[name])}; correct it, or remove it for the default ${preset}.`,
    }));
}

/** Settings that can be wrong and hold what nobody may read in a log. */
const hiddenNames: ReadonlySet<string> = new Set([
  'DOCENT_DATABASE_URL',
  'DOCENT_METRICS_TOKEN',
  'DOCENT_OIDC_CLIENT_SECRET',
  'DOCENT_REDIS_URL',
  'DOCENT_SECRET',
  'DOCENT_SMTP_URL',
]);

/** A value as it may be shown. */
function shown(name: string, value: string | undefined): string {
  return hiddenNames.has(name) ? 'another text, which is not shown' : JSON.stringify(value);
}

/**
 * Reads settings of an environment. An empty value counts as not set.
 * @throws DocentError `invalid_setting`, listing every fault: name, expected, got, remedy
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => name.startsWith('DOCENT_') && value !== ''));
  const result = schema.safeParse(given);
  const errors = [...unknownNames(given), ...(result.success ? [] : wrongValues(result.error, given))];
  if (!result.success || errors.length > 0) {
    throw new DocentError('invalid_setting', errors.map((error) => error.message).join('\n'), { errors });
  }
  return result.data;
}

/**
 * Reads the configuration of the platform.
 * @throws DocentError `invalid_setting`
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  return configFrom(readSettings(environment, env));
}

function configFrom(values: z.output<typeof environment>): Config {
  const dataFolder = values.DOCENT_DATA;
  const publicUrl = values.DOCENT_PUBLIC_URL ?? `http://localhost:${values.DOCENT_PORT}`;
  const publicHostname = hostnameOf(new URL(publicUrl).host);
  const blobs = blobsFrom(values);
  return {
    port: values.DOCENT_PORT,
    host: values.DOCENT_HOST,
    dataFolder,
    publicUrl,
    publicHostname,
    sitesDomain: values.DOCENT_SITES_DOMAIN ?? (isLoopbackName(publicHostname) ? 'localhost' : undefined),
    trustedProxies: values.DOCENT_TRUSTED_PROXIES,
    reservedHostnames: values.DOCENT_RESERVED_HOSTNAMES ?? [],
    dnsServers: values.DOCENT_DNS_SERVERS ?? [],
    frameAncestors: values.DOCENT_FRAME_ANCESTORS,
    metricsToken: values.DOCENT_METRICS_TOKEN,
    allowedPrivateRanges: values.DOCENT_ALLOWED_PRIVATE_RANGES ?? [],
    fetchRemote: values.DOCENT_FETCH_REMOTE,
    playgroundProxy: values.DOCENT_PLAYGROUND_PROXY,
    integrations: values.DOCENT_INTEGRATIONS,
    analytics: { enabled: values.DOCENT_ANALYTICS, eventsPerDay: values.DOCENT_ANALYTICS_EVENTS_PER_DAY },
    logLevel: values.DOCENT_LOG_LEVEL,
    drainSeconds: values.DOCENT_DRAIN_SECONDS,
    bundleLinkSeconds: values.DOCENT_BUNDLE_LINK_SECONDS,
    exports: {
      perOrganisation: values.DOCENT_EXPORTS_PER_ORGANISATION,
      perProcess: values.DOCENT_EXPORTS_PER_PROCESS,
      retentionDays: values.DOCENT_EXPORT_RETENTION_DAYS,
      signingKeyFile: values.DOCENT_BUNDLE_SIGNING_KEY,
    },
    buildThreads: values.DOCENT_BUILD_THREADS,
    publishing: publishingFrom(values),
    keptDeployments: values.DOCENT_KEPT_DEPLOYMENTS,
    auditLogDays: values.DOCENT_AUDIT_LOG_DAYS,
    limits: {
      assistantPerOrganisationHour: values.DOCENT_LIMIT_ASSISTANT_PER_ORGANISATION_HOUR,
      assistantPerIpDay: values.DOCENT_LIMIT_ASSISTANT_PER_IP_DAY,
      searchPerOrganisationHour: values.DOCENT_LIMIT_SEARCH_PER_ORGANISATION_HOUR,
      searchPerIpHour: values.DOCENT_LIMIT_SEARCH_PER_IP_HOUR,
      keysPerOrganisationHour: values.DOCENT_LIMIT_KEYS_PER_ORGANISATION_HOUR,
      exportsPerOrganisationHour: values.DOCENT_LIMIT_EXPORTS_PER_ORGANISATION_HOUR,
      publishesPerOrganisationHour: values.DOCENT_LIMIT_PUBLISHES_PER_ORGANISATION_HOUR,
    },
    quotas: {
      sites: values.DOCENT_SITES_PER_ORGANISATION,
      storedBytes: values.DOCENT_STORAGE_MB_PER_ORGANISATION * 1024 * 1024,
    },
    ...modelsFrom(values),
    ...retrievalFrom(values),
    ...accountsFrom(values),
    database: databaseFrom(values),
    blobs,
    secret: secretFrom(values, blobs),
    limiter: limiterFrom(values),
  };
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
