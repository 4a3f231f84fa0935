import { visibleIndex } from '@docent/compiler/bundle/exported-build.ts';
import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { indexPartKey } from '@docent/compiler/site/stored-search-scripts.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import type { BlobStore } from '../ports/blob-store.ts';

/**
 * Reads the search index of what a reader sees, and makes it if this is the first one who does. Two
 * processes that make it at once make the same bytes.
 * @returns undefined if the index is not in the store
 */
export async function readSearchIndex(
  blobs: Pick<BlobStore, 'read' | 'put'>,
  build: Pick<SiteBuild, 'pages' | 'searchIndex'>,
): Promise<Uint8Array | undefined> {
  const { searchIndex } = build;
  if (searchIndex.partOf === undefined) return blobs.read(fileKey(searchIndex));
  const key = indexPartKey(searchIndex);
  const kept = await blobs.read(key);
  if (kept !== undefined) return kept;
  const whole = await blobs.read(fileKey(searchIndex.partOf));
  if (whole === undefined) return undefined;
  const bytes = await visibleIndex(whole, build);
  await blobs.put(key, bytes, {
    contentType: 'application/octet-stream',
    sizeBytes: bytes.byteLength,
  });
  return bytes;
}
