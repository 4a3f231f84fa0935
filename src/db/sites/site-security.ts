import { sql } from 'kysely';
import type { SiteSecurity } from '../../core/access/site-security.ts';
import type { QueryRunner } from '../../ports/database.ts';

/** Merges changes into the stored settings in one statement, so that concurrent changes are not lost. @returns all settings */
export async function updateSiteSecurity(
  queries: QueryRunner,
  siteId: string,
  changes: Partial<SiteSecurity>,
): Promise<Partial<SiteSecurity>> {
  const { security } = await queries
    .updateTable('sites')
    .set({ security: sql`security || ${JSON.stringify(changes)}::jsonb` })
    .where('id', '=', siteId)
    .returning('security')
    .executeTakeFirstOrThrow();
  return security;
}
