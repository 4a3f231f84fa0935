import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import {
  bytesInMemory,
  type IndexBytes,
  type PartContent,
  wholeOf,
} from '@docent/search/index/index-format.ts';
import { buildSite } from '../build-site.ts';
import { createFileOutbox } from '../files/file-outbox.ts';
import { describeFile } from '../files/file-sink.ts';
import { IndexFile, writeHashed } from '../files/record-file.ts';
import type { OutsideRequest, OutsideResult } from '../outside/outside.ts';
import { compilerVersion, openPagePack, type PagePackFiles } from '../pages/page-pack.ts';
import type { BuildWork } from '../process/build-limits.ts';
import { answerCalls, withTransfer } from '../process/calls.ts';
import { type BuildSummary, type FormerBuilds, summarizeBuild } from '../site/build-summary.ts';
import { makeStoredScripts } from '../site/stored-search-scripts.ts';
import type { SourcePart } from '../source/folder-files.ts';
import { unpackSource } from '../source/source-archive.ts';

/** Start data of a build thread. */
export interface BuildThreadData {
  folder: string;
  /** Whether an archive is unpacked into the folder first; its files are removed with the build. */
  hasArchive: boolean;
  threads: number;
  gitFacts: string | undefined;
  parts: readonly SourcePart[] | undefined;
  /** The page packs of the last build and of this one; absent if pages are not cached. */
  pagePack: PagePackFiles | undefined;
  /** As in `BuildOptions`. */
  asksQuestions: boolean | undefined;
  /** As in `BuildOptions`. */
  canSignIn: boolean | undefined;
  /** Whether the caller answers `fetch`. */
  fetches: boolean;
  /** Whether the caller says what a build was working on that it stopped: also each file. */
  namesFiles: boolean;
  /** Where large files are written for the caller; if absent, they are sent. */
  largeFolder: string | undefined;
  /**
   * Where the scripts of the search index are written for the caller; if absent, they are not made.
   */
  scriptsFolder: string | undefined;
}

/** Sending a file takes several times its size, in both processes. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** What the process that started the thread does for it. */
export interface BuildHost {
  /** Stores a file. */
  store(bytes: Uint8Array, file: FileEntry): Promise<void>;
  /** Stores a file of `largeFolder`. */
  storeLarge(path: string, file: FileEntry): Promise<void>;
  /** Returns whether the scripts of a search index are stored. */
  hasScripts(searchIndex: FileEntry): Promise<boolean>;
  /** Stores a file of `scriptsFolder`. */
  storeScripts(path: string, searchIndex: FileEntry): Promise<void>;
  /** Returns the hashes of the files that the store does not have; these are then sent. */
  missingOf(files: FileEntry[]): Promise<string[]>;
  /** Returns the path of the archive, once it is whole. */
  archive(): Promise<string>;
  fetch(url: string, request: OutsideRequest): Promise<OutsideResult>;
  /** Called once the build is finished, for its summary. */
  formerBuilds(): Promise<FormerBuilds>;
  onProgress(pagesDone: number, pagesTotal: number): void;
  onWork(work: BuildWork): void;
}

export interface BuildThreadCalls {
  /** Builds the site once. @throws like `buildSite` */
  build(): Promise<SiteBuild>;
  /** The same, but leaves its manifest in a file, as in `SummaryOptions`. */
  buildToFile(manifest: string, hasIntegrations: boolean): Promise<BuildSummary>;
}

const PROGRESS_MS = 100;

const data = workerData as BuildThreadData;
const {
  folder,
  hasArchive,
  threads,
  gitFacts,
  parts,
  pagePack,
  asksQuestions,
  canSignIn,
  fetches,
  namesFiles,
  largeFolder,
  scriptsFolder,
} = data;

