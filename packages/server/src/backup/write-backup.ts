import { createHash } from 'node:crypto';
import type { MadeFile } from '@docent/compiler/files/bundle-file.ts';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import { findStoredForms } from '../kernel/jobs/process-queries.ts';
import type { EventCopies } from '../ports/analytics-store.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Queries, QueryRunner } from '../ports/database.ts';
import {
  BACKUP_FORM,
  type BackupCounts,
  type BackupHeader,
  DATA,
  END,
  EVENTS,
  FILES,
  HASHES,
  HEADER,
  markOf,
  SECRET,
  SEQUENCES,
  TABLES,
} from './backup-form.ts';
import { listTables, readRows, readSchemaMigrations, readSequences } from './table-copies.ts';

/** What is copied. */
export interface BackupSource {
  /** Of Docent. */
  version: string;
  queries: Queries;
  events: EventCopies;
  blobs: BlobStore;
  secret: string;
  /** Whether the secret is a part of the backup, because no setting has it. */
  isSecretStored: boolean;
  /** Files of the data folder, by name. */
  dataFiles: ReadonlyMap<string, Uint8Array>;
}

const HASHES_PER_LIST = 1000;
const EVENTS_PER_PART = 5000;
/** Smaller files are read ahead, so that the time of each request to a bucket does not add up. */
const SMALL_BYTES = 1024 * 1024;
const READ_AHEAD = 16;
/** Trials of the store itself. */
const NOT_OURS = 'check/';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const linesOf = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`);

/**
 * Yields a copy of a platform as the files of an archive, while the platform runs: the database as
 * it is at one moment, then the file store, which is listed later, so that it has what the database
 * names. A file that is deleted meanwhile is left out.
 * @param onProgress called after each entry
 */
export async function* backupOf(
  source: BackupSource,
  onProgress: (counts: BackupCounts) => void,
): AsyncGenerator<MadeFile> {
  const counts: BackupCounts = { rows: 0, events: 0, files: 0, bytes: 0 };
  const all = createHash('sha256');
  let lines: string[] = [];
  let lists = 0;
  const list = (): MadeFile => {
    const bytes = linesOf(lines);
    lines = [];
    lists += 1;
    all.update(bytes);
    return { path: `${HASHES}${lists}.txt`, bytes };
  };
  for await (const file of contentOf(source, counts)) {
    const hash = createHash('sha256');
    if ('bytes' in file) yield file;
    else yield { ...file, chunks: hashed(file.chunks, hash) };
    if ('bytes' in file) hash.update(file.bytes);
    lines.push(`${hash.digest('hex')}  ${file.path}`);
    onProgress(counts);
    if (lines.length === HASHES_PER_LIST) yield list();
  }
  if (lines.length > 0) yield list();
  yield { path: END, bytes: json({ ...counts, sha256: all.digest('hex') }) };
}

async function* contentOf(source: BackupSource, counts: BackupCounts): AsyncGenerator<MadeFile> {
  const snapshot = await source.queries
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    const header = await headerOf(source, snapshot);
    yield { path: HEADER, bytes: json(header) };
    if (source.isSecretStored) yield { path: SECRET, bytes: Buffer.from(source.secret) };
    for (const [name, bytes] of source.dataFiles) yield { path: DATA + name, bytes };
    for (const table of header.tables) {
      let part = 0;
      for await (const rows of readRows(snapshot, table)) {
        part += 1;
        counts.rows += rows.length;
        yield { path: `${TABLES}${table.name}/${part}.json`, bytes: linesOf(rows) };
      }
    }
    const sequences = await readSequences(snapshot);
    const last = sequences.find(({ name }) => name === 'analytics_event_ids')?.last ?? 0;
    yield* eventsOf(source, snapshot, last, counts);
    yield { path: SEQUENCES, bytes: json(sequences) };
  } finally {
    await snapshot.rollback().execute();
  }
  yield* filesOf(source.blobs, counts);
}

async function headerOf(source: BackupSource, snapshot: QueryRunner): Promise<BackupHeader> {
  const tables = await listTables(snapshot);
  const hasForms = tables.some(({ name }) => name === 'stored_forms');
  return {
    form: BACKUP_FORM,
    version: source.version,
    createdAt: new Date().toISOString(),
    migrations: await readSchemaMigrations(snapshot),
    storedForms: hasForms ? await findStoredForms(snapshot) : [],
    tables,
    hasSecret: source.isSecretStored,
    secretMark: markOf(source.secret),
  };
}

/** @param last later events are newer than the copied tables */
async function* eventsOf(
  { events }: BackupSource,
  snapshot: QueryRunner,
  last: number,
  counts: BackupCounts,
): AsyncGenerator<MadeFile> {
  for (let part = 1, after = 0; after < last; part += 1) {
    const storedEvents = await events.readAfter(snapshot, after, EVENTS_PER_PART);
    const copied = storedEvents.filter(({ id }) => id <= last);
    if (copied.length === 0) return;
    counts.events += copied.length;
    yield {
      path: `${EVENTS}${part}.json`,
      bytes: linesOf(copied.map((event) => JSON.stringify(event))),
    };
    after = copied.at(-1)?.id as number;
  }
}

async function* filesOf(blobs: BlobStore, counts: BackupCounts): AsyncGenerator<MadeFile> {
  for await (const file of openedInOrder(blobs)) {
    const opened = typeof file === 'string' ? await openLarge(blobs, file) : file;
    if (opened === undefined) continue;
    counts.files += 1;
    counts.bytes += 'bytes' in opened ? opened.bytes.byteLength : opened.sizeBytes;
    yield opened;
  }
}

/**
 * Yields small files whole, read ahead, the keys of large ones, and nothing for those that are
 * gone.
 */
async function* openedInOrder(blobs: BlobStore): AsyncGenerator<MadeFile | string | undefined> {
  const ahead: Promise<MadeFile | string | undefined>[] = [];
  for await (const key of blobs.list('')) {
    if (key.startsWith(NOT_OURS)) continue;
    const opening = openSmall(blobs, key);
    // Awaited in its turn.
    opening.catch(() => {});
    if (ahead.push(opening) >= READ_AHEAD) yield await ahead.shift();
  }
  for (const opening of ahead) yield await opening;
}

async function openSmall(blobs: BlobStore, key: string): Promise<MadeFile | string | undefined> {
  const info = await blobs.stat(key);
  if (info === undefined) return undefined;
  if (info.sizeBytes > SMALL_BYTES) return key;
  const bytes = await blobs.read(key);
  return bytes && { path: FILES + key, bytes, contentType: info.contentType };
}

/**
 * Opens the file before its entry begins, since an entry cannot be taken back. What is open stays
 * readable when it is deleted.
 */
async function openLarge(blobs: BlobStore, key: string): Promise<MadeFile | undefined> {
  const info = await blobs.stat(key);
  const chunks = info && (await blobs.get(key));
  if (!info || !chunks) return undefined;
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    return {
      path: FILES + key,
      sizeBytes: info.sizeBytes,
      chunks: continued(first, iterator),
      contentType: info.contentType,
    };
  } catch (error) {
    if ((await blobs.stat(key)) === undefined) return undefined;
    throw error;
  }
}

async function* continued(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}
