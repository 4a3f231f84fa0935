import { listHostnames } from '../../db/deployments/live-sites.ts';
import type { Deps } from '../deps.ts';

/** How long it may take until a new hostname is known. */
const REFRESH_SECONDS = 2;

export interface HostnameWatch {
  /** Returns the identifier of the site that has this hostname. Synchronous, since every request needs it. */
  slugOf(hostname: string): string | undefined;
  close(): void;
}

/** Keeps the hostnames of all sites in memory, reloaded every few seconds. */
export async function watchHostnames({ database, logger }: Pick<Deps, 'database' | 'logger'>): Promise<HostnameWatch> {
  const read = async () => new Map((await listHostnames(database.queries)).map(({ hostname, slug }) => [hostname, slug]));
  let hostnames = await read();
  const refresh = async () => {
    try {
      hostnames = await read();
    } catch (error) {
      logger.warn({ error: String(error) }, 'hostnames could not be reloaded');
    }
  };
  const timer = setInterval(refresh, REFRESH_SECONDS * 1000);
  timer.unref();
  return { slugOf: (hostname) => hostnames.get(hostname), close: () => clearInterval(timer) };
}
