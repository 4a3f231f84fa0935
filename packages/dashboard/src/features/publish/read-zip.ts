import { unzipSync } from 'fflate';
import type { TarFile } from './tar.ts';

/**
 * Reads the files of a zip archive, such as the one that GitHub offers for a repository.
 * @param isRead decides on each file before it is unpacked
 * @throws Error if the archive is damaged; any error of `isRead`
 */
export async function readZip(
  archive: File,
  isRead: (path: string, sizeBytes: number) => boolean,
): Promise<TarFile[]> {
  const packed = new Uint8Array(await archive.arrayBuffer());
  let refusal: unknown;
  try {
    const files = unzipSync(packed, {
      filter: ({ name, originalSize }) => {
        try {
          return !name.endsWith('/') && isRead(name, originalSize);
        } catch (error) {
          refusal = error;
          throw error;
        }
      },
    });
    return Object.entries(files).map(([path, content]) => ({
      path,
      content: new Blob([content as BlobPart]),
    }));
  } catch {
    throw (
      refusal ??
      new Error(
        `${archive.name} is not a zip archive, or it is damaged. Download or create it again.`,
      )
    );
  }
}
