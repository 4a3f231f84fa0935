import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import type { ExportJobRow } from '../../db/exports/export-jobs.ts';
import { findSite } from '../../db/sites/sites.ts';
import type { Deps } from '../deps.ts';
import { findJob } from './manage-exports.ts';

export interface BundleLink {
  jobId: string;
  bundleUrl: string;
  sizeBytes: number;
  expiresAt: Date;
  /** Lower-case hex; the same for every link to this job's bundle. */
  sha256: string;
  /** Content of a `.minisig` file, if the operator signs bundles. */
  signature: string | null;
}

type LinkDeps = Pick<Deps, 'database' | 'blobs' | 'config'>;

/**
 * Creates a new link to the bundle of a completed job.
 * @throws DocentError `job_not_found`, `job_not_completed`; `bundle_deleted` after its retention
 */
export async function getBundleLink(deps: LinkDeps, actor: Actor, jobId: string): Promise<BundleLink> {
  requirePermission(actor, 'exports.write');
  const job = await findJob(deps.database, actor, jobId);
  if (job.bundleDeletedAt !== null) {
    const kept = `Bundles are kept for ${deps.config.exports.retentionDays} days`;
    throw new DocentError('bundle_deleted', `${kept}, and this one was deleted; start a new export.`);
  }
  const link = await linkToBundle(deps, job);
  if (link) return link;
  const remedy = job.status === 'failed' ? 'start a new export' : 'poll it until its status is "completed"';
  throw new DocentError('job_not_completed', `The job is ${job.status}, so it has no bundle; ${remedy}.`);
}

/** Creates a new link; `undefined` if the job has no bundle. The file name contains the day on which the export started. */
export async function linkToBundle({ database, blobs, config }: LinkDeps, job: ExportJobRow): Promise<BundleLink | undefined> {
  const { bundleKey, bundleSizeBytes, bundleSha256 } = job;
  if (job.status !== 'completed' || job.bundleDeletedAt !== null) return undefined;
  if (bundleKey === null || bundleSizeBytes === null || bundleSha256 === null) return undefined;
  const site = await findSite(database.queries, job.siteId);
  const link = await blobs.presign(bundleKey, {
    expiresInSeconds: config.bundleLinkSeconds,
    filename: `${site?.slug ?? 'site'}-export-${job.createdAt.toISOString().slice(0, 10)}.tar.gz`,
  });
  return {
    jobId: job.id,
    bundleUrl: link.url,
    sizeBytes: bundleSizeBytes,
    expiresAt: link.expiresAt,
    sha256: bundleSha256,
    signature: job.bundleSignature,
  };
}
