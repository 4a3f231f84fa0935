import { isDeepStrictEqual } from 'node:util';
import { siteNameOf } from '@docent/format/access/host-name.ts';
import { type Actor, actorId, requirePermission } from '@docent/format/access/may.ts';
import { visiblePages } from '@docent/format/build/visible-build.ts';
import { DocentError } from '@docent/format/errors.ts';
import { canExport } from '@docent/format/exports/export-audience.ts';
import {
  defaultExportOptions,
  type ExportJobOptions,
} from '@docent/format/exports/export-options.ts';
import { selectPages } from '@docent/format/exports/select-pages.ts';
import { countAction, requireRoomForBundle } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { createExportJobId } from '../kernel/ids.ts';
import { exportSlots } from '../kernel/jobs/slots.ts';
import { findActorSite, findPermittedSite } from '../kernel/sites/find-site.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import {
  findExportJobByIdempotencyKey,
  findUnfinishedExportJob,
  insertExportJob,
  type NewExportJob,
  optionsOfJob,
  type ShownExportJob,
} from './job-queries.ts';
import { findJob, linkToBundle } from './manage-exports.ts';

interface ExportRequest extends Partial<ExportJobOptions> {
  /** Identifier or hostname of the site. */
  domain: string;
  /** A repeated request with the same key starts nothing new. */
  idempotencyKey?: string;
  /** The request that starts it. */
  requestId?: string;
}

/**
 * Starts an export of the site as it is live now.
 * @param only refuses a second one of the site, and counts against the limit of the organization
 * @throws DocentError `invalid_domain`, `site_not_found`, `invalid_request` (version, language),
 *   `invalid_paths`, `plan_required`,
 * `idempotency_key_reused`, `quota_exceeded`
 */
export async function startExport(
  deps: Pick<
    Deps,
    'database' | 'jobs' | 'clock' | 'liveSites' | 'config' | 'limiter' | 'accountable'
  >,
  actor: Actor,
  request: ExportRequest,
  only?: { onCounted: (state: RateLimitState) => void },
): Promise<ShownExportJob> {
  requirePermission(actor, 'exports.write');
  requireDomain(deps, request.domain);
  const site = await findActorSite(deps, actor, request.domain);
  const live = await deps.liveSites.find(site.slug);
  if (!live)
    throw new DocentError(
      'site_not_found',
      'Nothing has been published to this site yet; publish it first.',
    );
  const pages = visiblePages(live.as('owner').build, canExport(request.audience, live.access));
  const job: NewExportJob = {
    id: createExportJobId(),
    organizationId: actor.organizationId,
    siteId: site.id,
    deploymentId: live.deploymentId,
    domain: request.domain,
    options: optionsFrom(request, selectPages(pages, request)),
    waiting: true,
    idempotencyKey: request.idempotencyKey ?? null,
    requestId: request.requestId,
    madeBy: actorId(actor),
    createdAt: deps.clock.now(),
  };
  const earlier = await findEarlier(deps.database.queries, job);
  if (earlier) return earlier;
  if (only) {
    await requireNoOther(deps.database.queries, site.id);
    await countAction(deps, actor, 'exportsPerOrganization', only.onCounted);
  }
  return exportSlots.within(deps, job.organizationId, async (transaction) => {
    // Two concurrent requests with one key: the other one was first.
    const other = await findEarlier(transaction, job);
    if (other) return other;
    if (only) await requireNoOther(transaction, site.id);
    await requireRoomForBundle(deps, transaction, job.organizationId);
    return insertExportJob(transaction, job);
  });
}

function requireDomain(deps: Pick<Deps, 'config'>, domain: string): void {
  if (siteNameOf(domain, deps.config) !== undefined) return;
  throw new DocentError(
    'invalid_domain',
    `"${domain}" is neither a site's identifier nor a hostname; omit scheme and path.`,
    {
      errors: [
        {
          path: '/domain',
          message:
            'Specify the identifier or a hostname of the site, such as "docs" or "docs.example.com".',
        },
      ],
    },
  );
}

/** Without the options that are not set, so that equal requests have equal options. */
function optionsFrom(
  { domain: _, idempotencyKey: __, requestId: ___, ...asked }: ExportRequest,
  paths: string[] | null,
): ExportJobOptions {
  const set = Object.entries({ ...asked, paths: paths ?? undefined }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...defaultExportOptions, ...(Object.fromEntries(set) as Partial<ExportJobOptions>) };
}

/** Returns the job that the same request started before. */
async function findEarlier(
  queries: QueryRunner,
  job: NewExportJob,
): Promise<ShownExportJob | undefined> {
  if (job.idempotencyKey === null) return undefined;
  const before = await findExportJobByIdempotencyKey(
    queries,
    job.organizationId,
    job.idempotencyKey,
  );
  if (!before) return undefined;
  if (before.siteId !== job.siteId || !isDeepStrictEqual(optionsOfJob(before), job.options)) {
    throw new DocentError(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for another export; use a new key for a new export.',
    );
  }
  return before;
}

/**
 * Starts the only export that a project may have at a time. A start that is refused for another
 * reason does not count.
 * @param request.project project id, identifier or hostname of the site
 * @param onCounted called with the remaining limit
 * @throws DocentError like `startExport`; `export_in_progress`; `rate_limited`
 */
export async function startProjectExport(
  deps: Parameters<typeof startExport>[0],
  actor: Actor,
  {
    project,
    ...request
  }: { project: string } & Pick<ExportRequest, 'basePath' | 'idempotencyKey' | 'requestId'>,
  onCounted: (state: RateLimitState) => void,
): Promise<ShownExportJob> {
  const site = await findPermittedSite(deps, actor, 'exports.write', project);
  return startExport(deps, actor, { domain: site.slug, ...request }, { onCounted });
}

async function requireNoOther(queries: QueryRunner, siteId: string): Promise<void> {
  const other = await findUnfinishedExportJob(queries, siteId);
  if (!other) return;
  throw new DocentError(
    'export_in_progress',
    `The job ${other.id} of this site is queued or running; wait until it ends or cancel it, then start again.`,
  );
}

/**
 * Returns an export job of a project, with a new link if it is completed and its bundle still
 * exists.
 * @throws DocentError `site_not_found`; `job_not_found`, also for jobs of other projects
 */
export async function getProjectExport(
  deps: Pick<Deps, 'database' | 'blobs' | 'config'>,
  actor: Actor,
  project: string,
  jobId: string,
) {
  const site = await findPermittedSite(deps, actor, 'exports.read', project);
  const job = await findJob(deps.database, actor, jobId);
  if (job.siteId !== site.id)
    throw new DocentError('job_not_found', 'The project has no such export job.');
  return { job, link: await linkToBundle(deps, job) };
}
