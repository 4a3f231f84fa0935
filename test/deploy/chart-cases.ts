import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { RenderCase } from '../support/helm.ts';
import { root } from '../support/start-docent.ts';

const s3 = { bucket: 'docs', region: 'eu-central-1', secretName: 'store' };
const external = { external: { secretName: 'database', secretKey: 'address' } };
const metricsToken = { secretConfig: { DOCENT_METRICS_TOKEN: { name: 'metrics', key: 'token' } } };
const link = 'https://store.example/a.tar.gz?expires=1&signature=a%2Bb,c';

/** Values that the chart must accept, by description. */
export const chartCases: Record<string, RenderCase> = {
  'nothing set': {},
  'a static export with a signature and metrics': {
    values: {
      staticExport: {
        enabled: true,
        bundleUrl: link,
        publicKey: 'RWQtKey',
        signature: 'https://store.example/a.tar.gz.minisig',
      },
      serviceMonitor: { enabled: true },
    },
  },
  'a static export': {
    values: { staticExport: { enabled: true, bundleUrl: link, version: '2026-11' } },
  },
  'a static export whose readers sign in': {
    values: {
      staticExport: { enabled: true, bundleUrl: link, basePath: '/docs' },
      secretConfig: { DOCENT_BUNDLE_ACCESS: { name: 'readers', key: 'access.json' } },
      publicUrl: 'https://docs.acme.example',
    },
  },
  'builds of another size': {
    values: {
      config: { DOCENT_BUILD_MEMORY_MB: 1500, DOCENT_PUBLISHES_PER_PROCESS: 1 },
      single: { resources: { limits: { memory: '2110M' } } },
    },
  },
  'a static export with another release name': {
    release: 'docent',
    values: { staticExport: { enabled: true, bundleUrl: link }, web: { replicas: 1 } },
  },
  'a static export without volumes, from a secret, with autoscaling, an ingress and settings': {
    values: {
      staticExport: {
        enabled: true,
        bundleUrlSecret: { name: 'link', key: 'url' },
        sha256: 'a'.repeat(64),
        basePath: '/docs',
        cache: { persistent: false, size: '1Gi' },
      },
      web: { replicas: 3, autoscaling: { enabled: true, minReplicas: 2 } },
      config: {
        DOCENT_BUNDLE_ASSISTANT: true,
        DOCENT_BUNDLE_POLL_SECONDS: 60,
        DOCENT_LOG_LEVEL: 'warn',
      },
      ingress: {
        enabled: true,
        hosts: ['docs.acme.example'],
        tls: [{ secretName: 'tls', hosts: ['docs.acme.example'] }],
      },
      networkPolicy: { restrictEgress: true },
      drainSeconds: 0,
    },
  },
  'an external database and a bucket': { values: { database: external, storage: { s3 } } },
  'an external database and a bucket of another store, with a role': {
    values: {
      database: external,
      storage: {
        s3: {
          bucket: 'docs',
          endpoint: 'http://store.docs.svc:8333',
          publicEndpoint: 'https://store.acme.example',
          prefix: 'docent',
          pathStyle: true,
          cacheMb: 256,
        },
      },
      signingSecret: { name: 'signing', key: 'text' },
      serviceAccount: {
        name: 'reader',
        annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x' },
      },
    },
  },
  'everything bundled': {
    values: {
      database: { bundled: { enabled: true } },
      redis: { bundled: { enabled: true } },
      storage: { sharedVolume: { enabled: true, storageClass: 'nfs' } },
    },
  },
  'an external database with a bundled limiter': {
    values: { database: external, redis: { bundled: { enabled: true } }, storage: { s3 } },
  },
  'everything set': {
    values: {
      commonLabels: { team: 'docs' },
      commonAnnotations: { owner: 'docs' },
      fullnameOverride: 'acme-docent-a-long-name-that-fills-all-there-is-50',
      image: {
        repository: 'registry.acme.example/docent',
        digest: `sha256:${'0'.repeat(64)}`,
        pullSecrets: [{ name: 'pull' }],
      },
      publicUrl: 'https://docs.acme.example/',
      sitesDomain: 'sites.acme.example',
      config: {
        DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR: 1_000_000,
        DOCENT_TRUSTED_PROXIES: '10.0.0.0/8',
        DOCENT_BUNDLE_SIGNING_KEY: '/etc/certificates/signing.key',
      },
      secretConfig: {
        DOCENT_MODEL_API_KEY: { name: 'model', key: 'apiKey' },
        ...metricsToken.secretConfig,
      },
      database: external,
      redis: { external: { secretName: 'redis' } },
      storage: { s3 },
      web: { autoscaling: { enabled: true, maxReplicas: 30 } },
      worker: { replicas: 2, autoscaling: { enabled: true } },
      ingress: {
        enabled: true,
        className: 'nginx',
        annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '512m' },
        hosts: ['docs.acme.example'],
        tls: [{ secretName: 'tls', hosts: ['docs.acme.example', '*.sites.acme.example'] }],
      },
      podDisruptionBudget: { maxUnavailable: '25%' },
      networkPolicy: {
        from: [
          { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } },
        ],
        restrictEgress: true,
        to: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
      },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
      grafanaDashboard: { enabled: true },
      podAnnotations: { note: 'x' },
      podLabels: { tier: 'web' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'docs', operator: 'Exists' }],
      affinity: { podAntiAffinity: {} },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      priorityClassName: 'high',
      extraEnv: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=768' }],
      extraEnvFrom: [{ secretRef: { name: 'more' } }],
      extraVolumes: [{ name: 'certificates', secret: { secretName: 'certificates' } }],
      extraVolumeMounts: [{ name: 'certificates', mountPath: '/etc/certificates', readOnly: true }],
    },
  },
  'everything off': {
    values: {
      serviceAccount: { create: false },
      networkPolicy: { enabled: false },
      podDisruptionBudget: { enabled: false },
      single: { persistence: { enabled: false } },
      drainSeconds: 0,
    },
  },
  'empty keys, as they remain when their lines are comments': {
    values: {
      config: null,
      secretConfig: null,
      commonAnnotations: null,
      podAnnotations: null,
      serviceAccount: { annotations: null },
    },
  },
  'an existing claim': {
    values: {
      single: { persistence: { existingClaim: 'mine' } },
      serviceMonitor: { enabled: true },
      ...metricsToken,
    },
  },
};

