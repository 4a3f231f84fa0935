import { type Actor, requirePermission } from '../core/access/may.ts';
import { DocentError } from '../core/errors.ts';
import { findSite } from '../db/sites.ts';
import type { Deps } from './deps.ts';
import { findJob } from './get-export.ts';

export interface BundleLink {
  jobId: string;
  bundleUrl: string;
  sizeBytes: number;
  expiresAt: Date;
  /** Lower-case hex; the same for every link to this job's bundle. */
  sha256: string;
}

/**
 * A fresh link to the bundle of a completed job.
 * @throws DocentError `job_not_found`, `job_not_completed`
 */
export async function getBundleLink(
  { database, blobs, config }: Pick<Deps, 'database' | 'blobs' | 'config'>,
  actor: Actor,
  jobId: string,
): Promise<BundleLink> {
  requirePermission(actor, 'exports.write');
  const job = await findJob(database, actor, jobId);
  const { bundleKey, bundleSizeBytes, bundleSha256 } = job;
  if (job.status !== 'completed' || bundleKey === null || bundleSizeBytes === null || bundleSha256 === null) {
    const remedy = job.status === 'failed' ? 'start a new export' : 'ask for it until its status is "completed"';
    throw new DocentError('job_not_completed', `The job is ${job.status}, so it has no bundle; ${remedy}.`);
  }
  const site = await findSite(database.queries, job.siteId);
  const link = await blobs.presign(bundleKey, {
    expiresInSeconds: config.bundleLinkSeconds,
    filename: `${site?.slug ?? 'site'}-export-${job.createdAt.toISOString().slice(0, 10)}.tar.gz`,
  });
  return { jobId, bundleUrl: link.url, sizeBytes: bundleSizeBytes, expiresAt: link.expiresAt, sha256: bundleSha256 };
}
