import { type Actor, requirePermission } from '../core/access/may.ts';
import { DocentError } from '../core/errors.ts';
import type { ExportStatus } from '../core/exports/job-state.ts';
import { type ExportJobRow, listExportJobs } from '../db/export-jobs.ts';
import type { Deps } from './deps.ts';
import { findActorSite } from './find-actor-site.ts';
import { isExportJobId } from './ids.ts';

export interface ExportPage {
  jobs: ExportJobRow[];
  /** Asks for the next page; `null` on the last. */
  nextCursor: string | null;
}

/**
 * The export jobs of the actor's organisation, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not give
 */
export async function listExports(
  deps: Pick<Deps, 'database'>,
  actor: Actor,
  query: { domain?: string; status?: ExportStatus; cursor?: string; limit: number },
): Promise<ExportPage> {
  requirePermission(actor, 'exports.read');
  const site = query.domain === undefined ? undefined : await findActorSite(deps, actor, query.domain);
  const found = await listExportJobs(deps.database.queries, actor.organisationId, {
    siteId: site?.id,
    status: query.status,
    after: query.cursor === undefined ? undefined : readCursor(query.cursor),
    limit: query.limit + 1,
  });
  const jobs = found.slice(0, query.limit);
  const last = jobs.at(-1);
  return { jobs, nextCursor: found.length > jobs.length && last ? writeCursor(last) : null };
}

function writeCursor(job: ExportJobRow): string {
  return Buffer.from(`${job.createdAt.getTime()} ${job.id}`).toString('base64url');
}

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (!/^\d{1,14}$/.test(time) || !isExportJobId(id)) {
    throw new DocentError('invalid_request', 'The cursor is not one of this list; start again without it.', {
      errors: [{ path: '/cursor', message: 'Send the nextCursor of the page before.' }],
    });
  }
  return { createdAt: new Date(Number(time)), id };
}
