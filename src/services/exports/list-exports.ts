import { type Actor, requirePermission } from '../../core/access/may.ts';
import type { ExportStatus } from '../../core/exports/job-state.ts';
import { type ExportJobRow, listExportJobs } from '../../db/exports/export-jobs.ts';
import type { Deps } from '../deps.ts';
import { isExportJobId } from '../ids.ts';
import { type ListPage, pageOf, readCursor } from '../list-cursor.ts';
import { findActorSite } from '../sites/find-actor-site.ts';

/**
 * Returns the export jobs of the actor's organization, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not create
 */
export async function listExports(
  deps: Pick<Deps, 'config' | 'database'>,
  actor: Actor,
  query: { domain?: string; status?: ExportStatus; cursor?: string; limit: number },
): Promise<ListPage<ExportJobRow>> {
  requirePermission(actor, 'exports.read');
  const site = query.domain === undefined ? undefined : await findActorSite(deps, actor, query.domain);
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, isExportJobId);
  const found = await listExportJobs(deps.database.queries, actor.organisationId, {
    siteId: site?.id,
    status: query.status,
    after: after && { createdAt: after.at, id: after.id },
    limit: query.limit + 1,
  });
  return pageOf(found, query.limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}
