import { readFileSync, statSync } from 'node:fs';
import { hostnameOf, isLoopbackName } from '@docent/format/access/host-name.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError, type FieldError } from '@docent/format/errors.ts';
import { nearestName } from '@docent/format/nearest-name.ts';
import * as z from 'zod';
import { accountSettings, accountsFrom } from './account-settings.ts';
import { bundleSettings } from './bundle-settings.ts';
import { memoryFrom, memorySettings } from './memory-settings.ts';
import { modelSettings, modelsFrom, retrievalFrom, retrievalSettings } from './model-settings.ts';
import {
  exportSettings,
  gitFrom,
  gitSettings,
  publishingFrom,
  publishSettings,
} from './publish-settings.ts';
import { serverSettings } from './server-settings.ts';
import { describeSettings, halfSet, type Setting } from './setting.ts';
import {
  blobsFrom,
  databaseFrom,
  limiterFrom,
  secretFrom,
  storageSettings,
} from './storage-settings.ts';
import { type TelemetryConfig, telemetryFrom } from './telemetry-settings.ts';

export const environment = z.object({
  ...serverSettings,
  ...accountSettings,
  ...publishSettings,
  ...gitSettings,
  ...exportSettings,
  ...modelSettings,
  ...retrievalSettings,
  ...storageSettings,
  ...memorySettings,
});

/** Every setting, for the documentation and for messages. */
export const settings: readonly Setting[] = describeSettings(environment.shape);

/** Settings of single commands; they are read with the command's own options. */
export const commandSettings: readonly Setting[] = [
  {
    name: 'DOCENT_URL',
    default: 'the platform of the data folder',
    expected: 'an http or https URL',
    meaning: 'Server that commands talk to; the option `--url`.',
  },
  {
    name: 'DOCENT_API_KEY',
    default: '<none>',
    expected: 'an admin key',
    meaning: 'Key for that server; the option `--key`.',
  },
  ...describeSettings(bundleSettings),
];

const FILE_SUFFIX = '_FILE';
/** A value is a line of text, or a list. */
const MAX_FILE_BYTES = 65_536;

/**
 * The environment with values read from files: `DOCENT_SECRET_FILE` is the path of a file with the
 * value of `DOCENT_SECRET`, as orchestrators mount secrets.
 */
function withFileValues(env: Record<string, string>): {
  given: Record<string, string>;
  faults: FieldError[];
} {
  const names = knownNames();
  const values: Record<string, string> = {};
  const faults: FieldError[] = [];
  for (const [name, value] of Object.entries(env)) {
    const setting = name.slice(0, -FILE_SUFFIX.length);
    if (!name.endsWith(FILE_SUFFIX) || names.has(name) || !names.has(setting)) {
      values[name] = value;
      continue;
    }
    const fault = (message: string) =>
      faults.push({ path: `/${name}`, message: `${name}: ${message}` });
    if (env[setting] !== undefined) fault(`${setting} is set too; set one of the two.`);
    else {
      try {
        const { size } = statSync(value);
        if (size > MAX_FILE_BYTES)
          fault(`the file ${value} has ${size} bytes; a value has at most ${MAX_FILE_BYTES}.`);
        else values[setting] = readFileSync(value, 'utf8').replace(/\r?\n$/, '');
      } catch (error) {
        fault(
          `the file ${value} cannot be read (${errorMessage(error)}); correct the path, or remove the setting.`,
        );
      }
    }
  }
  return { given: values, faults };
}

function knownNames(): Set<string> {
  return new Set([...settings, ...commandSettings].map((setting) => setting.name));
}

