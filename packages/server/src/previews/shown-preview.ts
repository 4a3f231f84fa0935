import type { QueryRunner } from '../ports/database.ts';
import { isKept } from './queries.ts';

/** Returns the preview that is shown under its name and the identifier of its site. */
export async function findShownPreview(
  queries: QueryRunner,
  { name, slug }: { name: string; slug: string },
  now: Date,
) {
  const row = await queries
    .selectFrom('previews')
    .innerJoin('sites', 'sites.id', 'previews.site_id')
    .innerJoin('deployments', 'deployments.id', 'previews.deployment_id')
    .select([
      'previews.id',
      'previews.password_hash as passwordHash',
      'previews.members_only as membersOnly',
      'previews.branch',
      'previews.expires_at as expiresAt',
      'previews.site_id as siteId',
      'deployments.id as deploymentId',
      'deployments.manifest_key as manifestKey',
    ])
    .where('previews.name', '=', name)
    .where('sites.slug', '=', slug)
    .where(isKept(now))
    .executeTakeFirst();
  return row?.manifestKey ? { ...row, manifestKey: row.manifestKey } : undefined;
}