/** Values that it must reject, and the error. */
export const refusedCases: [what: string, values: object, expected: RegExp][] = [
  [
    'a scraper without a token',
    { serviceMonitor: { enabled: true } },
    /secretConfig\.DOCENT_METRICS_TOKEN/,
  ],
  [
    'a dashboard of a static export',
    { staticExport: { enabled: true, bundleUrl: link }, grafanaDashboard: { enabled: true } },
    /prometheusRule and grafanaDashboard/,
  ],
  [
    'readers who sign in at no address',
    {
      staticExport: { enabled: true, bundleUrl: link },
      secretConfig: { DOCENT_BUNDLE_ACCESS: { name: 'readers', key: 'access.json' } },
    },
    /DOCENT_BUNDLE_ACCESS needs publicUrl/,
  ],
  ['an unknown setting', { config: { DOCENT_PROT: 1 } }, /DOCENT_PROT/],
  ['a setting that the chart sets itself', { config: { DOCENT_PORT: 4000 } }, /DOCENT_PORT/],
  [
    'a secret among the settings',
    { config: { DOCENT_MODEL_API_KEY: 'sk-1' } },
    /DOCENT_MODEL_API_KEY/,
  ],
  [
    'more memory for builds than the pod has',
    { config: { DOCENT_BUILD_MEMORY_MB: 1024 } },
    /single\.resources\.limits\.memory is 2Gi.*2560Mi/,
  ],
  [
    'a worker that is too small for two builds',
    {
      database: external,
      storage: { s3 },
      redis: { external: { secretName: 'redis', secretKey: 'url' } },
      worker: { resources: { limits: { memory: '900M' } } },
    },
    /worker\.resources\.limits\.memory is 900M.*1024Mi/,
  ],
  [
    'a number out of range',
    { config: { DOCENT_BUILD_THREADS: 65 } },
    /maximum: got 65|less than or equal to 64/,
  ],
  [
    'text instead of a number',
    { config: { DOCENT_BUILD_THREADS: 'many' } },
    /want integer|Expected: integer/,
  ],
  ['an unknown log level', { config: { DOCENT_LOG_LEVEL: 'loud' } }, /must be one of/],
  [
    'a value instead of a reference',
    { secretConfig: { DOCENT_MODEL_API_KEY: 'sk-1' } },
    /want object|Expected: object/,
  ],
  [
    'an unknown nested value',
    { staticExport: { enabled: true, bundleURL: 'https://x' } },
    /bundleURL/,
  ],
  [
    'a fraction as the version of a bundle',
    { staticExport: { enabled: true, bundleUrl: 'https://x/y', version: 2.1 } },
    /version/,
  ],
  [
    'a frame ancestor that is too long',
    { config: { DOCENT_FRAME_ANCESTORS: 'x'.repeat(2001) } },
    /DOCENT_FRAME_ANCESTORS/,
  ],
  ['an unknown top-level value', { replicas: 3 }, /replicas/],
  ['an empty part', { ingress: null }, /missing property 'ingress'|ingress is required/],
  [
    'autoscaling of the one pod with the embedded database',
    { web: { autoscaling: { enabled: true } } },
    /autoscaling applies only to several pods.*database\.external\.secretName/,
  ],
  [
    'a domain of sites for a static export',
    { staticExport: { enabled: true, bundleUrl: link }, sitesDomain: 'docs.example' },
    /sitesDomain and worker/,
  ],
  [
    'a static export without a bundle',
    { staticExport: { enabled: true } },
    /staticExport\.bundleUrl/,
  ],
  [
    'a bundle without an enabled static export',
    { staticExport: { bundleUrl: 'https://x/y' } },
    /staticExport\.enabled/,
  ],
  [
    'two links to the bundle',
    {
      staticExport: { enabled: true, bundleUrl: 'https://x/y', bundleUrlSecret: { name: 'link' } },
    },
    /keep one/,
  ],
  ['an invalid link', { staticExport: { enabled: true, bundleUrl: 'ftp://x/y' } }, /bundleUrl/],
  ['several pods without shared files', { database: external }, /storage\.s3\.bucket/],
  ['a bucket without a database', { storage: { s3: { bucket: 'docs' } } }, /need a database/],
  [
    'two databases',
    { database: { ...external, bundled: { enabled: true } }, storage: { s3 } },
    /keep one/,
  ],
  ['an ingress without hosts', { ingress: { enabled: true } }, /ingress\.hosts/],
  [
    'a database address in the values',
    { database: { external: { url: 'postgres://u:p@h/d' } } },
    /[Aa]dditional propert(?:y|ies) '?url/,
  ],
];

/** Returns the YAML examples on the documentation page of the chart, each with its number. */
export function documentedValues(): [number: string, values: object][] {
  const text = readFileSync(`${root}/docs/self-hosting/kubernetes.mdx`, 'utf8');
  const examples = [...text.matchAll(/^```yaml(?: values\.yaml)?\n([\s\S]*?)^```$/gm)];
  return examples.map(([, example = ''], index) => [
    `example ${index + 1}`,
    parse(example) as object,
  ]);
}