function unknownNames(env: Record<string, string | undefined>): FieldError[] {
  const names = knownNames();
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

/** Settings whose invalid values must not appear in a log. */
const hiddenNames: ReadonlySet<string> = new Set([
  'DOCENT_BUNDLE_ACCESS',
  'DOCENT_CLICKHOUSE_URL',
  'DOCENT_DATABASE_URL',
  'DOCENT_METRICS_TOKEN',
  'DOCENT_OIDC_CLIENT_SECRET',
  'DOCENT_REDIS_URL',
  'DOCENT_SECRET',
  'DOCENT_SMTP_URL',
]);

/** Returns a value in a form that may be shown. */
function shown(name: string, value: string | undefined): string {
  return hiddenNames.has(name) ? 'another value, which is not shown' : JSON.stringify(value);
}

/**
 * Reads settings of an environment, and of the files that it names. An empty value counts as not
 * set.
 * @throws DocentError `invalid_setting`, listing every problem: name, expected, got, remedy
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
): z.output<Schema> {
  const entries = Object.entries(env).filter(
    ([name, value]) => name.startsWith('DOCENT_') && value !== '' && value !== undefined,
  );
  const { given, faults } = withFileValues(Object.fromEntries(entries) as Record<string, string>);
  const result = schema.safeParse(given);
  const errors = [
    ...faults,
    ...unknownNames(given),
    ...(result.success ? [] : wrongValues(result.error, given)),
  ];
  if (!result.success || errors.length > 0) {
    throw new DocentError('invalid_setting', errors.map((error) => error.message).join('\n'), {
      errors,
    });
  }
  return result.data;
}

/**
 * Reads the configuration of the platform.
 * @throws DocentError `invalid_setting`
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const config = { ...configFrom(readSettings(environment, env)), telemetry: telemetryFrom(env) };
  refuseBasePath(env.DOCENT_BASE_PATH || env.DOCENT_BASE_PATH_FILE, config.publicUrl);
  return config;
}

/**
 * The platform is at the root of its address; only a site can be below a path, by its public URL.
 */
function refuseBasePath(basePath: string | undefined, publicUrl: string): void {
  const remedy =
    'to serve a site below a path, set its public URL, such as docent sites change acme --public-url https://acme.com/docs.';
  if (basePath)
    throw halfSet(
      'DOCENT_BASE_PATH',
      `only docent serve-bundle has a base path; remove it, and ${remedy}`,
    );
  const { origin, pathname } = new URL(publicUrl);
  if (pathname !== '/')
    throw halfSet(
      'DOCENT_PUBLIC_URL',
      `the platform cannot be below a path; use ${origin}, and ${remedy}`,
    );
}

/** The complete configuration of a running server. */
export type Config = ReturnType<typeof configFrom> & { telemetry?: TelemetryConfig | undefined };

function configFrom(values: z.output<typeof environment>) {
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
    sitesDomain:
      values.DOCENT_SITES_DOMAIN ?? (isLoopbackName(publicHostname) ? 'localhost' : undefined),
    trustedProxies: values.DOCENT_TRUSTED_PROXIES,
    reservedHostnames: values.DOCENT_RESERVED_HOSTNAMES ?? [],
    securityContact: values.DOCENT_SECURITY_CONTACT,
    dnsServers: values.DOCENT_DNS_SERVERS ?? [],
    frameAncestors: values.DOCENT_FRAME_ANCESTORS,
    metricsToken: values.DOCENT_METRICS_TOKEN,
    allowedPrivateRanges: values.DOCENT_ALLOWED_PRIVATE_RANGES ?? [],
    fetchRemote: values.DOCENT_FETCH_REMOTE,
    playgroundProxy: values.DOCENT_PLAYGROUND_PROXY,
    integrations: values.DOCENT_INTEGRATIONS,
    analytics: {
      enabled: values.DOCENT_ANALYTICS,
      eventsPerDay: values.DOCENT_ANALYTICS_EVENTS_PER_DAY,
    },
    logLevel: values.DOCENT_LOG_LEVEL,
    drainSeconds: values.DOCENT_DRAIN_SECONDS,
    bundleLinkSeconds: values.DOCENT_BUNDLE_LINK_SECONDS,
    exports: {
      perOrganization: values.DOCENT_EXPORTS_PER_ORGANIZATION,
      perProcess: values.DOCENT_EXPORTS_PER_PROCESS,
      retentionDays: values.DOCENT_EXPORT_RETENTION_DAYS,
      signingKeyFile: values.DOCENT_BUNDLE_SIGNING_KEY,
    },
    publishing: publishingFrom(values),
    git: gitFrom(values),
    outageHours: values.DOCENT_OUTAGE_HOURS,
    keptDeployments: values.DOCENT_KEPT_DEPLOYMENTS,
    deploymentReportDays: values.DOCENT_DEPLOYMENT_REPORT_DAYS,
    deploymentDays: values.DOCENT_DEPLOYMENT_DAYS,
    auditLogDays: values.DOCENT_AUDIT_LOG_DAYS,
    organizationCreation: values.DOCENT_ORGANIZATION_CREATION,
    limits: {
      assistantPerOrganizationHour: values.DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR,
      assistantPerIpDay: values.DOCENT_LIMIT_ASSISTANT_PER_IP_DAY,
      searchPerOrganizationHour: values.DOCENT_LIMIT_SEARCH_PER_ORGANIZATION_HOUR,
      searchPerIpHour: values.DOCENT_LIMIT_SEARCH_PER_IP_HOUR,
      keysPerOrganizationHour: values.DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR,
      exportsPerOrganizationHour: values.DOCENT_LIMIT_EXPORTS_PER_ORGANIZATION_HOUR,
      publishesPerOrganizationHour: values.DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR,
      organizationsPerPersonHour: values.DOCENT_LIMIT_ORGANIZATIONS_PER_PERSON_HOUR,
      invitationsPerOrganizationDay: values.DOCENT_LIMIT_INVITATIONS_PER_ORGANIZATION_DAY,
    },
    quotas: {
      organizationsPerPerson: values.DOCENT_ORGANIZATIONS_PER_PERSON,
      sites: values.DOCENT_SITES_PER_ORGANIZATION,
      storedBytes: values.DOCENT_STORAGE_MB_PER_ORGANIZATION * 1024 * 1024,
    },
    ...modelsFrom(values),
    modelPrices: values.DOCENT_MODEL_PRICES,
    ...retrievalFrom(values),
    ...accountsFrom(values),
    ...memoryFrom(values),
    database: databaseFrom(values),
    blobs,
    secret: secretFrom(values, blobs),
    limiter: limiterFrom(values),
    clickHouse:
      values.DOCENT_CLICKHOUSE_URL === undefined
        ? undefined
        : { urlWithPassword: values.DOCENT_CLICKHOUSE_URL },
  };
}

