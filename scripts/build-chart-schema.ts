import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { environment } from '@docent/server/kernel/config/config.ts';
import * as z from 'zod';
import { bundleSettings } from '../packages/server/src/kernel/config/bundle-settings.ts';

/** The subset of JSON Schema that the chart's values need. */
interface JsonSchema {
  [keyword: string]: unknown;
}

/** Returns the schema of an object with only these properties. */
function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', additionalProperties: false, properties };
}

/**
 * Returns the schema of a part of `values.yaml`. Its switches and parts are required: an empty key
 * such as `ingress:` removes the default values, and templates would fail without saying which.
 */
function part(properties: Record<string, JsonSchema>): JsonSchema {
  const required = Object.keys(properties).filter(
    (key) => properties[key] === flag || properties[key]?.required !== undefined,
  );
  return { ...object(properties), required };
}

const text: JsonSchema = { type: 'string' };
/** `--set` reads a text of digits as a number. */
const textOrNumber: JsonSchema = { type: ['string', 'integer'] };
const flag: JsonSchema = { type: 'boolean' };
/** Validated by Kubernetes. */
const anyObject: JsonSchema = { type: 'object' };
const list: JsonSchema = { type: 'array', items: { type: 'object' } };
const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
const name: JsonSchema = {
  type: 'string',
  pattern: '^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$',
  maxLength: 253,
};
const quantity: JsonSchema = {
  type: 'string',
  pattern: '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$',
};
const address: JsonSchema = { type: 'string', pattern: '^(https?://[^\\s?#@]+)?$' };
const image: JsonSchema = { type: 'string', pattern: '^[a-z0-9][\\w./:-]*[:@][\\w.:-]+$' };
const wholeFrom = (minimum: number, maximum: number): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
});
const resources = object({ requests: anyObject, limits: anyObject, claims: { type: 'array' } });
const autoscaling = part({
  enabled: flag,
  minReplicas: wholeFrom(1, 1000),
  maxReplicas: wholeFrom(1, 1000),
  targetCpuPercent: wholeFrom(1, 1000),
});
const replicated = part({ replicas: wholeFrom(0, 1000), resources, autoscaling });

/**
 * The values of the chart except the settings of Docent. Kubernetes' own objects are left to
 * Kubernetes.
 */
const chartStructure: Record<string, JsonSchema> = {
  // Helm adds it if the chart is part of another.
  global: anyObject,
  nameOverride: { type: 'string', maxLength: 50 },
  fullnameOverride: { type: 'string', maxLength: 50 },
  commonLabels: texts,
  commonAnnotations: texts,
  image: part({
    repository: { type: 'string', minLength: 1 },
    tag: textOrNumber,
    digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
    pullSecrets: list,
  }),
  staticExport: part({
    enabled: flag,
    bundleUrl: { type: 'string', pattern: '^(https?://\\S+|/\\S+)?$' },
    bundleUrlSecret: part({ name, key: text }),
    version: textOrNumber,
    sha256: { type: 'string', pattern: '^([0-9a-fA-F]{64})?$' },
    publicKey: text,
    signature: text,
    basePath: { type: 'string', pattern: '^(/[\\w.~-]+)*/?$' },
    cache: part({ persistent: flag, size: quantity, storageClass: text }),
  }),
  publicUrl: address,
  sitesDomain: {
    type: 'string',
    pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)?$',
  },
  single: part({
    persistence: part({ enabled: flag, size: quantity, storageClass: text, existingClaim: name }),
    resources,
  }),
  database: part({
    external: part({ secretName: name, secretKey: text }),
    bundled: part({
      enabled: flag,
      image,
      existingSecret: name,
      size: quantity,
      storageClass: text,
      resources,
    }),
  }),
  storage: part({
    s3: part({
      bucket: text,
      region: text,
      endpoint: address,
      publicEndpoint: address,
      prefix: text,
      pathStyle: { enum: ['auto', true, false] },
      cacheMb: { anyOf: [{ const: 'auto' }, wholeFrom(0, 1_048_576)] },
      secretName: name,
      accessKeyIdKey: text,
      secretAccessKeyKey: text,
    }),
    sharedVolume: part({
      enabled: flag,
      size: quantity,
      storageClass: text,
      existingClaim: name,
    }),
  }),
  signingSecret: part({ name, key: text }),
  redis: part({
    external: part({ secretName: name, secretKey: text }),
    bundled: part({ enabled: flag, image, existingSecret: name, resources }),
  }),
  web: replicated,
  worker: replicated,
  migrate: part({ activeDeadlineSeconds: wholeFrom(1, 86_400), resources }),
  drainSeconds: wholeFrom(0, 3600),
  service: part({
    type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
    port: wholeFrom(1, 65_535),
    annotations: texts,
  }),
  ingress: part({
    enabled: flag,
    className: text,
    annotations: texts,
    hosts: {
      type: 'array',
      items: { type: 'string', pattern: '^(\\*\\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' },
    },
    tls: list,
  }),
  podDisruptionBudget: part({
    enabled: flag,
    maxUnavailable: { anyOf: [wholeFrom(0, 1000), { type: 'string', pattern: '^\\d{1,3}%$' }] },
  }),
  networkPolicy: part({ enabled: flag, from: list, restrictEgress: flag, to: list }),
  serviceMonitor: part({
    enabled: flag,
    interval: { type: 'string', pattern: '^\\d+(ms|s|m|h)$' },
    labels: texts,
  }),
  prometheusRule: part({ enabled: flag, labels: texts }),
  grafanaDashboard: part({ enabled: flag, labels: texts }),
  serviceAccount: part({ create: flag, name, annotations: texts }),
  podAnnotations: texts,
  podLabels: texts,
  podSecurityContext: anyObject,
  securityContext: anyObject,
  nodeSelector: texts,
  tolerations: list,
  affinity: anyObject,
  topologySpreadConstraints: list,
  priorityClassName: text,
  extraEnv: list,
  extraEnvFrom: list,
  extraVolumes: list,
  extraVolumeMounts: list,
};

