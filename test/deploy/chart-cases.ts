import type { RenderCase } from '../support/helm-render.ts';

const s3 = { bucket: 'docs', region: 'eu-central-1', secretName: 'store' };
const external = { external: { secretName: 'database', secretKey: 'address' } };
const metricsToken = { secretConfig: { DOCENT_METRICS_TOKEN: { name: 'metrics', key: 'token' } } };
const link = 'https://store.example/a.tar.gz?expires=1&signature=a%2Bb,c';

/** Values that the chart must take, by what they are about. */
export const chartCases: Record<string, RenderCase> = {
  'nothing set': {},
  'a static export that is signed and measured': {
    values: {
      staticExport: { enabled: true, bundleUrl: link, publicKey: 'RWQtKey', signature: 'https://store.example/a.tar.gz.minisig' },
      serviceMonitor: { enabled: true },
    },
  },
  'a static export': { values: { staticExport: { enabled: true, bundleUrl: link, version: '2026-11' } } },
  'a static export of another release name': {
    release: 'docent',
    values: { staticExport: { enabled: true, bundleUrl: link }, web: { replicas: 1 } },
  },
  'a static export without volumes, from a secret, with everything around it': {
    values: {
      staticExport: {
        enabled: true,
        bundleUrlSecret: { name: 'link', key: 'url' },
        sha256: 'a'.repeat(64),
        basePath: '/docs',
        cache: { persistent: false, size: '1Gi' },
      },
      web: { replicas: 3, autoscaling: { enabled: true, minReplicas: 2 } },
      config: { DOCENT_BUNDLE_ASSISTANT: true, DOCENT_BUNDLE_POLL_SECONDS: 60, DOCENT_LOG_LEVEL: 'warn' },
      ingress: { enabled: true, hosts: ['docs.acme.example'], tls: [{ secretName: 'tls', hosts: ['docs.acme.example'] }] },
      networkPolicy: { restrictEgress: true },
      drainSeconds: 0,
    },
  },
  'an external database and a bucket': { values: { database: external, storage: { s3 } } },
  'an external database and a bucket of another store, through a role': {
    values: {
      database: external,
      storage: {
        s3: {
          bucket: 'docs',
          endpoint: 'http://store.docs.svc:8333',
          publicEndpoint: 'https://store.acme.example',
          prefix: 'docent',
          pathStyle: true,
        },
      },
      signingSecret: { name: 'signing', key: 'text' },
      serviceAccount: { name: 'reader', annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x' } },
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
      image: { repository: 'registry.acme.example/docent', digest: `sha256:${'0'.repeat(64)}`, pullSecrets: [{ name: 'pull' }] },
      publicUrl: 'https://docs.acme.example/',
      sitesDomain: 'sites.acme.example',
      config: { DOCENT_LIMIT_ASSISTANT_PER_ORGANISATION_HOUR: 1_000_000, DOCENT_TRUSTED_PROXIES: '10.0.0.0/8' },
      secretConfig: { DOCENT_MODEL_API_KEY: { name: 'model', key: 'apiKey' }, ...metricsToken.secretConfig },
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
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
        restrictEgress: true,
        to: [{ ports: [{ port: 443, protocol: 'TCP' }] }],
      },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      podAnnotations: { note: 'x' },
      podLabels: { tier: 'web' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'docs', operator: 'Exists' }],
      affinity: { podAntiAffinity: {} },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }],
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
  'a claim that exists': {
    values: { single: { persistence: { existingClaim: 'mine' } }, serviceMonitor: { enabled: true }, ...metricsToken },
  },
};

/** Values that it must refuse, and what it says of them. */
export const refusedCases: [what: string, values: object, expected: RegExp][] = [
  ['a scraper without a token', { serviceMonitor: { enabled: true } }, /secretConfig\.DOCENT_METRICS_TOKEN/],
  ['a setting that there is not', { config: { DOCENT_PROT: 1 } }, /DOCENT_PROT/],
  ['a setting that the chart writes itself', { config: { DOCENT_PORT: 4000 } }, /DOCENT_PORT/],
  ['a secret among the settings', { config: { DOCENT_MODEL_API_KEY: 'sk-1' } }, /DOCENT_MODEL_API_KEY/],
  ['a number beyond its bounds', { config: { DOCENT_BUILD_THREADS: 65 } }, /<= 64/],
  ['text for a number', { config: { DOCENT_BUILD_THREADS: 'many' } }, /must be integer/],
  ['a level that there is not', { config: { DOCENT_LOG_LEVEL: 'loud' } }, /allowed values/],
  ['a value in place of a reference', { secretConfig: { DOCENT_MODEL_API_KEY: 'sk-1' } }, /must be object/],
  ['a value with a wrong name', { staticExport: { enabled: true, bundleURL: 'https://x' } }, /bundleURL/],
  ['a top value with a wrong name', { replicas: 3 }, /replicas/],
  ['a static export without a bundle', { staticExport: { enabled: true } }, /staticExport\.bundleUrl/],
  ['a bundle that is not served', { staticExport: { bundleUrl: 'https://x/y' } }, /staticExport\.enabled/],
  [
    'a link said twice',
    { staticExport: { enabled: true, bundleUrl: 'https://x/y', bundleUrlSecret: { name: 'link' } } },
    /keep one/,
  ],
  ['a link that is none', { staticExport: { enabled: true, bundleUrl: 'ftp://x/y' } }, /bundleUrl/],
  ['many pods without shared files', { database: external }, /storage\.s3\.bucket/],
  ['a bucket for one pod', { storage: { s3: { bucket: 'docs' } } }, /need a database/],
  ['two databases', { database: { ...external, bundled: { enabled: true } }, storage: { s3 } }, /keep one/],
  ['an ingress without hosts', { ingress: { enabled: true } }, /ingress\.hosts/],
  ['a database address in the values', { database: { external: { url: 'postgres://u:p@h/d' } } }, /additionalProperties/],
];
