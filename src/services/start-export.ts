import { type Actor, requirePermission } from '../core/access/may.ts';
import { isSiteName } from '../core/access/site-name.ts';
import { DocentError } from '../core/errors.ts';
import { selectPages } from '../core/exports/select-pages.ts';
import { type ExportJobRow, findExportJobByIdempotencyKey, insertExportJob, type NewExportJob } from '../db/export-jobs.ts';
import { exportSiteJob } from '../jobs/export-site.job.ts';
import type { Deps } from './deps.ts';
import { findActorSite } from './find-actor-site.ts';
import { createExportJobId } from './ids.ts';

export interface ExportRequest {
  /** Identifier or hostname of the site. */
  domain: string;
  version?: string;
  paths?: string[];
  /** A request that is sent again with the same key starts nothing new. */
  idempotencyKey?: string;
}

/**
 * Starts the export of a site as it is live now.
 * @throws DocentError `invalid_domain`, `site_not_found`, `invalid_request` (version), `invalid_paths`, `plan_required`,
 * `idempotency_key_reused`
 */
export async function startExport(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'liveSites'>,
  actor: Actor,
  request: ExportRequest,
): Promise<ExportJobRow> {
  requirePermission(actor, 'exports.write');
  if (!isSiteName(request.domain)) {
    throw new DocentError(
      'invalid_domain',
      `"${request.domain}" is neither a site's identifier nor a hostname; leave out scheme, port and path.`,
      {
        errors: [
          { path: '/domain', message: 'Give the identifier or a hostname of the site, such as "docs" or "docs.example.com".' },
        ],
      },
    );
  }
  const site = await findActorSite(deps, actor, request.domain);
  const live = await deps.liveSites.find(site.slug);
  if (!live) throw new DocentError('site_not_found', 'Nothing was published to this site yet; publish it first.');
  const job: NewExportJob = {
    id: createExportJobId(),
    organisationId: actor.organisationId,
    siteId: site.id,
    deploymentId: live.deploymentId,
    domain: request.domain,
    version: request.version ?? null,
    paths: selectPages(live.build.pages, request),
    idempotencyKey: request.idempotencyKey ?? null,
    createdAt: deps.clock.now(),
  };
  return (await findEarlier(deps, job)) ?? addJob(deps, job);
}

async function addJob(deps: Pick<Deps, 'database' | 'jobs'>, job: NewExportJob): Promise<ExportJobRow> {
  const added = await deps.database.queries.transaction().execute(async (transaction) => {
    const row = await insertExportJob(transaction, job);
    if (row) await deps.jobs.enqueue(exportSiteJob, { jobId: row.id }, transaction);
    return row;
  });
  // Two requests with one key at the same time: the other one was first.
  const row = added ?? (await findEarlier(deps, job));
  if (!row) throw new Error(`The export job ${job.id} was not added.`);
  return row;
}

/** The job that the same request started before. */
async function findEarlier({ database }: Pick<Deps, 'database'>, job: NewExportJob): Promise<ExportJobRow | undefined> {
  if (job.idempotencyKey === null) return undefined;
  const before = await findExportJobByIdempotencyKey(database.queries, job.organisationId, job.idempotencyKey);
  if (!before) return undefined;
  const asks = (one: Pick<NewExportJob, 'siteId' | 'version' | 'paths'>) => JSON.stringify([one.siteId, one.version, one.paths]);
  if (asks(before) !== asks(job)) {
    throw new DocentError(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another export before; use a new key for a new export.',
    );
  }
  return before;
}