/** Settings that the chart sets itself, each from its own value. */
const OWNED =
  /^DOCENT_(?:PORT|HOST|DATA|PUBLIC_URL|SITES_DOMAIN|DRAIN_SECONDS|DATABASE|DATABASE_URL|BLOBS|BLOBS_FOLDER|S3_\w+|SECRET|LIMITER|REDIS_URL|BASE_PATH|BUNDLE_(?:URL|VERSION|SHA256|PUBLIC_KEY|SIGNATURE|CACHE|CONFIG))$/;
/** Settings whose values are secret: the chart reads them only from secrets. A signing key is a file. */
const SECRET = /(?<!SIGNING_)(?:KEY|SECRET|PASSWORD|TOKEN|BUNDLE_ACCESS)$/;

const shape = { ...environment.shape, ...bundleSettings };
const options = { unrepresentable: 'any', target: 'draft-7' } as const;
const written = propertiesOf(z.toJSONSchema(z.object(shape), { ...options, io: 'input' }));
const read = propertiesOf(z.toJSONSchema(z.object(shape), { ...options, io: 'output' }));

function propertiesOf(schema: unknown): Record<string, JsonSchema> {
  return (schema as { properties: Record<string, JsonSchema> }).properties;
}

/** Returns a setting as written in YAML: numbers and booleans as such, everything else as text. */
function valueSchema(name: string): JsonSchema {
  const { type, minimum, maximum } = read[name] ?? {};
  const { pattern, minLength, maxLength, enum: choices } = written[name] ?? {};
  if (type === 'number' || type === 'integer')
    return {
      type: 'integer',
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    };
  if (Array.isArray(choices) && choices.includes('true') && choices.includes('false'))
    return { type: 'boolean' };
  return { type: 'string', enum: choices, pattern, minLength, maxLength };
}

/**
 * Returns the schema of the chart's values (JSON Schema draft-07, which every Helm reads): its
 * structure, and in `config` and
 * `secretConfig` the settings of Docent by name and value.
 */
function chartValuesSchema(): JsonSchema {
  const free = Object.keys(shape).filter((name) => !OWNED.test(name));
  const config = Object.fromEntries(
    free.filter((name) => !SECRET.test(name)).map((name) => [name, valueSchema(name)]),
  );
  const reference = object({
    name: { type: 'string', minLength: 1 },
    key: { type: 'string', minLength: 1 },
  });
  const secretConfig = Object.fromEntries(
    free.map((name) => [name, { ...reference, required: ['name', 'key'] }]),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart of Docent',
    ...object({ ...chartStructure, config: object(config), secretConfig: object(secretConfig) }),
    required: part(chartStructure).required,
  };
}

// Generates the schema of the chart's values from the settings; with --check, only reports whether
// it is up to date.
const file = fileURLToPath(new URL('../deploy/helm/docent/values.schema.json', import.meta.url));
const wanted = `${JSON.stringify(chartValuesSchema(), undefined, 2)}\n`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted);
} else if (readFileSync(file, 'utf8') !== wanted) {
  process.stdout.write(
    'deploy/helm/docent/values.schema.json does not match the settings; run node scripts/build-chart-schema.ts\n',
  );
  process.exitCode = 1;
}
