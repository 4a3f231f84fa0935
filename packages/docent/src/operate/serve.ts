import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { maskKey } from '@docent/format/access/keys.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { DocentError } from '@docent/format/errors.ts';
import { type Config, loadConfig } from '@docent/server/kernel/config/config.ts';
import { defaultAddressOf } from '@docent/server/kernel/sites/site-address.ts';
import { listenFault } from '@docent/server/lib/listen-fault.ts';
import type { Platform } from '@docent/server/start/compose.ts';
import { type ApiClient, createApiClient, type Schema } from '../kernel/api-client.ts';
import { untilSignal } from '../kernel/commands.ts';
import type { Output } from '../kernel/output.ts';

export interface ServeOptions {
  sample?: boolean;
  /** Whether this process also runs jobs; otherwise others on the same database must. */
  worker: boolean;
}

/** `docent serve`: everything in one process, until a signal ends it. */
export async function runServe(
  env: NodeJS.ProcessEnv,
  options: ServeOptions,
  output: Output,
): Promise<number> {
  const config = loadConfig(env);
  if (!options.worker) refuseToServeAlone(config, options);
  const platform = await open(await withPort(config));
  return runPlatform(platform, config.drainSeconds, async () => {
    const address = await platform.listen();
    const api = createApiClient({ socketPath: platform.operatorSocketPath });
    const [sample] = await Promise.all([
      options.sample ? prepareSample(api, platform.config, output) : undefined,
      options.worker && platform.startWorkers(),
    ]);
    const { offerSetup } = await import('@docent/server/accounts/organizations.ts');
    const setupUrl = await offerSetup(platform.deps);
    const dashboard =
      setupUrl === undefined ? `${address}/dashboard` : `${setupUrl}   (create the first account)`;
    if (sample) introduce(sample, dashboard, config.dataFolder, output);
    else output.print(`Docent is ready at ${address}\n\n  Dashboard      ${dashboard}`);
    output.json({ ...(sample ?? { apiUrl: address }), setupUrl });
    await platform.warm();
  });
}

/**
 * No other process can run the jobs of an embedded database, and publishing the sample is a job.
 */
function refuseToServeAlone({ database }: Config, { sample }: ServeOptions): void {
  const refused = (message: string) =>
    new DocentError('invalid_setting', message, {
      errors: [{ path: '/DOCENT_DATABASE', message }],
    });
  if (database.kind === 'embedded')
    throw refused(
      'DOCENT_DATABASE: with the embedded database, only the server can run jobs; omit --no-worker.',
    );
  if (sample) throw refused('--sample is published by a job in this process; omit --no-worker.');
}

/**
 * `docent worker`: runs jobs without the server; its port answers health, readiness and metrics.
 */
export async function runWorker(env: NodeJS.ProcessEnv, output: Output): Promise<number> {
  const config = loadConfig(env);
  const platform = await open(config);
  return runPlatform(platform, 0, async () => {
    await platform.startWorkers();
    await platform.listenForProbes();
    output.print(
      `Docent is running jobs; http://${config.host}:${config.port}/readyz returns whether it is ready.`,
    );
  });
}

/** `docent migrate`: opening the platform migrates its database; prints what was applied. */
export async function runMigrate(env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const config: Config = { ...loadConfig(env), logLevel: 'warn' };
  const platform = await open(config);
  try {
    const { appliedMigrations } = platform;
    const text =
      appliedMigrations.length === 0
        ? 'The database is up to date.'
        : `Applied: ${appliedMigrations.join(', ')}`;
    output.result(text, { applied: appliedMigrations });
  } finally {
    await platform.close();
  }
}

/**
 * The platform's code is large: it is loaded after the settings were validated, so that a bad one
 * is reported at once.
 */
async function open(config: Config): Promise<Platform> {
  const { openPlatform } = await import('@docent/server/start/compose.ts');
  return openPlatform(config);
}

/**
 * Checks whether the port is free before anything else is opened. Port 0 means any free port; links
 * need its number before the server listens.
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
function runPlatform(
  platform: Platform,
  drainSeconds: number,
  start: () => Promise<void>,
): Promise<number> {
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

/**
 * The sample's keys as stored in the data folder, readable only by its user, who may do everything
 * through the socket there.
 */
type SampleKeys = Pick<Sample, 'assistantKey' | 'adminKey'>;

