import { deleteSourceBytes, findNamedSources, findNeededSources } from '../../db/deployments/kept-builds.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { inGroups } from '../in-groups.ts';

const UPLOAD_FOLDER = 'uploads/';
const ULID_TIME_LENGTH = 10;
const HOUR_MS = 3_600_000;
/** An upload has no deployment until it is complete; none takes this long. */
const MAX_UPLOAD_MS = 24 * HOUR_MS;

/** Returns the blob key of a deployment's archive. */
export function sourceKeyOf(deploymentId: string): string {
  return `${UPLOAD_FOLDER}${deploymentId}.tar.gz`;
}

/**
 * Deletes uploaded sources that will not be built again: of deployments that ended over an hour ago, except the newest of each
 * site, and those that no deployment refers to.
 */
export async function cleanUpUploads({
  database,
  blobs,
  clock,
  logger,
}: Pick<Deps, 'database' | 'blobs' | 'clock' | 'logger'>): Promise<void> {
  const now = clock.now().getTime();
  const needed = await findNeededSources(database.queries, new Date(now - HOUR_MS));
  const newestTime = createUlid(new Date(now - MAX_UPLOAD_MS)).slice(0, ULID_TIME_LENGTH);
  let deleted = 0;
  for await (const keys of inGroups(blobs.list(UPLOAD_FOLDER))) {
    const known = await findNamedSources(database.queries, keys);
    const isOld = (key: string) => key.slice(UPLOAD_FOLDER.length).slice(0, ULID_TIME_LENGTH) < newestTime;
    const needless = keys.filter((key) => (known.has(key) ? !needed.has(key) : isOld(key)));
    await Promise.all(needless.map((key) => blobs.delete(key)));
    await deleteSourceBytes(database.queries, needless);
    deleted += needless.length;
  }
  if (deleted > 0) logger.info({ files: deleted }, 'uploaded sources of earlier builds were deleted');
}
