import { createHash } from 'node:crypto';
import { fileKey } from '@docent/compiler/files/file-sink.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { QueryRunner } from '../ports/database.ts';
import { findNamedBuilds } from '../publishing/published-builds.ts';
import { findNamedBundles, findNamedSourcesOfSites } from './named-blobs.ts';

/**
 * Files of one thing that are missing from the file store, or have another content than the
 * database says.
 */
export interface StoreFault {
  site: string;
  /** What needs the files: `live deployment <id>`, `export <id>` … */
  of: string;
  missing: string[];
  changed: string[];
  remedy: string;
}

export interface StoreReport {
  /** Number of files in the store. */
  files: number;
  faults: StoreFault[];
  /**
   * Keys that nothing names: left by interrupted work, or newer than what was read of the database.
   * Workers delete them.
   */
  unnamed: string[];
}

interface Named {
  fault: StoreFault;
  sha256?: string;
}

const SHA256 = /[0-9a-f]{64}/;
const SHA256S = new RegExp(SHA256, 'g');
const READ_AT_ONCE = 8;
/** Folders of what is generated again when it is missing. */
const CACHES = ['cache/', 'outside/', 'check/'];

/**
 * Compares the file store with what the database names.
 * @param options.quick does not read files to compare their hashes
 * @param onProgress receives the number of checked files
 */
export async function verifyStore(
  { queries, blobs }: { queries: QueryRunner; blobs: BlobStore },
  options: { quick: boolean },
  onProgress: (files: number) => void = () => {},
): Promise<StoreReport> {
  const { named, hashes } = await namedFiles(queries, blobs);
  const seen = new Set<string>();
  const unnamed: string[] = [];
  let files = 0;
  const check = async (key: string) => {
    const references = named.get(key);
    const expected = references?.find(({ sha256 }) => sha256 !== undefined)?.sha256;
    if (
      references &&
      expected !== undefined &&
      !options.quick &&
      (await sha256Of(blobs, key)) !== expected
    )
      for (const { fault } of references) fault.changed.push(key);
    seen.add(key);
    // Search scripts and vectors have the hash of their index in their key.
    if (
      !references &&
      !CACHES.some((folder) => key.startsWith(folder)) &&
      !hashes.has(SHA256.exec(key)?.[0] ?? '')
    )
      unnamed.push(key);
    files += 1;
    onProgress(files);
  };
  let checks: Promise<void>[] = [];
  for await (const key of blobs.list('')) {
    if (checks.push(check(key)) < READ_AT_ONCE) continue;
    await Promise.all(checks);
    checks = [];
  }
  await Promise.all(checks);
  for (const [key, wanted] of named)
    if (!seen.has(key)) for (const { fault } of wanted) fault.missing.push(key);
  const all = new Set([...named.values()].flat().map(({ fault }) => fault));
  const faults = [...all].filter(({ missing, changed }) => missing.length + changed.length > 0);
  return { files, faults: faults.sort(byUrgency), unnamed };
}

const byUrgency = (a: StoreFault, b: StoreFault) =>
  Number(b.of.startsWith('live')) - Number(a.of.startsWith('live')) || a.site.localeCompare(b.site);

/** Returns what needs each file, and all hashes that manifests name. */
async function namedFiles(queries: QueryRunner, blobs: BlobStore) {
  const named = new Map<string, Named[]>();
  const hashes = new Set<string>();
  const add = (key: string, reference: Named) => {
    const others = named.get(key);
    if (!others) named.set(key, [reference]);
    else others.push(reference);
  };
  const fault = (site: string, of: string, remedy: string): StoreFault => ({
    site,
    of,
    missing: [],
    changed: [],
    remedy,
  });
  for (const { site, deploymentId, manifestKey, isLive, isInUse } of await findNamedBuilds(
    queries,
  )) {
    const remedy = isLive
      ? 'Publish the site again, or rebuild it in the dashboard: that writes its files again.'
      : isInUse
        ? 'Publish it again.'
        : 'Nobody reads it. Delete the deployment, or leave it to the clean-up.';
    const buildFault = fault(site, `${isLive ? 'live ' : ''}deployment ${deploymentId}`, remedy);
    add(manifestKey, { fault: buildFault });
    const bytes = await blobs.read(manifestKey);
    if (!bytes) continue;
    const text = Buffer.from(bytes).toString('utf8');
    for (const [hash] of text.matchAll(SHA256S)) hashes.add(hash);
    for (const sha256 of filesOfManifest(text, buildFault, manifestKey))
      add(fileKey({ sha256 }), { fault: buildFault, sha256 });
  }
  for (const { site, key } of await findNamedSourcesOfSites(queries))
    add(key, {
      fault: fault(
        site,
        'the newest source',
        'The site is served, but cannot be rebuilt; publish it again.',
      ),
    });
  for (const { site, jobId, key, sha256 } of await findNamedBundles(queries))
    add(key, { fault: fault(site, `export ${jobId}`, 'Export the site again.'), sha256 });
  return { named, hashes };
}

/**
 * Returns the hash of every file that a manifest names, in whatever part of it. One that cannot be
 * read counts as changed.
 */
function filesOfManifest(text: string, fault: StoreFault, manifestKey: string): Set<string> {
  const hashes = new Set<string>();
  const collect = (_name: string, value: unknown) => {
    if (
      typeof value === 'object' &&
      value !== null &&
      'sha256' in value &&
      'sizeBytes' in value &&
      typeof value.sha256 === 'string'
    )
      hashes.add(value.sha256);
    return value;
  };
  try {
    JSON.parse(text, collect);
  } catch {
    fault.changed.push(manifestKey);
  }
  return hashes;
}

/**
 * @returns undefined if it was deleted meanwhile, which the list of missing files does not know
 *   then
 */
async function sha256Of(blobs: BlobStore, key: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  const chunks = await blobs.get(key);
  if (!chunks) return undefined;
  try {
    for await (const chunk of chunks) hash.update(chunk);
  } catch {
    // Not a whole file.
    return undefined;
  }
  return hash.digest('hex');
}
