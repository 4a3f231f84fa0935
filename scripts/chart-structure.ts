/** The subset of JSON Schema that the chart's values need. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Returns the schema of an object with only these properties. */
export function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', additionalProperties: false, properties };
}

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
/** Validated by Kubernetes. */
const anyObject: JsonSchema = { type: 'object' };
const list: JsonSchema = { type: 'array', items: { type: 'object' } };
const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
const name: JsonSchema = { type: 'string', pattern: '^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$', maxLength: 253 };
const quantity: JsonSchema = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$' };
const address: JsonSchema = { type: 'string', pattern: '^(https?://[^\\s?#@]+)?$' };
const image: JsonSchema = { type: 'string', pattern: '^[a-z0-9][\\w./:-]*[:@][\\w.:-]+$' };
const wholeFrom = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum });
const resources = object({ requests: anyObject, limits: anyObject, claims: { type: 'array' } });
const autoscaling = object({
  enabled: flag,
  minReplicas: wholeFrom(1, 1000),
  maxReplicas: wholeFrom(1, 1000),
  targetCpuPercent: wholeFrom(1, 1000),
});
const replicated = object({ replicas: wholeFrom(0, 1000), resources, autoscaling });

/** The values of the chart except the settings of Docent. Kubernetes' own objects are left to Kubernetes. */
export const chartStructure: Record<string, JsonSchema> = {
  // Helm adds it if the chart is part of another.
  global: anyObject,
  nameOverride: { type: 'string', maxLength: 50 },
  fullnameOverride: { type: 'string', maxLength: 50 },
  commonLabels: texts,
  commonAnnotations: texts,
  image: object({
    repository: { type: 'string', minLength: 1 },
    tag: text,
    digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
    pullSecrets: list,
  }),
  staticExport: object({
    enabled: flag,
    bundleUrl: { type: 'string', pattern: '^(https?://\\S+|/\\S+)?$' },
    bundleUrlSecret: object({ name, key: text }),
    version: text,
    sha256: { type: 'string', pattern: '^([0-9a-fA-F]{64})?$' },
    publicKey: text,
    signature: text,
    basePath: { type: 'string', pattern: '^(/[\\w.~-]+)*/?$' },
    cache: object({ persistent: flag, size: quantity, storageClass: text }),
  }),
  publicUrl: address,
  sitesDomain: { type: 'string', pattern: '^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)?$' },
  single: object({
    persistence: object({ enabled: flag, size: quantity, storageClass: text, existingClaim: name }),
    resources,
  }),
  database: object({
    external: object({ secretName: name, secretKey: text }),
    bundled: object({ enabled: flag, image, existingSecret: name, size: quantity, storageClass: text, resources }),
  }),
  storage: object({
    s3: object({
      bucket: text,
      region: text,
      endpoint: address,
      publicEndpoint: address,
      prefix: text,
      pathStyle: { enum: ['auto', true, false] },
      secretName: name,
      accessKeyIdKey: text,
      secretAccessKeyKey: text,
    }),
    sharedVolume: object({ enabled: flag, size: quantity, storageClass: text, existingClaim: name }),
  }),
  signingSecret: object({ name, key: text }),
  redis: object({
    external: object({ secretName: name, secretKey: text }),
    bundled: object({ enabled: flag, image, existingSecret: name, resources }),
  }),
  web: replicated,
  worker: replicated,
  migrate: object({ activeDeadlineSeconds: wholeFrom(1, 86_400), resources }),
  drainSeconds: wholeFrom(0, 3600),
  service: object({ type: { enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] }, port: wholeFrom(1, 65_535), annotations: texts }),
  ingress: object({
    enabled: flag,
    className: text,
    annotations: texts,
    hosts: { type: 'array', items: { type: 'string', pattern: '^(\\*\\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' } },
    tls: list,
  }),
  podDisruptionBudget: object({
    enabled: flag,
    maxUnavailable: { anyOf: [wholeFrom(0, 1000), { type: 'string', pattern: '^\\d{1,3}%$' }] },
  }),
  networkPolicy: object({ enabled: flag, from: list, restrictEgress: flag, to: list }),
  serviceMonitor: object({ enabled: flag, interval: { type: 'string', pattern: '^\\d+(ms|s|m|h)$' }, labels: texts }),
  serviceAccount: object({ create: flag, name, annotations: texts }),
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
