import { once } from 'node:events';
import { loadBundleConfig } from '../config/bundle-config.ts';
import type { Output } from './output.ts';

/**
 * `docent serve-bundle`: serves an exported site until a signal ends it; SIGHUP reloads the bundle.
 * @param settings override those of the environment
 */
export async function runServeBundle(
  env: NodeJS.ProcessEnv,
  settings: Record<string, string | undefined>,
  output: Output,
): Promise<number> {
  const config = loadBundleConfig(env, settings);
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
