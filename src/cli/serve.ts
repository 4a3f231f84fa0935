import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Platform } from '../compose.ts';
import { type Config, loadConfig } from '../config.ts';
import { DocentError } from '../core/errors.ts';
import { listenFault } from '../listen-fault.ts';
import { offerSetup } from '../services/accounts/organisations.ts';
import { defaultAddressOf } from '../services/sites/site-address.ts';
import { type ApiClient, createApiClient, type Schema } from './api-client.ts';
import { untilSignal } from './commands.ts';
import type { Output } from './output.ts';
import { publishSource } from './publish.ts';

export interface ServeOptions {
  sample?: boolean;
  /** Whether this process also runs jobs; otherwise others on the same database must. */
  worker: boolean;
}

/** `docent serve`: everything in one process, until a signal ends it. */
export async function runServe(env: NodeJS.ProcessEnv, options: ServeOptions, output: Output): Promise<number> {
  const config = loadConfig(env);
  if (!options.worker) refuseToServeAlone(config, options);
  const platform = await open(await withPort(config));
  return runPlatform(platform, config.drainSeconds, async () => {
    const address = await platform.listen();
    if (options.worker) await platform.startWorkers();
    const api = createApiClient({ socketPath: platform.operatorSocketPath });
    const sample = options.sample ? await prepareSample(api, platform.config, output) : undefined;
    const setupUrl = await offerSetup(platform.deps);
    const dashboard = setupUrl === undefined ? `${address}/dashboard` : `${setupUrl}   (create the first account)`;
    if (sample) introduce(sample, dashboard, config.dataFolder, output);
    else output.print(`Docent is ready at ${address}\n\n  Dashboard      ${dashboard}`);
    output.json({ ...(sample ?? { apiUrl: address }), setupUrl });
    await platform.warm();
  });
}

/** No other process can run the jobs of an embedded database, and publishing the sample is a job. */
function refuseToServeAlone({ database }: Config, { sample }: ServeOptions): void {
  const refused = (message: string) =>
    new DocentError('invalid_setting', message, { errors: [{ path: '/DOCENT_DATABASE', message }] });
  if (database.kind === 'embedded')
    throw refused('DOCENT_DATABASE: with the embedded database, only the server can run jobs; omit --no-worker.');
  if (sample) throw refused('--sample is published by a job in this process; omit --no-worker.');
}

/** `docent worker`: runs jobs without the server; its port answers health, readiness and metrics. */
export async function runWorker(env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const config = loadConfig(env);
  const platform = await open(config);
  return runPlatform(platform, 0, async () => {
    await platform.startWorkers();
    await platform.listenForProbes();
    output.print(`Docent is running jobs; http://${config.host}:${config.port}/readyz returns whether it is ready.`);
  });
}

/** `docent migrate`: opening the platform migrates its database; prints what was applied. */
export async function runMigrate(env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const config: Config = { ...loadConfig(env), logLevel: 'warn' };
  const platform = await open(config);
  try {
    const { appliedMigrations } = platform;
    const text = appliedMigrations.length === 0 ? 'The database is up to date.' : `Applied: ${appliedMigrations.join(', ')}`;
    output.result(text, { applied: appliedMigrations });
  } finally {
    await platform.close();
  }
}

/** The platform's code is large: it is loaded after the settings were validated, so that a bad one is reported at once. */
async function open(config: Config): Promise<Platform> {
  const { openPlatform } = await import('../compose.ts');
  return openPlatform(config);
}

/**
 * Checks whether the port is free before anything else is opened. Port 0 means any free port; links need its number before the
 * server listens.
 * @throws DocentError `port_in_use`
 */