/** Returns the buffer of the bytes if it has no others, so that it is passed on without a copy. */
function wholeBuffer({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

const host = answerCalls<BuildHost>({ build, buildToFile } satisfies BuildThreadCalls);

let reportedAt = 0;
/** Throttled: a message costs as much as processing a cached page. */
function tellProgress(pagesDone: number, pagesTotal: number): void {
  const now = performance.now();
  if (pagesDone < pagesTotal && now - reportedAt < PROGRESS_MS) return;
  reportedAt = now;
  void host.onProgress.asEvent(pagesDone, pagesTotal);
}

let toldStage = '';
/** A message for each file that is read would take as long as all of them do. */
function tellWork(work: BuildWork): void {
  if (!namesFiles && work.stage === toldStage) return;
  toldStage = work.stage;
  void host.onWork.asEvent(work);
}

const outbox = createFileOutbox((bytes, file) => {
  if (largeFolder === undefined || file.sizeBytes < LARGE_BYTES)
    return host.store(withTransfer(bytes, wholeBuffer(bytes)), file);
  const path = join(largeFolder, file.sha256);
  writeFileSync(path, bytes, { mode: 0o600 });
  return host.storeLarge(path, file);
});
const seen = new Set<string>();
const kept = new Map<string, { file: FileEntry; read: () => Uint8Array }>();
const cache = pagePack && openPagePack(pagePack, compilerVersion());

/**
 * Unpacks in this process, so that the process that serves readers does not write and delete up to
 * 50,000 files.
 */
async function unpack(): Promise<string> {
  const packed = await host.archive();
  tellWork({ stage: 'unpacking the source' });
  return unpackSource(createReadStream(packed), folder);
}

function deleteUnpacked(): void {
  if (hasArchive) rmSync(folder, { recursive: true, force: true });
}

async function add(bytes: Uint8Array, type: string, sha256?: string): Promise<FileEntry> {
  const file = describeFile(bytes, type, sha256);
  if (seen.has(file.sha256)) return file;
  seen.add(file.sha256);
  await outbox.send(bytes, file);
  return file;
}

/** The search index that was added last: that of the part which everybody may read. */
let openIndex: (() => IndexBytes & { close(): void }) | undefined;

async function addSearchIndex(index: PartContent, type: string): Promise<FileEntry> {
  if (largeFolder === undefined || index.sizeBytes < LARGE_BYTES) {
    const bytes = wholeOf(index);
    // What is sent is not here any more.
    const copy = scriptsFolder === undefined ? undefined : bytes.slice();
    openIndex = copy && (() => ({ ...bytesInMemory(copy), close() {} }));
    return add(bytes, type);
  }
  const path = join(largeFolder, `search-index-${randomUUID()}`);
  const file = { sha256: writeHashed(path, index.chunks()), sizeBytes: index.sizeBytes, type };
  openIndex = () => new IndexFile(path, file.sizeBytes);
  if (!seen.has(file.sha256)) await host.storeLarge(path, file);
  seen.add(file.sha256);
  return file;
}

/**
 * Makes what readers and exports get of the search index, so that the process which serves readers
 * need not hold the index for that.
 */
async function makeScripts(build: SiteBuild): Promise<void> {
  const { searchIndex } = build;
  if (scriptsFolder === undefined || !openIndex || (await host.hasScripts(searchIndex))) return;
  tellWork({ stage: 'splitting the search index' });
  const index = openIndex();
  const { chunks, close } = await makeStoredScripts(index, build);
  index.close();
  const path = join(scriptsFolder, `${searchIndex.sha256}.scripts`);
  await writeFile(path, chunks, { mode: 0o600 });
  close();
  await host.storeScripts(path, searchIndex);
}

async function build(): Promise<SiteBuild> {
  try {
    const siteBuild = await buildSite(
      hasArchive ? await unpack() : folder,
      {
        add,
        addSearchIndex,
        addKept(file, read) {
          kept.set(file.sha256, { file, read });
        },
      },
      {
        threads,
        gitFacts,
        parts,
        cache,
        asksQuestions,
        canSignIn,
        onProgress: tellProgress,
        onWork: tellWork,
        fetchOutside: fetches ? (url, request) => host.fetch(url, request) : undefined,
      },
    );
    const missing = host.missingOf([...kept.values()].map(({ file }) => file));
    missing.catch(() => {});
    // While the store is asked.
    await makeScripts(siteBuild);
    for (const sha256 of await missing) {
      const keptFile = kept.get(sha256);
      if (keptFile) await outbox.send(keptFile.read(), keptFile.file);
    }
    await outbox.empty();
    cache?.write();
    // This thread is about to be ended, and Node.js writes its cache only on a regular exit.
    flushCompileCache();
    return siteBuild;
  } finally {
    deleteUnpacked();
  }
}

async function buildToFile(manifest: string, hasIntegrations: boolean): Promise<BuildSummary> {
  const siteBuild = await build();
  return summarizeBuild(siteBuild, manifest, await host.formerBuilds(), hasIntegrations);
}
