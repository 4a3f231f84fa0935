import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocentError } from '@docent/format/errors.ts';
import { packBundle } from '../files/pack-bundle.ts';
import {
  type ArchiveLimits,
  ArchiveMeter,
  defaultArchiveLimits,
  readEntries,
  type TarEntry,
} from './archive-entries.ts';
import {
  ArchiveContents,
  entryPath,
  isSkippedPath,
  type LinkedFile,
  linkTarget,
  refusedEntry,
} from './archive-paths.ts';
import { hasConfig, type SourcePart } from './folder-files.ts';
import { openSourceFolder, type SourceTree } from './source-tree.ts';

export interface SourceFile {
  /** Words separated by `/`, no slash at either end; never outside the source. */
  path: string;
  bytes: Uint8Array;
}

/**
 * Yields the files of an uploaded `.tar.gz` as they arrive; the stream waits while a file is
 * processed. Links inside the archive become copies, after everything else. Of two files with the
 * same path the later one counts. `.git`, `node_modules` and anything that is not part of a source
 * are left out.
 *
 * @param recall returns a file that was yielded before, for a link to it
 * @throws DocentError `invalid_archive`, which names the entry: for a path or link outside the
 *   source, a device, or an archive that is damaged, truncated, empty or exceeds `limits`. Errors
 *   of `stream` are passed on.
 */
export async function* readSourceArchive(
  stream: AsyncIterable<Uint8Array>,
  recall: (path: string) => Promise<Uint8Array>,
  limits: Partial<ArchiveLimits> = {},
): AsyncGenerator<SourceFile> {
  const meter = new ArchiveMeter({ ...defaultArchiveLimits, ...limits });
  const contents = new ArchiveContents();
  for await (const { path, entry } of readFiles(stream, contents, meter))
    yield { path, bytes: await entry.read() };
  for (const { path, source } of linkedFiles(contents, meter)) {
    const bytes = await recall(source);
    meter.countUnpacked(bytes.length);
    yield { path, bytes };
  }
}

/**
 * Reads an archive to its end like `readSourceArchive`, without holding a file.
 * @throws DocentError like `readSourceArchive`, except that copies of linked files exceeding a byte
 *   limit are found only by reading them
 */
export async function checkSourceArchive(stream: AsyncIterable<Uint8Array>): Promise<void> {
  const meter = new ArchiveMeter(defaultArchiveLimits);
  const contents = new ArchiveContents();
  for await (const _ of readFiles(stream, contents, meter));
  for (const _ of linkedFiles(contents, meter));
}

async function* readFiles(
  stream: AsyncIterable<Uint8Array>,
  contents: ArchiveContents,
  meter: ArchiveMeter,
): AsyncGenerator<{ path: string; entry: TarEntry }> {
  let count = 0;
  for await (const entry of readEntries(stream, meter)) {
    meter.countEntries();
    const path = await addEntry(entry, contents, meter);
    if (path === undefined) continue;
    count += 1;
    yield { path, entry };
  }
  if (count === 0) throw new DocentError('invalid_archive', 'The archive contains no files.');
}

function* linkedFiles(contents: ArchiveContents, meter: ArchiveMeter): Generator<LinkedFile> {
  for (const { path, source } of contents.linkedFiles(() => meter.countEntries())) {
    meter.countEntries();
    if (!isSkippedPath(path)) yield { path: entryPath(path), source };
  }
}

/** Records the type of the entry. Returns its path if it is a file to yield. */
async function addEntry(
  entry: TarEntry,
  contents: ArchiveContents,
  meter: ArchiveMeter,
): Promise<string | undefined> {
  const { name, type } = entry;
  const path = entryPath(name);
  if (type === 'other') throw refusedEntry(name, 'it is neither a file nor a folder nor a link');
  if (path === '' && type !== 'folder') throw refusedEntry(name, 'it has no name');
  if (type === 'folder' || isSkippedPath(path)) return undefined;
  if (type === 'file') {
    meter.checkFile(path, entry.sizeBytes);
    meter.countEntries(contents.add(path));
    return path;
  }
  const base = type === 'symbolic-link' ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : '';
  meter.countEntries(contents.add(path, linkTarget(name, entry.linkName, base)));
  return undefined;
}

/**
 * Packs the files of a folder as a `.tar.gz` for `readSourceArchive`: identical folders give
 * identical bytes. `.git` and
 * `node_modules` are left out, and links become copies.
 * @param gitFacts as in `openSourceFolder`
 * @param parts as in `openSourceFolder`
 */
export function packSourceFolder(
  folder: string,
  gitFacts?: string,
  parts?: readonly SourcePart[],
): AsyncIterable<Uint8Array> {
  return packBundle(filesIn(openSourceFolder(folder, gitFacts, parts)));
}

async function* filesIn(source: SourceTree): AsyncGenerator<SourceFile> {
  for (const path of source.paths()) {
    const bytes = source.readBytes(path);
    // A file may disappear while the folder is packed.
    if (bytes !== undefined) yield { path, bytes };
  }
}

/**
 * Unpacks an uploaded source into an empty folder.
 * @returns the content root: the folder itself, or the single folder in it that contains the
 *   configuration
 * @throws DocentError `invalid_archive`, naming the entry
 */
export async function unpackSource(
  archive: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<string> {
  const parents = new Set<string>();
  for await (const { path, bytes } of readSourceArchive(archive, (path) =>
    readFile(join(folder, path)),
  )) {
    const target = join(folder, path);
    const parent = dirname(target);
    if (!parents.has(parent)) mkdirSync(parent, { recursive: true });
    parents.add(parent);
    // Waiting for each of a thousand small files takes three times as long as writing them.
    writeFileSync(target, bytes);
  }
  return findContentRoot(folder);
}

/**
 * Archives of a repository often contain a single folder with everything in it: settings, or pages
 * without them.
 */
function findContentRoot(folder: string): string {
  const [only, ...others] = readdirSync(folder, { withFileTypes: true });
  if (hasConfig(folder) || !only?.isDirectory() || others.length > 0) return folder;
  const inner = join(folder, only.name);
  const hasPages = readdirSync(inner).some((name) => /\.mdx?$/i.test(name));
  return hasConfig(inner) || hasPages ? inner : folder;
}
