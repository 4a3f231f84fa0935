import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { DocentError } from '../core/errors.ts';
import type { ApiClient } from './api-client.ts';
import type { Output } from './output.ts';
import { publishSource } from './publish.ts';

/** The sample site: our own documentation, with a key of each kind. */
export interface Sample {
  siteUrl: string;
  /** The same site on the platform's own name. */
  pathUrl: string;
  apiUrl: string;
  domain: string;
  assistantKey: string;
  adminKey: string;
  dataFolder: string;
}

type SampleKeys = Pick<Sample, 'assistantKey' | 'adminKey'>;

const DOMAIN = 'docent';
const ownDocumentation = fileURLToPath(new URL('../../docs', import.meta.url));

/**
 * Publishes our documentation on the first start and makes the sample's keys. Keys are shown only at creation, so the
 * sample's own are kept in the data folder, readable by its owner alone.
 */
export async function prepareSample(api: ApiClient, config: Config, output: Output): Promise<Sample> {
  const file = join(config.dataFolder, 'sample-keys.json');
  const known = await readKeys(file);
  const keys = known ?? (await firstStart(api, file, output));
  const { port } = new URL(config.publicUrl);
  return {
    ...keys,
    siteUrl: `http://${DOMAIN}.localhost${port && `:${port}`}/`,
    pathUrl: `${config.publicUrl}/sites/${DOMAIN}/`,
    apiUrl: config.publicUrl,
    domain: DOMAIN,
    dataFolder: config.dataFolder,
  };
}

async function firstStart(api: ApiClient, file: string, output: Output): Promise<SampleKeys> {
  const deployment = await publishSource(api, ownDocumentation, DOMAIN, output);
  if (deployment.status === 'failure')
    throw new DocentError('build_failed', `The sample site was not published: ${deployment.summary}`);
  const create = async (body: object) => (await api.request<{ key: string }>({ method: 'POST', path: '/v1/keys', body })).key;
  const keys: SampleKeys = {
    assistantKey: await create({ kind: 'assistant', name: 'sample', site: DOMAIN, expiresInDays: null }),
    adminKey: await create({ kind: 'admin', name: 'sample', expiresInDays: null }),
  };
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  return keys;
}

async function readKeys(file: string): Promise<SampleKeys | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const keys = JSON.parse(text) as Partial<SampleKeys>;
  return keys.assistantKey && keys.adminKey ? (keys as SampleKeys) : undefined;
}
