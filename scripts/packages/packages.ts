/** What we publish: every package has the modules that its entry needs, and what they read. */
export interface PublishedPackage {
  name: string;
  description: string;
  keywords: string[];
  /** Modules that are in another package: they say which, and how to install it. */
  leftOut: readonly string[];
  /** Packages that it can do without; what needs one says so. */
  optional: readonly string[];
  /** Copied from the repository. */
  folders: readonly string[];
  bin?: Record<string, string>;
  /** One of ours whose modules it uses; it has only what is missing there. */
  base?: PublishedPackage;
  /** Packages that its base can do without, and it cannot. */
  required?: readonly string[];
  /** Packages that become part of it. */
  inlined?: readonly string[];
}

const MODELS = ['amazon-bedrock', 'anthropic', 'azure', 'google', 'mistral', 'openai'].map(
  (name) => `@ai-sdk/${name}`,
);
const ONNX = ['@huggingface/tokenizers', 'onnxruntime-node', 'onnxruntime-web'];
const TELEMETRY = [
  'api',
  'core',
  'exporter-metrics-otlp-proto',
  'exporter-trace-otlp-proto',
  'resources',
  'sdk-metrics',
  'sdk-trace',
];
const OF_SERVERS = [
  ...MODELS,
  ...ONNX,
  '@clickhouse/client',
  ...TELEMETRY.map((name) => `@opentelemetry/${name}`),
];
const TYPES = ['twoslash', 'typescript-js'];

/** The command for authors, and everything that they run it for. */
const command: PublishedPackage = {
  name: 'docent',
  description:
    'Documentation sites from docs.json and MDX: preview, check, build, export, serve and publish them.',
  keywords: ['documentation', 'docs', 'mdx', 'markdown', 'static-site', 'openapi', 'cli'],
  leftOut: [
    'packages/docent/src/operate/serve.ts',
    'packages/docent/src/operate/backup.ts',
    'packages/docent/src/operate/doctor.ts',
    'packages/docent/src/operate/verify-store.ts',
    'packages/server/src/start/compose.ts',
    'packages/server/src/bundle-server/open-assistant.ts',
    'packages/server/src/bundle-server/analytics.ts',
    'packages/server/src/bundle-server/bundle-metrics.ts',
    'packages/server/src/bundle-server/bundle-readers.ts',
    'packages/server/src/adapters/chat-model/providers.ts',
    'packages/server/src/adapters/rate-limiter/memory.ts',
  ],
  optional: [...TYPES, 'canvaskit-wasm', 'graphql', ...OF_SERVERS],
  folders: ['dist/theme'],
  bin: { docent: 'bin.mjs' },
  // 7 KB without dependencies.
  inlined: ['birpc'],
};

/** The server, the dashboard and the API: with it, the command does everything. */
const platform: PublishedPackage = {
  name: '@docent/platform',
  description:
    'The server of Docent: sites, the API, the assistant, the dashboard. Started by the command "docent".',
  keywords: ['documentation', 'docs', 'self-hosted', 'assistant', 'server', 'docent'],
  leftOut: [],
  optional: [...TYPES, ...OF_SERVERS],
  folders: ['dist/dashboard', 'dist/database-template.tar.gz', 'docs'],
  base: command,
  required: ['canvaskit-wasm', 'graphql'],
  // It names exact versions of packages of which the others need newer ones.
  inlined: ['@better-auth/passkey'],
};

export const publishedPackages = [command, platform];
