import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from './helm.ts';
import { containersOf, environmentOf, podsOf } from './manifests.ts';
import type { ReplayedImage } from './replay-dockerfile.ts';

export interface PodOptions {
  image: ReplayedImage;
  /** The folder of this pod's volumes; each mount is a folder below it. */
  folder: string;
  /** Folders that other pods share, by mount path. */
  shared?: Record<string, string>;
  port: number;
  /** The values of secrets, by the name of the variable that contains them. */
  secrets?: Record<string, string>;
}

/** A process that represents a container of Docent. */
export interface RunningPod {
  url: string;
  child: ChildProcess;
  log(): string;
  /** Runs another command in the same environment, like `kubectl exec`. */
  exec(args: string[]): Promise<string>;
  exit: Promise<number | null>;
}

/**
 * Runs the command of the container of a component as a process: with its arguments, its
 * environment over that of the image, its user if we may choose one, and its paths as folders here.
 * Files of the image belong to another user, so they are read-only to it.
 */
export function runPod(manifests: Manifest[], component: string, options: PodOptions): RunningPod {
  const { image, folder, shared = {}, port, secrets = {} } = options;
  const found = podsOf(manifests).find(
    ({ labels }) => labels['app.kubernetes.io/component'] === component,
  );
  const [container] = containersOf(found?.pod);
  const { runAsUser: uid, fsGroup: gid } = found?.pod.securityContext ?? {};
  const isRoot = process.getuid?.() === 0;
  const places = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => {
    const place = shared[mountPath] ?? join(folder, mountPath);
    mkdirSync(place, { recursive: true });
    // As in a cluster, the group may write to a volume, which another user owns.
    chmodSync(place, 0o2775);
    if (isRoot) chownSync(place, 0, gid);
    return [mountPath, place] as const;
  });
  const here = (path: string) => {
    const mount = places.find(
      ([at]: readonly [string, string]) => path === at || path.startsWith(`${at}/`),
    );
    return mount ? mount[1] + path.slice(mount[0].length) : image.pathOf(path);
  };
  const declared = {
    ...image.env,
    ...environmentOf(container, secrets),
    DOCENT_HOST: '127.0.0.1',
    DOCENT_PORT: String(port),
  };
  const isPath = (value: string) => /^\/(?:app|var|tmp)(?:\/|$)/.test(value);
  const env = {
    PATH: process.env.PATH,
    TMPDIR: here('/tmp'),
    ...Object.fromEntries(
      Object.entries(declared).map(([name, value]) => [name, isPath(value) ? here(value) : value]),
    ),
  };
  const entrypoint = image.entrypoint
    .slice(1)
    .map((argument) => (isPath(argument) ? image.pathOf(argument) : argument));
  const node = nodeOf(image);
  const user = isRoot && mayRun(node, { uid, gid }) ? { uid, gid } : {};
  const start = (args: string[]) =>
    spawn(node, [...entrypoint, ...args], {
      env,
      cwd: here('/var/lib/docent'),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
  const child = start(container.args);
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const log = collect(child);
  const exit = once(child, 'exit').then(([code]) => {
    process.off('exit', killWithUs);
    return code as number | null;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    log,
    exit,
    async exec(args) {
      const command = start(args);
      let stdout = '';
      command.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString('utf8');
      });
      const errors = collect(command);
      const [code] = (await once(command, 'close')) as [number];
      if (code !== 0) throw new Error(errors());
      return stdout;
    },
  };
}

/**
 * Returns the Node.js of the image; the one that runs this may be in a home folder that the pod's
 * user cannot enter.
 */
function nodeOf(image: ReplayedImage): string {
  const path = image.pathOf('/usr/local/bin/node');
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(process.execPath, path);
    chmodSync(path, 0o755);
  }
  return path;
}

/**
 * Returns whether a user can reach the folder of the image; if not, which it reports, pods run as
 * the user of the tests.
 */
function mayRun(node: string, user: { uid: number; gid: number }): boolean {
  const reaches = spawnSync(node, ['--version'], user).status === 0;
  if (!reaches)
    process.stderr.write(
      'skipped: pods run as their own user; it cannot enter the folder of this checkout\n',
    );
  return reaches;
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
  return () => text;
}

/** Waits like a probe until the path returns 200. */
export async function untilReady(pod: RunningPod, path = '/readyz'): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (pod.child.exitCode !== null)
      throw new Error(`the process ended with ${pod.child.exitCode}:\n${pod.log()}`);
    const status = await statusOf(`${pod.url}${path}`);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not ready in time:\n${pod.log()}`);
}

/** Returns the status of a response; 0 if nothing listens. */
export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 0;
}