const SECRET_NAME = /(?:key|secret|password|token)$/i;

/**
 * Returns every secret in the settings: values that are never shown, also those in files, and the
 * passwords in addresses. For texts that may have one in them.
 */
export function secretsIn(env: Record<string, string | undefined>): string[] {
  const entries = Object.entries(env).filter(
    ([name, value]) => name.startsWith('DOCENT_') && value,
  );
  const { given } = withFileValues(Object.fromEntries(entries) as Record<string, string>);
  const secrets = Object.entries(given).filter(
    ([name]) => hiddenNames.has(name) || SECRET_NAME.test(name),
  );
  return secrets.flatMap(([, value]) => {
    const parts = URL.canParse(value)
      ? [new URL(value).password, decodeURIComponent(new URL(value).password)]
      : [];
    return [value, ...parts].filter((part) => part !== '');
  });
}

/** Formats the configuration for logs: one `name: value` per leaf; secrets, by name, as `***`. */
export function describeConfig(config: object): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    if (SECRET_NAME.test(name)) lines[name] = '***';
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      lines[name] = describeValue(value);
    else
      for (const [inner, text] of Object.entries(describeConfig(value)))
        lines[`${name}.${inner}`] = text;
  }
  return lines;
}

/** Formats a value for logs; IP addresses are bigints, which JSON does not support. */
function describeValue(value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? inner.toString() : inner));
}