const DOMAIN = 'docent';
const NAME = 'sample';
const ADMIN_KEY_DAYS = 90;
/**
 * The admin key is replaced when it expires sooner than this: keys that it creates expire with it.
 */
const ADMIN_KEY_MIN_DAYS = 30;
const ownDocumentation = fileURLToPath(new URL('../../../../docs', import.meta.url));

/**
 * Publishes our documentation and creates the sample's keys on the first start. Later starts use
 * the same keys, and replace one that was revoked or is about to expire; nothing is revoked,
 * because other keys and programs may depend on it.
 * @returns undefined if the sample site was deleted
 */
async function prepareSample(
  api: ApiClient,
  config: Config,
  output: Output,
): Promise<Sample | undefined> {
  const file = join(config.dataFolder, 'sample-keys.json');
  const stored = await readKeys(file);
  if (stored.assistantKey === undefined) await publishSample(api, output);
  else if (!(await hasSample(api))) return undefined;
  const usable = usableKeys(await api.get('/v1/keys'));
  const keys = {
    assistantKey:
      usable(stored.assistantKey) ??
      (await createKey(api, { kind: 'assistant', site: DOMAIN, expiresInDays: null })),
    adminKey:
      usable(stored.adminKey) ??
      (await createKey(api, { kind: 'admin', expiresInDays: ADMIN_KEY_DAYS })),
  };
  await writeKeys(file, keys);
  return {
    ...keys,
    siteUrl: `${defaultAddressOf(DOMAIN, config)}/`,
    apiUrl: config.publicUrl,
    domain: DOMAIN,
  };
}

async function publishSample(api: ApiClient, output: Output): Promise<void> {
  // With it comes the compiler, which the server itself runs in other processes.
  const { publishSource } = await import('../manage/publish.ts');
  const deployment = await publishSource(api, ownDocumentation, DOMAIN, output);
  if (deployment.status === 'failure')
    throw new DocentError(
      'build_failed',
      `The sample site was not published: ${deployment.summary}`,
    );
}

async function hasSample(api: ApiClient): Promise<boolean> {
  try {
    await api.get(`/v1/projects/${DOMAIN}`);
    return true;
  } catch (error) {
    if (error instanceof DocentError && error.code === 'site_not_found') return false;
    throw error;
  }
}

/**
 * Returns a function that returns a stored key if it is listed, not revoked, and valid for long
 * enough.
 */
function usableKeys({
  keys,
}: {
  keys: Schema<'ApiKey'>[];
}): (key: string | undefined) => string | undefined {
  const latest = Date.now() + ADMIN_KEY_MIN_DAYS * DAY_MS;
  const lasts = (expiresAt: string | null) => expiresAt === null || Date.parse(expiresAt) > latest;
  const usable = keys.filter(
    ({ name, revokedAt, expiresAt }) => name === NAME && revokedAt === null && lasts(expiresAt),
  );
  return (key) =>
    key !== undefined && usable.some(({ masked }) => masked === maskKey(key)) ? key : undefined;
}

async function createKey(api: ApiClient, options: object): Promise<string> {
  return (await api.post<Schema<'NewApiKey'>>('/v1/keys', { name: NAME, ...options })).key;
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
  const json = `-H 'Content-Type: application/json'`;
  output.print(`
Docent is ready.

  Site           ${siteUrl}
  Dashboard      ${dashboard}
  API            ${apiUrl}   (described at ${apiUrl}/openapi.json)

Try it:

  # The first key is public (one site, questions only), the second is secret (exports, projects, keys)
  export ASSISTANT_KEY=${assistantKey}
  export ADMIN_KEY=${adminKey}

  # Ask a question; the answer streams
  curl -N ${apiUrl}/v1/assistant/${domain}/message -H "Authorization: Bearer $ASSISTANT_KEY" ${json} \\
    -d '{"fp":"anonymous","messages":[{"role":"user","content":"How do I publish my docs?"}]}'

  # Start a static export; the answer has its jobId
  curl ${apiUrl}/v1/static-export/jobs -H "Authorization: Bearer $ADMIN_KEY" ${json} -d '{"domain":"${domain}"}'

  # Get the link to the finished bundle; put the jobId in
  curl -X POST ${apiUrl}/v1/static-export/jobs/JOB_ID/bundle -H "Authorization: Bearer $ADMIN_KEY"

Ctrl-C stops it. Everything is kept in ${dataFolder}.`);
}
