import { type FileEntry, readSiteBuild } from '@docent/format/build/site-build.ts';
import { canExport } from '@docent/format/exports/export-audience.ts';
import type { ArchiveForm } from '@docent/format/exports/export-options.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { themeFilesOnDisk } from '../assets/dist-files.ts';
import { type BundleInput, bundleFiles } from '../bundle/bundle-files.ts';
import { exportedBuild, visibleIndex } from '../bundle/exported-build.ts';
import type { BundleFile } from '../files/bundle-file.ts';
import { fileKey } from '../files/file-sink.ts';
import { packBundle } from '../files/pack-bundle.ts';
import { answerCalls } from '../process/calls.ts';
import { limitGarbage } from '../process/limit-garbage.ts';
import {
  type ByteRange,
  searchScriptsKey,
  storedSearchFiles,
} from '../site/stored-search-scripts.ts';
import type { ExportStore, StoreModule } from './export-store.ts';
import { endOwnGroup } from './work-process.ts';

/** What the process is to pack: the first message to it. */
export interface ExportProcessStart
  extends Omit<
    BundleInput,
    'build' | 'readFile' | 'storedSearchFiles' | 'theme' | 'onPage' | 'onReport'
  > {
  /** Key of the manifest of the build in the file store. */
  manifestKey: string;
  /** Whether the site asks its readers to sign in. */
  isPrivate: boolean;
  form: ArchiveForm;
  /** Opens the file store in this process; if absent, files come from the other process. */
  store?: StoreModule | undefined;
}

/** What the process that started this one does for it. */
export interface ExportHost extends ExportStore {
  onPage(pagesDone: number, pagesTotal: number): void;
  onReport(report: ExportReport): void;
}

export interface ExportProcessCalls {
  begin(start: ExportProcessStart): Promise<void>;
  /** Returns the next bytes of the archive; nothing after the last. */
  next(): Promise<Uint8Array | undefined>;
}

/**
 * Larger files are fetched in parts: passing one on takes several times its size, in both
 * processes.
 */
const PART_BYTES = 2 * 1024 * 1024;
const PROGRESS_MS = 100;

let archive: AsyncIterator<Uint8Array> | undefined;
const host = answerCalls<ExportHost>({
  async begin(start) {
    archive = archiveOf(start);
  },
  async next() {
    const result = await archive?.next();
    return result?.done ? undefined : result?.value;
  },
} satisfies ExportProcessCalls);
process.on('disconnect', endOwnGroup);

async function openStore({ store }: ExportProcessStart): Promise<ExportStore> {
  if (!store) return { read: (question) => host.read(question), has: (key) => host.has(key) };
  const module = (await import(store.module)) as {
    openStore(options: unknown): ExportStore;
  };
  return module.openStore(store.options);
}

async function read(store: ExportStore, key: string, range?: ByteRange): Promise<Uint8Array> {
  const bytes = await store.read({ key, ...(range && { range }) });
  if (!bytes) throw new Error(`The file ${key} is missing from the blob store.`);
  return bytes;
}

async function readInParts(
  store: ExportStore,
  key: string,
  sizeBytes: number,
): Promise<Uint8Array> {
  if (sizeBytes <= PART_BYTES) return read(store, key);
  const whole = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes; at += PART_BYTES) {
    whole.set(
      await read(store, key, { start: at, end: Math.min(at + PART_BYTES, sizeBytes) - 1 }),
      at,
    );
  }
  return whole;
}

async function* archiveOf(start: ExportProcessStart): AsyncGenerator<Uint8Array> {
  const { manifestKey, isPrivate, form, ...input } = start;
  const store = await openStore(start);
  const whole = readSiteBuild(new TextDecoder().decode(await read(store, manifestKey)));
  // A bundle reports errors alone; the warnings may be a third of the build.
  whole.report.diagnostics = whole.report.diagnostics.filter(
    ({ severity }) => severity === 'error',
  );
  const build = exportedBuild(whole, canExport(input.options.audience, { isPrivate }));
  const { partOf } = build.searchIndex;
  const readWhole = (file: FileEntry) => readInParts(store, fileKey(file), file.sizeBytes);
  const scripts = searchScriptsKey(build.searchIndex);
  const hasScripts = await store.has(scripts);
  let reportedAt = 0;
  const files = bundleFiles({
    ...input,
    build,
    readFile: async (file) =>
      partOf && file === build.searchIndex
        ? visibleIndex(await readWhole(partOf), build)
        : readWhole(file),
    ...(hasScripts && {
      storedSearchFiles: () => storedSearchFiles((range) => read(store, scripts, range)),
    }),
    theme: await themeFilesOnDisk(),
    onPage(pagesDone, pagesTotal) {
      const now = performance.now();
      if (pagesDone < pagesTotal && now - reportedAt < PROGRESS_MS) return;
      reportedAt = now;
      void host.onPage.asEvent(pagesDone, pagesTotal);
    },
    // The other process decides whether too many pages failed, and ends this one.
    onReport: (report) => void host.onReport.asEvent(report),
  });
  yield* packBundle(withLittleGarbage(files), form);
}

async function* withLittleGarbage(files: AsyncIterable<BundleFile>): AsyncGenerator<BundleFile> {
  for await (const file of files) {
    yield file;
    limitGarbage();
  }
}
