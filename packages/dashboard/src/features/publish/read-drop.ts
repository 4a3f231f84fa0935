import { bytes } from '../../ui/format.ts';
import type { TarFile } from './tar.ts';

const LEFT_OUT = new Set(['node_modules', '.git', '.DS_Store', '.next', '.venv', '__pycache__']);
const MAX_FILES = 20_000;
const MAX_BYTES = 500_000_000;
const MAX_DEPTH = 32;

/** The dropped or chosen files: an archive, or the files of a folder or zip archive. */
export type Dropped =
  | { kind: 'archive'; file: File }
  | { kind: 'folder'; name: string; files: TarFile[] };

/**
 * Reads files dropped on the page.
 * @throws Error that says what to drop instead
 */
export async function readDrop(transfer: DataTransfer): Promise<Dropped> {
  // Entries are only available until the first await.
  const [entry, ...others] = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((fileSystemEntry) => fileSystemEntry !== null);
  if (!entry) throw new Error('Drop a folder, or a .tar.gz or .zip archive.');
  if (others.length > 0) throw new Error('Drop one folder or one archive.');
  if (entry.isFile) return archiveOf(await fileOf(entry as FileSystemFileEntry));
  const collector = createCollector();
  await readFolder(entry as FileSystemDirectoryEntry, '', 0, collector.add);
  return { kind: 'folder', name: entry.name, files: docsRoot(collector.files) };
}

/** Reads the files of a file dialog; in a folder, each file knows its path in it. */
export async function readChosen(list: FileList): Promise<Dropped> {
  const [first] = list;
  if (!first) throw new Error('Choose a folder, or a .tar.gz or .zip archive.');
  if (first.webkitRelativePath === '') return archiveOf(first);
  const collector = createCollector();
  for (const file of list) {
    const path = file.webkitRelativePath.replace(/^[^/]*\//, '');
    if (!isLeftOut(path)) collector.add(path, file);
  }
  return {
    kind: 'folder',
    name: first.webkitRelativePath.split('/')[0] as string,
    files: docsRoot(collector.files),
  };
}

async function archiveOf(file: File): Promise<Dropped> {
  if (/\.(?:tar\.gz|tgz)$/i.test(file.name)) return { kind: 'archive', file };
  if (!/\.zip$/i.test(file.name)) {
    const remedy = 'Unpack it and drop the folder, or pack it with "tar -czf".';
    throw new Error(`${file.name} is not a .tar.gz or .zip archive. ${remedy}`);
  }
  const collector = createCollector();
  const { readZip } = await import('./read-zip.ts');
  const files = await readZip(file, (path, sizeBytes) => {
    if (isLeftOut(path)) return false;
    collector.count(sizeBytes);
    return true;
  });
  return { kind: 'folder', name: file.name.replace(/\.zip$/i, ''), files: docsRoot(files) };
}

function isLeftOut(path: string): boolean {
  return path.split('/').some((name) => LEFT_OUT.has(name));
}

function createCollector() {
  const files: TarFile[] = [];
  let fileCount = 0;
  let size = 0;
  const count = (sizeBytes: number) => {
    fileCount++;
    size += sizeBytes;
    if (fileCount > MAX_FILES)
      throw new Error(
        `There are more than ${MAX_FILES} files. Drop the folder that contains docs.json.`,
      );
    if (size > MAX_BYTES)
      throw new Error(
        `The files have more than ${bytes(MAX_BYTES)}. Drop the folder that contains docs.json.`,
      );
  };
  const add = (path: string, file: File) => {
    count(file.size);
    files.push({ path, content: file });
  };
  return { files, count, add };
}

async function readFolder(
  folder: FileSystemDirectoryEntry,
  path: string,
  depth: number,
  add: (path: string, file: File) => void,
): Promise<void> {
  if (depth > MAX_DEPTH) throw new Error(`The folder ${path} is too deep.`);
  const reader = folder.createReader();
  for (;;) {
    // Browsers return a hundred at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (LEFT_OUT.has(entry.name)) continue;
      const place = `${path}${entry.name}`;
      if (entry.isFile) add(place, await fileOf(entry as FileSystemFileEntry));
      else await readFolder(entry as FileSystemDirectoryEntry, `${place}/`, depth + 1, add);
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/**
 * Returns the files of the documentation: those of the folder that contains `docs.json`, the
 * shallowest one if there are several; without one, those of the shallowest folder with Markdown,
 * whose menu follows its folders.
 * @throws Error if there is neither
 */
export function docsRoot(files: readonly TarFile[]): TarFile[] {
  const shallowest = (name: RegExp) =>
    files
      .map(({ path }) => ({
        folder: path.slice(0, path.lastIndexOf('/') + 1),
        name: path.slice(path.lastIndexOf('/') + 1),
      }))
      .filter((file) => name.test(file.name))
      .map(({ folder }) => folder)
      .sort((a, b) => a.split('/').length - b.split('/').length || a.length - b.length)[0];
  const root = shallowest(/^(?:docs|mint)\.json$/) ?? shallowest(/\.mdx?$/i);
  if (root === undefined)
    throw new Error(
      'There are no Markdown files and no docs.json. Drop the folder that contains them.',
    );
  return files
    .filter(({ path }) => path.startsWith(root))
    .map(({ path, content }) => ({ path: path.slice(root.length), content }));
}
