import { type Actor, requirePermission } from '../../core/access/may.ts';
import { countOwnSites } from '../../db/sites/sites.ts';
import { readStoredBytes, type StoredBytes } from '../../db/stored-bytes.ts';
import type { Deps } from '../deps.ts';
import type { Quotas } from './quotas.ts';

/** Returns an organization's usage and limits. */
export interface Usage {
  sites: number;
  stored: StoredBytes;
  quotas: Quotas;
}

export async function readUsage({ database, config }: Pick<Deps, 'database' | 'config'>, actor: Actor): Promise<Usage> {
  requirePermission(actor, 'projects.read');
  const { queries } = database;
  const [sites, stored] = await Promise.all([
    countOwnSites(queries, actor.organisationId),
    readStoredBytes(queries, actor.organisationId),
  ]);
  return { sites, stored, quotas: config.quotas };
}
