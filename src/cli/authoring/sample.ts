import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { maskKey } from '../../core/access/keys.ts';
import { DocentError } from '../../core/errors.ts';
import { defaultAddressOf } from '../../services/sites/site-address.ts';
import type { ApiClient } from '../api-client.ts';
import type { Output } from '../output.ts';
import { publishSource } from '../publish.ts';

/** The sample site: our own documentation, with one key of each kind. */
export interface Sample {
  siteUrl: string;
  apiUrl: string;
  domain: string;
  assistantKey: string;
  adminKey: string;
  dataFolder: string;
}

/** What is stored of the sample's keys: the assistant key may be public; an admin key is never written to disk. */
interface SampleKeys {
  assistantKey: string;
  /** The admin key of the last start, so that it can be revoked. */
  adminKeyId: string;
}

const DOMAIN = 'docent';
const ADMIN_KEY_DAYS = 7;
const ownDocumentation = fileURLToPath(new URL('../../../docs', import.meta.url));

/**
 * Publishes our documentation on the first start and creates the sample's keys: the assistant key once, the admin key on each
 * start. The admin key expires after a week, and the one of the previous start is revoked.
 */
export async function prepareSample(api: ApiClient, config: Config, output: Output): Promise<Sample> {
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
    dataFolder: config.dataFolder,
  };
}

async function firstStart(api: ApiClient, output: Output): Promise<string> {
  const deployment = await publishSource(api, ownDocumentation, DOMAIN, output);
  if (deployment.status === 'failure')
    throw new DocentError('build_failed', `The sample site was not published: ${deployment.summary}`);
  return (await createKey(api, { kind: 'assistant', site: DOMAIN, expiresInDays: null })).key;
}

function createKey(api: ApiClient, options: object): Promise<{ id: string; key: string }> {
  return api.request({ method: 'POST', path: '/v1/keys', body: { name: 'sample', ...options } });
}

/** Older versions stored the key itself, which lists identify by its last characters. */
interface KnownKeys extends Partial<SampleKeys> {
  adminKey?: string;
}

async function revokeBefore(api: ApiClient, { adminKeyId, adminKey }: KnownKeys): Promise<void> {
  const { keys } = await api.request<{ keys: { id: string; name: string; masked: string; revokedAt: string | null }[] }>({
    method: 'GET',
    path: '/v1/keys',
  });
  const masked = adminKey && maskKey(adminKey);
  for (const key of keys) {
    const isKnown = key.id === adminKeyId || (key.name === 'sample' && key.masked === masked);
    if (isKnown && key.revokedAt === null) await api.request({ method: 'DELETE', path: `/v1/keys/${key.id}` });
  }
}

/** Writes a temporary file and renames it, so that a killed start leaves a complete file. */
async function writeKeys(file: string, keys: SampleKeys): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

async function readKeys(file: string): Promise<KnownKeys> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? {} : (JSON.parse(text) as KnownKeys);
}
