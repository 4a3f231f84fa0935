import { createHmac } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import * as z from 'zod';

/*
 * A backup is a tar of these entries, in this order. Everything is readable with standard tools:
 *
 *   docent-backup.json        what it is: `BackupHeader`
 *   secret                    the secret of the platform, if it is kept in the data folder
 *   data/<name>               further files of the data folder
 *   tables/<name>/<n>.json    rows of a table, one per line, each a JSON list of texts
 *   events/<n>.json           analytics events, one per line
 *   sequences.json            the last numbers of the sequences
 *   files/<key>               the file store, with the media types as the extended attribute `user.mime_type`
 *   hashes/<n>.txt            after each group of entries: their SHA-256, as `sha256sum` prints them
 *   end.json                  counts, and the SHA-256 of all lists of hashes: what has no such entry is incomplete
 */
export const HEADER = 'docent-backup.json';
export const SECRET = 'secret';
export const DATA = 'data/';
export const TABLES = 'tables/';
export const EVENTS = 'events/';
export const SEQUENCES = 'sequences.json';
export const FILES = 'files/';
export const HASHES = 'hashes/';
export const END = 'end.json';

/**
 * Where `docent backup` asks a running server for a copy of its embedded database; only through the
 * socket of the data folder.
 */
export const SNAPSHOT_ROUTE = '/operator/snapshot';

/** Rises when an older version could not restore what a newer one writes. */
export const BACKUP_FORM = 1;

/** Files of the data folder that are neither the database, nor the file store, nor the secret. */
export const DATA_FILES = ['sample-keys.json'] as const;

export const backupHeader = z.object({
  form: z.number().int(),
  /** Of Docent. */
  version: z.string(),
  createdAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** The newest number of each stored form. */
  storedForms: z.array(z.object({ name: z.string(), number: z.number(), version: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
    }),
  ),
  hasSecret: z.boolean(),
  /** Tells whether a secret is that of the backup. */
  secretMark: z.string(),
});

export type BackupHeader = z.output<typeof backupHeader>;

export const backupEnd = z.object({
  rows: z.number(),
  events: z.number(),
  files: z.number(),
  /** Of the files. */
  bytes: z.number(),
  /** SHA-256 of the lists of hashes, one after the other. */
  sha256: z.string(),
});

/** What a backup contains. */
export type BackupCounts = Omit<z.output<typeof backupEnd>, 'sha256'>;

export const sequences = z.array(z.object({ name: z.string(), last: z.number().nullable() }));

/** Returns a text by which a secret can be recognized, but not guessed. */
export function markOf(secret: string): string {
  return createHmac('sha256', secret).update('docent backup').digest('hex');
}

/** @param detail ends the sentence "The backup is damaged or incomplete: …" */
export function damaged(detail: string, cause?: unknown): DocentError {
  return new DocentError(
    'invalid_archive',
    `The backup is damaged or incomplete: ${detail}. Use another one.`,
    { cause },
  );
}

/**
 * Passes on what is unpacked. Its errors mean a damaged backup, except those of the operating
 * system, which stay what they are.
 */
export async function* readable<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (error instanceof DocentError || (error as NodeJS.ErrnoException).syscall !== undefined)
      throw error;
    throw damaged('it cannot be unpacked', error);
  }
}