async function withPort(config: Config): Promise<Config> {
  const server = createServer();
  await once(server.listen(config.port, config.host), 'listening').catch((error) => {
    throw listenFault(error, config.port);
  });
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

/**
 * Starts, waits for a signal, and closes.
 * @param drainSeconds how long to keep serving after the signal, while reporting not ready
 */
function runPlatform(platform: Platform, drainSeconds: number, start: () => Promise<void>): Promise<number> {
  return untilSignal(async (stopped) => {
    try {
      const started = start();
      // If a signal arrives first, closing makes the start fail; ignore that.
      started.catch(() => {});
      await Promise.race([started, stopped]);
      await stopped;
      platform.leave();
      await wait(drainSeconds * 1000);
    } finally {
      await platform.close();
    }
  });
}

/** The sample site: our own documentation, with one key of each kind. */
interface Sample {
  siteUrl: string;
  apiUrl: string;
  domain: string;
  assistantKey: string;
  adminKey: string;
}

/** What is stored of the sample's keys: the assistant key may be public; an admin key is never written to disk. */
interface SampleKeys {
  assistantKey: string;
  /** The admin key of the last start, so that it can be revoked. */
  adminKeyId: string;
}

const DOMAIN = 'docent';
const ADMIN_KEY_DAYS = 7;
const ownDocumentation = fileURLToPath(new URL('../../docs', import.meta.url));

/**
 * Publishes our documentation on the first start and creates the sample's keys: the assistant key once, the admin key on each
 * start. The admin key expires after a week, and the one of the previous start is revoked.
 */
async function prepareSample(api: ApiClient, config: Config, output: Output): Promise<Sample> {
  const file = join(config.dataFolder, 'sample-keys.json');
  const known = await readKeys(file);
  const assistantKey = known.assistantKey ?? (await firstStart(api, output));
  await revokeBefore(api, known);
  const admin = await createKey(api, { kind: 'admin', expiresInDays: ADMIN_KEY_DAYS });
  await writeKeys(file, { assistantKey, adminKeyId: admin.id });
  return {
    assistantKey,
    adminKey: admin.key,
    siteUrl: `${defaultAddressOf(DOMAIN, config)}/`,
    apiUrl: config.publicUrl,
    domain: DOMAIN,
  };
}

async function firstStart(api: ApiClient, output: Output): Promise<string> {
  const deployment = await publishSource(api, ownDocumentation, DOMAIN, output);
  if (deployment.status === 'failure')
    throw new DocentError('build_failed', `The sample site was not published: ${deployment.summary}`);
  return (await createKey(api, { kind: 'assistant', site: DOMAIN, expiresInDays: null })).key;
}

function createKey(api: ApiClient, options: object): Promise<{ id: string; key: string }> {
  return api.request('POST', '/v1/keys', { name: 'sample', ...options });
}

async function revokeBefore(api: ApiClient, { adminKeyId }: Partial<SampleKeys>): Promise<void> {
  const { keys } = await api.request<{ keys: Schema<'ApiKey'>[] }>('GET', '/v1/keys');
  const isUsable = keys.some(({ id, revokedAt }) => id === adminKeyId && revokedAt === null);
  if (isUsable) await api.request('DELETE', `/v1/keys/${adminKeyId}`);
}

/** Writes a temporary file and renames it, so that a killed start leaves a complete file. */
async function writeKeys(file: string, keys: SampleKeys): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

async function readKeys(file: string): Promise<Partial<SampleKeys>> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? {} : JSON.parse(text);
}

function introduce(sample: Sample, dashboard: string, dataFolder: string, output: Output): void {
  const { siteUrl, apiUrl, domain, assistantKey, adminKey } = sample;
  const bearer = (key: string) => `-H 'Authorization: Bearer ${key}'`;
  output.print(`
Docent is ready.

  Site           ${siteUrl}
  Dashboard      ${dashboard}
  API            ${apiUrl}   (described at ${apiUrl}/openapi.json)
  Assistant key  ${assistantKey}   (public: one site, questions only)
  Admin key      ${adminKey}   (secret: exports, projects, keys)

Try it:

  # Ask a question; the answer streams
  curl -N ${apiUrl}/v1/assistant/${domain}/message ${bearer(assistantKey)} -H 'Content-Type: application/json' \\
    -d '{"fp":"anonymous","messages":[{"role":"user","content":"How do I publish my docs?"}]}'

  # Start a static export; the answer has its jobId
  curl ${apiUrl}/v1/static-export/jobs ${bearer(adminKey)} -H 'Content-Type: application/json' -d '{"domain":"${domain}"}'

  # Get the link to the finished bundle; put the jobId in
  curl -X POST ${apiUrl}/v1/static-export/jobs/JOB_ID/bundle ${bearer(adminKey)}

Ctrl-C stops it. Everything is kept in ${dataFolder}.`);
}
