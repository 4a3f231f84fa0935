import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { flagsFor, mainOf } from '../../scripts/launch.mjs';
import { endWithUs } from './end-with-us.ts';
import { call, fixtureSite, publishArchive, type Started, tarball } from './http.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What runs the commands: the bundled program, which starts in two thirds of the CPU time. */
export const main = mainOf(root);

/** The same from the sources. */
export const sourceMain = join(root, 'packages/docent/src/main.ts');

/** A Docent as a separate process, as its users run it. */
export interface RunningDocent extends Started {
  dataFolder: string;
  port: number;
  child: ChildProcess;
  /** Returns what it has written to standard error so far. */
  log(): string;
  /** Sends Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

export interface StartOptions {
  dataFolder?: string;
  /**
   * Starts with an empty data folder, for tests of a first start; otherwise the sample is already
   * published.
   */
  isFirst?: boolean;
  port?: number;
  env?: Record<string, string>;
  /** The folder that it is started in; by default that of the tests. */
  cwd?: string;
  /** The file of the program; by default the bundled one, as where Docent is installed. */
  program?: string;
  /**
   * Whether its first site is the fixture `small` instead of the sample, as always on a
   * PostgreSQL server.
   */
  isBasic?: boolean;
}

/**
 * Starts `docent serve --json` on a free port with its own data folder; it is ready when this
 * resolves. The sample is published from the template; on a PostgreSQL server, which has none, the
 * site `docent` is the fixture `small` instead.
 */
export async function startDocent(options: StartOptions = {}): Promise<RunningDocent> {
  const isBasic =
    options.isBasic ?? (!options.isFirst && options.env?.DOCENT_DATABASE_URL !== undefined);
  const dataFolder = options.dataFolder ?? (await newDataFolder(options));
  const port = options.port ?? (await freePort());
  // With the flags and the variables of scripts/launch.mjs.
  const own = {
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    DOCENT_PORT: String(port),
    DOCENT_DATA: dataFolder,
    DOCENT_LOG_LEVEL: 'warn',
  };
  const env = { ...process.env, ...own, ...options.env };
  const child = spawn(
    process.execPath,
    [
      ...flagsFor('serve'),
      options.program ?? main,
      'serve',
      '--json',
      ...(isBasic ? [] : ['--sample']),
    ],
    {
      env,
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  running.add(child);
  child.on('exit', () => running.delete(child));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text as string),
    exited.then(([code]) => {
      throw new Error(`docent ended with ${code} before it was ready:\n${log}`);
    }),
  ]);
  const started = JSON.parse(line) as Started;
  return {
    ...started,
    ...(isBasic && (await prepareBasic(started, dataFolder))),
    dataFolder,
    port,
    child,
    log: () => log,
    stop: async () => {
      child.kill('SIGINT');
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Publishes the fixture `small` as the site `docent`, if no other process on the database has, and
 * creates a key of each kind.
 */
async function prepareBasic(started: Started, dataFolder: string): Promise<Started> {
  const { key: adminKey } = await askOperator<{ key: string }>(dataFolder, '/v1/keys', {
    kind: 'admin',
    name: 'test',
  });
  const domain = 'docent';
  const docent = {
    ...started,
    domain,
    adminKey,
    siteUrl: started.apiUrl.replace('://', `://${domain}.`),
  };
  const sites = (await (await call(docent, adminKey, 'GET', '/v1/projects')).json()) as {
    projects: unknown[];
  };
  if (sites.projects.length === 0)
    await publishArchive(docent, domain, tarball(fixtureSite('small')));
  const key = await call(docent, adminKey, 'POST', '/v1/keys', {
    kind: 'assistant',
    name: 'test',
    site: domain,
  });
  return { ...docent, assistantKey: ((await key.json()) as { key: string }).key };
}

/** Sends a request to the socket of a data folder, whose user may do everything. */
async function askOperator<Answer>(
  dataFolder: string,
  path: string,
  body: object,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', host: 'localhost' };
  const request = http.request({
    socketPath: join(dataFolder, 'docent.sock'),
    path,
    method: 'POST',
    headers,
  });
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return (await json(response)) as Answer;
}

let shared: Promise<RunningDocent> | undefined;

/**
 * The Docent of this worker, which ends with it. Files share it, one after the other: each has
 * sites under names that no other file uses, changes nothing else, and does not stop it.
 */
export function sharedDocent(): Promise<RunningDocent> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<RunningDocent> {
  // Not a temporary folder that a test file removes.
  const dataFolder = await mkdtemp(join(tmpdir(), 'docent-test-'));
  copyTemplate(dataFolder);
  const docent = await startDocent({
    dataFolder,
    // What all files of a worker do in an hour counts together.
    env: {
      DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '10000',
      DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR: '10000',
      DOCENT_LIMIT_EXPORTS_PER_ORGANIZATION_HOUR: '10000',
    },
  });
  endWithUs(dataFolder, [docent.child.pid]);
  return docent;
}

/**
 * The variable with the data folder of a Docent that has published the sample
 * (`start-template.ts`), which takes 10 s of CPU.
 */
export const TEMPLATE_VARIABLE = 'TEST_DATA_TEMPLATE';

/** What the Docent of the template did: the only start that publishes the sample. */
export interface FirstStart extends Started {
  port: number;
  /** The answer to a request of a page of the sample. */
  page: { status: number; text: string };
  exitCode: number | null;
}

/** Returns the file that has the `FirstStart` of a template, beside its folder. */
export const firstStartFile = (dataFolder: string) => join(dataFolder, '..', 'first-start.json');

async function newDataFolder({ isFirst, env }: StartOptions): Promise<string> {
  const folder = await temporaryFolder();
  // The template contains its own database, so it does not help a Docent that uses another one.
  if (!isFirst && env?.DOCENT_DATABASE_URL === undefined) copyTemplate(folder);
  return folder;
}

function copyTemplate(folder: string): void {
  const template = process.env[TEMPLATE_VARIABLE];
  // Thousands of files take half the CPU time one after the other, compared with many at once.
  if (template) cpSync(template, folder, { recursive: true });
}

/** Returns the arguments of Node.js for a command, as scripts/launch.mjs passes them. */
export function commandLine(args: readonly string[], program = main): string[] {
  return [...flagsFor(args[0] ?? ''), program, ...args];
}

/** Runs a command of the command line to its end. */
export async function runDocent(
  args: string[],
  env: Record<string, string> = {},
  program?: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, commandLine(args, program), {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('DOCENT_')),
  );
}

const running = new Set<ChildProcess>();
// A test that fails before it stops its Docent must not leave it running.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const folders: string[] = [];

/** Creates a folder that `removeTemporaryFolders` removes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-'));
  folders.push(folder);
  return folder;
}

export async function removeTemporaryFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/**
 * Ports below those that systems give to outgoing connections, which could take one before its
 * server starts.
 */
const PORTS = { first: 11_000, last: 31_999 };
const takenPorts = new Set<number>();

/** Returns a port that nothing listens on now, and that this process has not returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last + 1);
    if (takenPorts.has(port)) continue;
    takenPorts.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
