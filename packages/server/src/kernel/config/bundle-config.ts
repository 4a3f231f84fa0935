import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';
import { bundleSettings, bundleSourceSettings } from './bundle-settings.ts';
import { readSettings } from './config.ts';
import { modelSettings, modelsFrom } from './model-settings.ts';
import { serverSettings } from './server-settings.ts';
import { halfSet } from './setting.ts';
import { storageSettings } from './storage-settings.ts';

/** The bundle to serve. */
export interface BundleSource {
  /** An http or https URL, or the path of a file. */
  location: string;
  /** The version that its manifest must state. */
  version?: string | undefined;
  /** Lower-case hex. */
  sha256?: string | undefined;
  /**
   * Signature of the archive: an http or https URL, the path of a file, or the text itself; by
   * default the file beside the archive.
   */
  signature?: string | undefined;
}

type Values = Record<string, string | undefined>;

const sourceSchema = z.object(bundleSourceSettings);
const { DOCENT_PORT, DOCENT_HOST, DOCENT_LOG_LEVEL, DOCENT_DRAIN_SECONDS, DOCENT_PUBLIC_URL } =
  serverSettings;
const environment = z.object({
  ...bundleSettings,
  ...modelSettings,
  DOCENT_PORT,
  DOCENT_HOST,
  DOCENT_LOG_LEVEL,
  DOCENT_DRAIN_SECONDS,
  DOCENT_PUBLIC_URL,
  DOCENT_SECRET: storageSettings.DOCENT_SECRET,
  DOCENT_TRUSTED_PROXIES: serverSettings.DOCENT_TRUSTED_PROXIES,
  DOCENT_ALLOWED_PRIVATE_RANGES: serverSettings.DOCENT_ALLOWED_PRIVATE_RANGES,
  DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR:
    serverSettings.DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR,
  DOCENT_LIMIT_ASSISTANT_PER_IP_DAY: serverSettings.DOCENT_LIMIT_ASSISTANT_PER_IP_DAY,
  DOCENT_LIMIT_SEARCH_PER_ORGANIZATION_HOUR:
    serverSettings.DOCENT_LIMIT_SEARCH_PER_ORGANIZATION_HOUR,
  DOCENT_LIMIT_SEARCH_PER_IP_HOUR: serverSettings.DOCENT_LIMIT_SEARCH_PER_IP_HOUR,
});

/**
 * Reads the configuration of a bundle server.
 * @param overrides values that override the environment, by setting name
 * @throws DocentError `invalid_setting`, also if no bundle is configured
 */
export function loadBundleConfig(env: Values, overrides: Values = {}) {
  const merged = { ...env, ...withoutEmpty(overrides) };
  const values = readSettings(environment, merged);
  const file = values.DOCENT_BUNDLE_CONFIG;
  const source = () => readSource({ ...merged, ...(file === undefined ? {} : valuesOf(file)) });
  source();
  return {
    /**
     * Returns the bundle to serve now; rereads the settings file, if there is one. @throws
     * DocentError `invalid_setting`
     */
    source,
    port: values.DOCENT_PORT,
    host: values.DOCENT_HOST,
    logLevel: values.DOCENT_LOG_LEVEL,
    drainSeconds: values.DOCENT_DRAIN_SECONDS,
    trustedProxies: values.DOCENT_TRUSTED_PROXIES,
    allowedPrivateRanges: values.DOCENT_ALLOWED_PRIVATE_RANGES ?? [],
    limits: {
      assistantPerOrganizationHour: values.DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR,
      assistantPerIpDay: values.DOCENT_LIMIT_ASSISTANT_PER_IP_DAY,
      searchPerOrganizationHour: values.DOCENT_LIMIT_SEARCH_PER_ORGANIZATION_HOUR,
      searchPerIpHour: values.DOCENT_LIMIT_SEARCH_PER_IP_HOUR,
      keysPerOrganizationHour: 0,
      exportsPerOrganizationHour: 0,
      publishesPerOrganizationHour: 0,
      organizationsPerPersonHour: 0,
      invitationsPerOrganizationDay: 0,
    },
    model: modelsFrom(values).model,
    publicKey: values.DOCENT_BUNDLE_PUBLIC_KEY,
    hasMetrics: values.DOCENT_BUNDLE_METRICS === 'true',
    cacheFolder: values.DOCENT_BUNDLE_CACHE,
    pollSeconds: values.DOCENT_BUNDLE_POLL_SECONDS,
    maxBytes: values.DOCENT_BUNDLE_MAX_BYTES,
    basePath: values.DOCENT_BASE_PATH,
    hasAssistant: values.DOCENT_BUNDLE_ASSISTANT === 'true',
    hasPlaygroundProxy: values.DOCENT_BUNDLE_PLAYGROUND_PROXY === 'true',
    /** JSON that says how readers sign in; undefined: they do not. */
    access: values.DOCENT_BUNDLE_ACCESS,
    /** Undefined: one that is stored in the cache folder. */
    secret: values.DOCENT_SECRET,
    /** Undefined if no events are collected. */
    analyticsDays:
      values.DOCENT_BUNDLE_ANALYTICS === 'true' ? values.DOCENT_BUNDLE_ANALYTICS_DAYS : undefined,
    /** Address that answers use for pages; defaults to the live site's. */
    publicUrl: withBasePath(values.DOCENT_PUBLIC_URL, values.DOCENT_BASE_PATH),
  };
}

/** Complete configuration of a bundle server. */
export type BundleConfig = ReturnType<typeof loadBundleConfig>;

/** A public address without a path is that of the host. */
function withBasePath(publicUrl: string | undefined, basePath: string): string | undefined {
  return publicUrl !== undefined && new URL(publicUrl).pathname === '/'
    ? publicUrl.replace(/\/$/, '') + basePath
    : publicUrl;
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function valuesOf(file: string): Values {
  try {
    return withoutEmpty(parseEnv(readFileSync(file, 'utf8')) as Values);
  } catch (cause) {
    const message = `DOCENT_BUNDLE_CONFIG: the file ${file} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unreadable'}).`;
    throw new DocentError('invalid_setting', message, {
      cause,
      errors: [{ path: '/DOCENT_BUNDLE_CONFIG', message }],
    });
  }
}

function readSource(values: Values): BundleSource {
  const sourceValues = Object.fromEntries(
    Object.keys(bundleSourceSettings).map((name) => [name, values[name]]),
  );
  const {
    DOCENT_BUNDLE_URL: location,
    DOCENT_BUNDLE_VERSION: version,
    DOCENT_BUNDLE_SHA256: sha256,
    DOCENT_BUNDLE_SIGNATURE: signature,
  } = readSettings(sourceSchema, sourceValues);
  if (location === undefined)
    throw halfSet(
      'DOCENT_BUNDLE_URL',
      'it is not set; specify the link or the file of the bundle, for example docent serve-bundle bundle.tar.gz.',
    );
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location) && !/^https?:\/\/[^/]/i.test(location))
    throw halfSet('DOCENT_BUNDLE_URL', 'only http and https links and files are supported.');
  return { location, version, sha256, signature };
}
