import { once } from 'node:events';
import { loadBundleConfig } from '../config/bundle-config.ts';
import type { Output } from './output.ts';

/** Options of the command, by the names of the settings that they override. */
export interface ServeBundleOptions {
  version?: string;
  sha256?: string;
  key?: string;
  signature?: string;
  cache?: string;
  config?: string;
  pollSeconds?: string;
  basePath?: string;
  port?: string;
  host?: string;
  assistant?: boolean;
  playgroundProxy?: boolean;
  analytics?: boolean;
}

/** `docent serve-bundle`: serves an exported site until a signal ends it; SIGHUP reloads the bundle. */
export async function runServeBundle(
  env: NodeJS.ProcessEnv,
  location: string | undefined,
  options: ServeBundleOptions,
  output: Output,
): Promise<number> {
  const config = loadBundleConfig(env, {
    DOCENT_BUNDLE_URL: location,
    DOCENT_BUNDLE_VERSION: options.version,
    DOCENT_BUNDLE_SHA256: options.sha256,
    DOCENT_BUNDLE_PUBLIC_KEY: options.key,
    DOCENT_BUNDLE_SIGNATURE: options.signature,
    DOCENT_BUNDLE_CACHE: options.cache,
    DOCENT_BUNDLE_CONFIG: options.config,
    DOCENT_BUNDLE_POLL_SECONDS: options.pollSeconds,
    DOCENT_BASE_PATH: options.basePath,
    DOCENT_PORT: options.port,
    DOCENT_HOST: options.host,
    DOCENT_BUNDLE_ASSISTANT: options.assistant ? 'true' : undefined,
    DOCENT_BUNDLE_PLAYGROUND_PROXY: options.playgroundProxy ? 'true' : undefined,
    DOCENT_BUNDLE_ANALYTICS: options.analytics ? 'true' : undefined,
  });
  const stop = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  // A reload signal that arrives early must not end the process.
  let checkNow = () => {};
  const onReload = () => checkNow();
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onReload);
  try {
    const { openBundleServer } = await import('../compose-bundle-server.ts');
    const server = await openBundleServer(config);
    checkNow = server.checkNow;
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}${config.basePath}/`;
    output.json({ url, pid: process.pid });
    server.ready.then(({ manifest }) => output.print(`Serving ${manifest.name} at ${url}`));
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    await server.close();
    return 0;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onReload);
  }
}
