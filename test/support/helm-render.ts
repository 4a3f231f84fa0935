import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const packages = '/usr/share/gocode';
const chart = fileURLToPath(new URL('../../deploy/helm/docent', import.meta.url));
const source = fileURLToPath(new URL('./helm-render/main.go', import.meta.url));
const cache = fileURLToPath(new URL('../../.cache/helm-render', import.meta.url));

/** The Go compiler, if it and the libraries of Helm's templates are where Debian installs them; otherwise charts are not rendered. */
export const go = ['/usr/bin/go', `${packages}/src/github.com/Masterminds/sprig`, `${packages}/src/sigs.k8s.io/yaml`].every(
  existsSync,
)
  ? '/usr/bin/go'
  : undefined;

export interface RenderCase {
  values?: object;
  isUpgrade?: boolean;
  /** Existing objects in the cluster, for `lookup`. */
  objects?: object[];
  release?: string;
}

/** An object of Kubernetes, with the fields that tests read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own form; the models of Kubernetes check it.
  spec?: any;
  stringData?: Record<string, string>;
}

export interface Rendered {
  /** The chart's values, overridden by those of the case. */
  values: object;
  manifests: Manifest[];
  notes: string;
  /** The message of `fail` or of a broken template; empty on success. */
  error: string;
}

/** Renders the chart once for each case, in one run. */
export function renderChart(cases: RenderCase[]): Rendered[] {
  const input = {
    chart,
    cases: cases.map((one) => ({ values: {}, release: 'acme', namespace: 'docs', ...one })),
  };
  const run = spawnSync(renderer(), { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  const results = JSON.parse(run.stdout) as { values: object; templates: Record<string, string>; notes: string; error: string }[];
  return results.map(({ values, templates, notes, error }) => ({
    values,
    notes,
    error,
    manifests: error === '' ? Object.entries(templates).flatMap(([name, text]) => manifestsOf(name, text)) : [],
  }));
}

function manifestsOf(name: string, text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) throw new Error(`${name}: ${fault.message}\n${text}`);
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

/** Returns the renderer, which is compiled once for each version of its source. */
function renderer(): string {
  const name = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const binary = join(cache, name);
  if (existsSync(binary)) return binary;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${binary}.${process.pid}`;
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: packages, GOFLAGS: '', GOCACHE: join(cache, 'go'), CGO_ENABLED: '0' };
  const built = spawnSync(go as string, ['build', '-o', unfinished, source], { env, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${built.error?.message ?? ''}${built.stderr}`);
  renameSync(unfinished, binary);
  return binary;
}
