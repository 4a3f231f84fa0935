import { loadConfig } from '../config.ts';
import { DocentError } from '../core/errors.ts';
import { type ApiClient, type ApiTarget, createApiClient } from './api-client.ts';

/**
 * Runs `use` with a client of the platform: the one at `--url`; else the one running on the data folder; else one opened on the
 * data folder for this command only.
 * @throws DocentError if none can be reached or opened
 */
export async function withApi<Result>(
  env: NodeJS.ProcessEnv,
  options: { url?: string; key?: string },
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result> {
  const address = readAddress(options);
  if (address) return use(createApiClient(address));
  const config = loadConfig(env);
  const { findOperatorSocket, openPlatform } = await import('../compose.ts');
  const running = await findOperatorSocket(config);
  if (running) return use(createApiClient({ kind: 'socket', socketPath: running }));
  const platform = await openPlatform({ ...config, logLevel: 'warn' });
  try {
    await platform.startWorkers();
    return await use(createApiClient({ kind: 'socket', socketPath: platform.operatorSocketPath }));
  } finally {
    await platform.close();
  }
}

function readAddress({ url, key }: { url?: string; key?: string }): ApiTarget | undefined {
  if (url === undefined) return undefined;
  if (key === undefined) throw new DocentError('invalid_setting', '--url needs an admin key: add --key or set DOCENT_API_KEY.');
  return { kind: 'address', url, key };
}
