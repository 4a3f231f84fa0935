import { listHostnames } from '../../db/deployments/live-sites.ts';
import type { Deps } from '../deps.ts';

/** How long a new hostname may take to be known. */
const REFRESH_SECONDS = 2;

export interface HostnameWatch {
  /** Identifier of the site that has this hostname; asked for every request, so it waits for nothing. */
  slugOf(hostname: string): string | undefined;
  close(): void;
}

/** Keeps the hostnames of all sites in memory, read again every few seconds. */
export async function watchHostnames({ database, logger }: Pick<Deps, 'database' | 'logger'>): Promise<HostnameWatch> {
  const read = async () => new Map((await listHostnames(database.queries)).map(({ hostname, slug }) => [hostname, slug]));
  let hostnames = await read();
  const refresh = async () => {
    try {
      hostnames = await read();
    } catch (error) {
      logger.warn({ error: String(error) }, 'hostnames were not read again');
    }
  };
  const timer = setInterval(refresh, REFRESH_SECONDS * 1000);
  timer.unref();
  return { slugOf: (hostname) => hostnames.get(hostname), close: () => clearInterval(timer) };
}
