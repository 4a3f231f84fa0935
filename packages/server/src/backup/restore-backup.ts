import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import { CONTENT_TYPE } from '@docent/compiler/files/pack-bundle.ts';
import { STORED_FORMS, type StoredForm, storeTooNew } from '@docent/format/build/stored-forms.ts';
import { DocentError } from '@docent/format/errors.ts';
import { sql } from 'kysely';
import { extract, type Header } from 'tar-stream';
import { migrateTo } from '../kernel/db/migrate.ts';
import type { EventCopies, StoredEvent } from '../ports/analytics-store.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Database } from '../ports/database.ts';
import {
  BACKUP_FORM,
  type BackupCounts,
  type BackupHeader,
  backupEnd,
  backupHeader,
  DATA,
  DATA_FILES,
  damaged,
  END,
  EVENTS,
  FILES,
  HASHES,
  HEADER,
  readable,
  SECRET,
  SEQUENCES,
  sequences,
  TABLES,
} from './backup-form.ts';
import {
  emptyTables,
  hasTables,
  insertRows,
  requeueUnfinished,
  setSequences,
} from './table-copies.ts';

/**
 * Where a backup is restored to. Nothing of it is in use before `install`, so a restore can be
 * killed and run again at any time.
 */
export interface RestoreTarget {
  /**
   * Opens an empty database to fill, without what an interrupted restore has left. Closed by
   * `install`.
   * @throws DocentError if the target is in use, or has another secret than the backup
   */
  open(header: BackupHeader): Promise<Database>;
  events: EventCopies;
  blobs: BlobStore;
  /** Writes a file of the data folder, or the secret. */
  writeFile(name: string, bytes: Uint8Array): Promise<void>;
  /** Puts the filled database in place, in one step. */
  install(): Promise<void>;
}

/** An entry of the archive. */
type Entry = AsyncIterable<Uint8Array> & { header: Header & { pax?: Record<string, string> } };

/** Smaller files are stored several at a time. */
const SMALL_BYTES = 1024 * 1024;
const STORED_AT_ONCE = 16;
/** A part of a table or of the events, and everything else that is read whole. */
const MAX_PART_BYTES = 512 * 1024 * 1024;

/**
 * Restores a backup.
 * @param archive the tar, without compression and encryption
 * @param onProgress called after each entry
 * @throws DocentError `database_too_new` for a backup of a newer version, `invalid_archive` for a
 *   damaged or incomplete one; what
 *   `target.open` throws
 */
export async function restoreBackup(
  archive: AsyncIterable<Uint8Array>,
  target: RestoreTarget,
  onProgress: (counts: BackupCounts) => void,
): Promise<BackupHeader> {
  const unpack = extract();
  // The loop below receives every error.
  const flow = pipeline(Readable.from(archive), unpack);
  flow.catch(() => {});
  let restore: Restore | undefined;
  let isComplete = false;
  for await (const entry of readable(unpack as unknown as AsyncIterable<Entry>)) {
    const { name } = entry.header;
    if (restore === undefined) restore = await beginRestore(name, await wholeOf(entry), target);
    else isComplete = await restore.add(name, entry);
    onProgress(restore.counts);
  }
  if (!restore || !isComplete) throw damaged('it ends too early');
  await restore.finish();
  return restore.header;
}

async function wholeOf(entry: Entry): Promise<Buffer> {
  if ((entry.header.size ?? 0) > MAX_PART_BYTES)
    throw damaged(`the entry ${entry.header.name} is too large`);
  return buffer(readable(entry));
}

interface Restore {
  header: BackupHeader;
  counts: BackupCounts;
  /** @returns whether this was the end */
  add(name: string, entry: Entry): Promise<boolean>;
  finish(): Promise<void>;
}

