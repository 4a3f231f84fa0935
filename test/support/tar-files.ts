import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** The files of an archive; links as `-> target`. */
export async function filesInArchive(
  archive: AsyncIterable<Uint8Array>,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const entries = Readable.from(archive).pipe(createGunzip()).pipe(extract());
  for await (const entry of entries) {
    let text = '';
    for await (const chunk of entry) text += chunk;
    if (entry.header.type === 'symlink') files[entry.header.name] = `-> ${entry.header.linkname}`;
    if (entry.header.type === 'file') files[entry.header.name] = text;
  }
  return files;
}
