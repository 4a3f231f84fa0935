import { Resolver } from 'node:dns/promises';
import { DnsFault, type DnsLookup } from '../../ports/dns-lookup.ts';

const TIMEOUT_MS = 3000;
const TRIES = 2;
/** Answers that mean "no such record" (RFC 2308); anything else means that there was no answer. */
const ABSENT = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Queries DNS servers, not the hosts file of this machine.
 * @param servers addresses, each with a port if it is not 53; empty for the system's servers
 */
export function createNodeDnsLookup({ servers }: { servers: readonly string[] }): DnsLookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);

  async function ask<Records>(
    type: string,
    name: string,
    resolve: () => Promise<Records[]>,
  ): Promise<Records[]> {
    try {
      return await resolve();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      if (ABSENT.has(code)) return [];
      throw new DnsFault(`The ${type} records of ${name} could not be looked up (${code}).`, {
        cause: error,
      });
    }
  }

  return {
    txt: async (name) =>
      (await ask('TXT', name, () => resolver.resolveTxt(name))).map((parts) => parts.join('')),
    cname: async (name) =>
      (await ask('CNAME', name, () => resolver.resolveCname(name))).map((target) =>
        target.toLowerCase().replace(/\.$/, ''),
      ),
  };
}
