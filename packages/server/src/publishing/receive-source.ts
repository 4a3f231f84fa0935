import type { ArchiveChecker } from '@docent/compiler/source/archive-checker.ts';
import { type Actor, actorId } from '@docent/format/access/may.ts';
import {
  type Commit,
  type DeploymentSource,
  readCommit,
  type SentCommit,
} from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import { countAction, pastStorageQuota, roomOf } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { atPace } from '../lib/at-pace.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import { openPreview } from '../previews/open-preview.ts';
import { sourceKeyOf } from './clean-up-builds.ts';
import { startDeployment } from './start-deployment.ts';

/** Maximum size of a compressed archive. */
export const MAX_SOURCE_BYTES = 512 * 1024 * 1024;

interface ReceiveDeps {
  uploads: ReturnType<typeof createUploadSlots>;
  archives: ArchiveChecker;
}

/**
 * Stores an uploaded source and starts its build. The archive is checked while it is stored, in one
 * pass and without holding it: a refused one leaves nothing behind.
 * @param project identifier, project id or hostname of the site
 * @param upload bytes of a `.tar.gz`, the size that the client announced or 0, the preview that it
 *   is for, and where it comes from
 * @param onCounted called with the remaining limit
 * @returns id of the deployment, and the address of the preview
 * @throws DocentError `site_not_found`; `rate_limited`, `upload_too_slow`, `quota_exceeded`;
 *   `invalid_archive`, naming the entry;
 *   `body_too_large`
 */
export async function receiveSource(
  deps: Pick<
    Deps,
    'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'limiter' | 'passwords' | 'accountable'
  > &
    ReceiveDeps,
  actor: Actor,
  project: string,
  upload: Upload & { preview?: string | undefined; commit: SentCommit },
  onCounted: (state: RateLimitState) => void,
): Promise<{ statusId: string; previewUrl?: string }> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  return deps.uploads.hold(await deps.accountable(actor.organizationId), async () => {
    // Before the upload is read: a refused archive is work too.
    await countAction(deps, actor, 'publishesPerOrganization', onCounted);
    const preview =
      upload.preview === undefined
        ? undefined
        : await openPreview(deps, actor, site.id, upload.preview);
    const owner = {
      organizationId: actor.organizationId,
      siteId: site.id,
      previewId: preview?.id,
      actor: actorId(actor),
      commit: readCommit(upload.commit),
    };
    const statusId = await storeSource(deps, owner, upload);
    return preview ? { statusId, previewUrl: preview.url } : { statusId };
  });
}

interface Upload {
  archive: AsyncIterable<Uint8Array>;
  expectedBytes: number;
  source: DeploymentSource;
  requestId: string;
}

async function storeSource(
  deps: Pick<Deps, 'database' | 'blobs' | 'jobs' | 'clock' | 'config'> &
    Pick<ReceiveDeps, 'archives'>,
  owner: {
    organizationId: string;
    siteId: string;
    previewId: string | undefined;
    actor: string;
    commit: Commit | null;
  },
  { archive, expectedBytes, source, requestId }: Upload,
): Promise<string> {
  const id = createUlid(deps.clock.now());
  const sourceKey = sourceKeyOf(id);
  const room = await roomOf(deps.database.queries, deps.config, owner.organizationId);
  const past = () => pastStorageQuota(deps.config, 'This upload');
  if (room <= 0 || expectedBytes > room) throw past();
  const bytes = deps.archives.checked(
    withinBytes(atPace(archive, deps.config.publishing.uploads), { bytes: room, past }),
  );
  const { sizeBytes } = await deps.blobs.put(sourceKey, bytes, { contentType: 'application/gzip' });
  try {
    await startDeployment(deps, {
      id,
      ...owner,
      source,
      requestId,
      sourceKey,
      sourceBytes: sizeBytes,
    });
  } catch (error) {
    await deps.blobs.delete(sourceKey);
    throw error;
  }
  return id;
}

/**
 * Passes an archive through. @throws DocentError `body_too_large`; the error of `room` where it is
 * larger than that
 */
export async function* withinBytes(
  archive: AsyncIterable<Uint8Array>,
  room: { bytes: number; past: () => Error },
): AsyncIterable<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of archive) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_SOURCE_BYTES) throw tooLarge();
    if (sizeBytes > room.bytes) throw room.past();
    yield chunk;
  }
}

export function tooLarge(): DocentError {
  return new DocentError(
    'body_too_large',
    `A source archive has at most ${MAX_SOURCE_BYTES / 1024 / 1024} MB; remove files that the site does not use.`,
  );
}

const RETRY_SECONDS = 5;

/** Limits the concurrent uploads of an organization to this process. */
export function createUploadSlots(perOrganization: number) {
  const open = new Map<string, number>();
  return {
    /**
     * Runs `work` while it counts as an open upload.
     * @throws DocentError `rate_limited` if the organization has too many; any error of `work`
     */
    async hold<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
      const count = open.get(organizationId) ?? 0;
      if (count >= perOrganization) {
        throw new DocentError(
          'rate_limited',
          `An organization may have ${perOrganization} uploads open at a time; wait until one of them has ended.`,
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      open.set(organizationId, count + 1);
      try {
        return await work();
      } finally {
        const left = (open.get(organizationId) ?? 1) - 1;
        if (left === 0) open.delete(organizationId);
        else open.set(organizationId, left);
      }
    },
  };
}
