import { fdatasyncSync } from 'node:fs';
import { access, chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { initParams, isUsableTemplate, unpackTemplate } from './database-template.ts';
import type { PgliteWorkerData } from './pglite.ts';

const startParams = [
  // Without `-F`, which turns fsync off: an acknowledged row must survive a power cut.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  // Opens the log so that each write is on disk when it returns. `open_sync` would hang here.
  'wal_sync_method=open_datasync',
  '-c',
  'shared_buffers=16MB',
  '-c',
  'max_wal_size=64MB',
];

interface OpenedEngine {
  engine: PGlite;
  source: 'opened' | 'template' | 'initialized';
}

/**
 * Starts the embedded PostgreSQL on a folder or in memory. A new folder is created from the
 * template if there is one.
 */
export async function openEngine(
  options: PgliteWorkerData,
  log: (line: string) => void,
): Promise<OpenedEngine> {
  const { folder } = options;
  const usableTemplate = async () =>
    (await isUsableTemplate(options.templateFile)) ? options.templateFile : undefined;
  if (folder === undefined) return openInMemory(await usableTemplate(), log);
  const source = (await isDatabase(folder))
    ? 'opened'
    : await createFolder(folder, await usableTemplate(), log);
  await chmod(folder, 0o700);
  const engine = await start({ dataDir: folder }, log);
  syncDataFiles(engine);
  return { engine, source };
}

async function openInMemory(
  templateFile: string | undefined,
  log: (line: string) => void,
): Promise<OpenedEngine> {
  const loadDataDir =
    templateFile === undefined ? undefined : new Blob([await readFile(templateFile)]);
  const engine = await start({ dataDir: 'memory://', ...(loadDataDir && { loadDataDir }) }, log);
  return { engine, source: loadDataDir ? 'template' : 'initialized' };
}

/**
 * Creates the database in a temporary folder and moves it when it is complete, so that a crash
 * leaves all or nothing.
 */
async function createFolder(
  folder: string,
  templateFile: string | undefined,
  log: (line: string) => void,
) {
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  if (templateFile !== undefined) await unpackTemplate(templateFile, unfinished);
  else await (await start({ dataDir: unfinished }, log)).close();
  // An empty folder may exist already, for example of a mounted volume.
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  await syncFolder(dirname(folder));
  return templateFile === undefined ? 'initialized' : 'template';
}

function start(
  place: { dataDir: string; loadDataDir?: Blob },
  log: (line: string) => void,
): Promise<PGlite> {
  const onLine = (line: string) => {
    log(line);
    return true;
  };
  return PGlite.create({
    ...place,
    startParams,
    initDbStartParams: initParams,
    onStdout: onLine,
    onStderr: onLine,
  });
}

/**
 * The engine's own file layer implements `fsync` as a no-op. Checkpoints rely on it: they drop the
 * log of what they wrote. If a newer engine has a different file layer, nothing is changed.
 */
function syncDataFiles(engine: PGlite): void {
  const nodeFiles = (engine.Module as { NODEFS?: { stream_ops?: Record<string, unknown> } }).NODEFS;
  if (nodeFiles?.stream_ops === undefined) return;
  nodeFiles.stream_ops.fsync = (stream: { nfd?: number }) => {
    if (stream.nfd !== undefined) fdatasyncSync(stream.nfd);
    return 0;
  };
}

async function isDatabase(folder: string): Promise<boolean> {
  return access(`${folder}/PG_VERSION`).then(
    () => true,
    () => false,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

/** Message types of the PostgreSQL wire protocol that the bridge handles itself. */
export const terminateType = 0x58;

/** Ends an extended query, even after an error, so that the server accepts messages again. */
export const syncFrame: Uint8Array = Uint8Array.of(0x53, 0, 0, 0, 4);

/**
 * Splits the bytes that a client of the PostgreSQL wire protocol (version 3) sends into messages,
 * because the embedded engine accepts one message at a time. The first message of a connection, the
 * startup packet, has no type byte.
 */
export class WireFrames {
  #rest: Uint8Array = new Uint8Array(0);
  #started = false;

  /** Takes the next bytes and returns the messages that are now complete. */
  push(bytes: Uint8Array): Uint8Array[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Uint8Array[] = [];
    for (;;) {
      const length = this.#nextLength(rest);
      if (length === undefined || rest.length < length) break;
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      this.#started = true;
    }
    this.#rest = rest;
    return frames;
  }

  #nextLength(bytes: Uint8Array): number | undefined {
    const typeBytes = this.#started ? 1 : 0;
    if (bytes.length < typeBytes + 4) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = view.getUint32(typeBytes) + typeBytes;
    // A length below its own four bytes would never advance.
    if (length < typeBytes + 4)
      throw new RangeError('A message of the database protocol has an impossible length.');
    return length;
  }
}