/** Reads the first entry and prepares the target. */
async function beginRestore(name: string, bytes: Buffer, target: RestoreTarget): Promise<Restore> {
  if (name !== HEADER) throw damaged('it is not a backup of Docent');
  const header = parsed(backupHeader, bytes, HEADER);
  requireKnownForms(header);
  const database = await target.open(header);
  const { queries } = database;
  await migrateTo(queries, header.migrations);
  if (!(await hasTables(queries, header.tables)))
    throw damaged('its tables are not those of its version');
  const foreignKeys = await emptyTables(queries, [
    ...header.tables,
    ...(hasEvents(header) ? [EVENTS_TABLE] : []),
  ]);
  await target.events.outside?.clear();

  const tables = new Map(header.tables.map((table) => [table.name, table]));
  const counts: BackupCounts = { rows: 0, events: 0, files: 0, bytes: 0 };
  const hashes = createHashCheck();
  hashes.note(HEADER, createHash('sha256').update(bytes));
  let storing: Promise<unknown>[] = [];
  const stored = async () => {
    await Promise.all(storing);
    storing = [];
  };

  async function addFile(key: string, entry: Entry, hash: Hash): Promise<void> {
    const { size = 0, pax } = entry.header;
    counts.files += 1;
    counts.bytes += size;
    const contentType = pax?.[CONTENT_TYPE] ?? 'application/octet-stream';
    if (size > SMALL_BYTES) {
      await target.blobs.put(key, hashed(readable(entry), hash), { contentType, sizeBytes: size });
      return;
    }
    const bytes = await wholeOf(entry);
    hash.update(bytes);
    const putting = target.blobs.put(key, bytes, { contentType, sizeBytes: size });
    // Awaited with its group.
    putting.catch(() => {});
    if (storing.push(putting) >= STORED_AT_ONCE) await stored();
  }

  async function addPart(path: string, bytes: Buffer): Promise<void> {
    if (path === SEQUENCES) return setSequences(queries, parsed(sequences, bytes, path));
    if (path === SECRET) return target.writeFile(path, bytes);
    if (path.startsWith(DATA)) {
      const file = path.slice(DATA.length);
      if (!DATA_FILES.some((dataFile) => dataFile === file))
        throw damaged(`it has an unknown entry, ${path}`);
      return target.writeFile(file, bytes);
    }
    const lines = bytes.toString('utf8').split('\n').slice(0, -1);
    if (path.startsWith(EVENTS)) {
      counts.events += lines.length;
      return target.events.restore(
        queries,
        lines.map((line) => eventOf(line, path)),
      );
    }
    const table = path.startsWith(TABLES) ? tables.get(path.split('/')[1] as string) : undefined;
    if (!table) throw damaged(`it has an unknown entry, ${path}`);
    counts.rows += lines.length;
    await insertRows(queries, table, lines).catch((error: Error) => {
      throw damaged(`${path} cannot be read`, error);
    });
  }

  return {
    header,
    counts,
    async add(path, entry) {
      if (path === END) {
        const { sha256, ...expected } = parsed(backupEnd, await wholeOf(entry), END);
        hashes.end(sha256);
        if (JSON.stringify(expected) !== JSON.stringify(counts))
          throw damaged('entries are missing');
        return true;
      }
      if (path.startsWith(HASHES)) {
        hashes.compare(await wholeOf(entry));
        return false;
      }
      const hash = createHash('sha256');
      if (path.startsWith(FILES)) await addFile(path.slice(FILES.length), entry, hash);
      else {
        const bytes = await wholeOf(entry);
        hash.update(bytes);
        await addPart(path, bytes);
      }
      hashes.note(path, hash);
      return false;
    },
    async finish() {
      await stored();
      for (const statement of foreignKeys) await sql.raw(statement).execute(queries);
      await database.migrate();
      await requeueUnfinished(queries);
      await target.install();
    },
  };
}

const EVENTS_TABLE = { name: 'analytics_events', columns: [] };

function hasEvents({ migrations }: BackupHeader): boolean {
  return migrations.some(({ name }) => name === '0018-analytics');
}

function requireKnownForms({ form, version, storedForms }: BackupHeader): void {
  if (form > BACKUP_FORM)
    throw new DocentError(
      'database_too_new',
      `The backup is from Docent ${version}, in a form that this version cannot read; restore it with that version.`,
    );
  for (const { name, number, version } of storedForms) {
    if (name in STORED_FORMS && number > STORED_FORMS[name as StoredForm].reads)
      throw storeTooNew(name, number, version);
  }
}

/** Compares the hashes of entries with the lists in the archive. */
function createHashCheck() {
  const all = createHash('sha256');
  let lines: string[] = [];
  return {
    note(path: string, hash: Hash): void {
      lines.push(`${hash.digest('hex')}  ${path}`);
    },
    compare(list: Buffer): void {
      all.update(list);
      const expected = list.toString('utf8').split('\n').slice(0, -1);
      const wrong = expected.findIndex((line, index) => line !== lines[index]);
      if (wrong !== -1) throw damaged(`${expected[wrong]?.slice(66)} has another content`);
      if (expected.length !== lines.length) throw damaged('entries are missing');
      lines = [];
    },
    end(sha256: string): void {
      if (lines.length > 0 || all.digest('hex') !== sha256)
        throw damaged('its list of hashes has another content');
    },
  };
}

function parsed<Value>(
  schema: { parse(value: unknown): Value },
  bytes: Buffer,
  path: string,
): Value {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw damaged(`${path} cannot be read`, error);
  }
}

function eventOf(line: string, path: string): StoredEvent {
  try {
    const event = JSON.parse(line) as StoredEvent & { at: string };
    return { ...event, at: new Date(event.at) };
  } catch (error) {
    throw damaged(`${path} cannot be read`, error);
  }
}
