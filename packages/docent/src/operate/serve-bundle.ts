import { loadBundleConfig } from '@docent/server/kernel/config/bundle-config.ts';
import { untilSignal } from '../kernel/commands.ts';
import type { Output } from '../kernel/output.ts';

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
  // A reload signal that arrives early must not end the process.
  let checkNow = () => {};
  const serve = async (stopped: Promise<void>) => {
    const { openBundleServer } = await import('@docent/server/start/compose-bundle-server.ts');
    const server = await openBundleServer(config);
    checkNow = server.checkNow;
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}${config.basePath}/`;
    output.json({ url, pid: process.pid });
    server.ready.then(({ manifest }) => output.print(`Serving ${manifest.name} at ${url}`));
    await stopped;
    await server.close();
  };
  return untilSignal(serve, () => checkNow());
}
