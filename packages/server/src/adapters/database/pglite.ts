import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { moduleUrl } from '@docent/compiler/process/own-modules.ts';
import { concatenate } from '@docent/format/bytes.ts';
import pg from 'pg';
import { fullDiskError } from '../../lib/full-disk.ts';
import { inTime } from '../../lib/in-time.ts';
import type { Database, QueryReport } from '../../ports/database.ts';
import type { Logger } from '../../ports/logger.ts';
import { pooledDatabase, valueTypes } from './postgres.ts';
import { copyDatabaseFolder } from './snapshot.ts';

interface PgliteOptions {
  /**
   * Folder used for the database only. Hold the lock of the data folder (`lockFolder`) while it is
   * open.
   */
  folder: string | 'memory';
  /**
   * Built by `scripts/build-database-template.ts`; used for a new database if it matches, otherwise
   * ignored.
   */
  templateFile?: string;
  logger: Logger;
  /** Called with each query that has ended. */
  onQuery?: ((query: QueryReport) => void) | undefined;
}

/** A database that may not be open yet. */
export interface OpeningDatabase {
  database: Database;
  /** Rejects if the database cannot be opened; close it then too. */
  opened: Promise<void>;
}

/**
 * Of the engine's thread, for what passes between the engine and its caller. Unlimited, it keeps 17
 * MB.
 */
const YOUNG_MEGABYTES = 6;

/** How often to vacuum, since the engine does not do so by itself. */
const maintenanceIntervalMs = 3600 * 1000;

/**
 * Longer than any vacuum takes; a query that waits this long is in a deadlock with a transaction.
 */
const connectionTimeoutMs = 20_000;
const closeTimeoutMs = 10_000;

/** Opens PostgreSQL inside this process. Throws if the engine cannot start. */
export async function openPgliteDatabase(options: PgliteOptions): Promise<Database> {
  return whenOpen(startPgliteDatabase(options));
}

/** Returns a database once it is open; closes it if it cannot be opened, and throws the reason. */
export async function whenOpen({ database, opened }: OpeningDatabase): Promise<Database> {
  try {
    await opened;
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Starts PostgreSQL inside this process. The engine runs in a worker thread, because a query would
 * block the event loop, and has a single connection, because it has one session.
 * @returns a database whose queries wait until it is open, at most 20 seconds; `opened` rejects if
 *   it cannot be
 */
export function startPgliteDatabase(options: PgliteOptions): OpeningDatabase {
  const { logger } = options;
  const worker = new Worker(moduleUrl('./pglite-worker.ts', import.meta.url), {
    // Synchronously, so that the thread starts before its caller goes on.
    workerData: workerDataOf(options),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  const connections = new PgliteConnections(worker);
  const pool = new pg.Pool({
    // Two connections would share one session, and so each other's transactions.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: connectionTimeoutMs,
    user: 'postgres',
    database: 'postgres',
    types: valueTypes,
    stream: () => connections.connect(),
  });
  pool.on('error', (error) =>
    logger.warn({ message: error.message }, 'A connection to the embedded database was lost.'),
  );
  const endMaintenance = maintainRegularly(pool, logger);
  let isClosing = false;
  let isOpen = false;
  let hasEnded = false;
  const opened = engineStart(worker, options).then(() => {
    isOpen = true;
  });
  opened.catch(() => {});
  // After the engine has ended, a query must fail rather than wait forever.
  worker.on('exit', (code) => {
    hasEnded = true;
    connections.fail('The embedded database has stopped.');
    if (!isClosing && isOpen)
      logger.error({ code }, 'The embedded database has stopped. Start the server again.');
  });
  const close = async () => {
    isClosing = true;
    endMaintenance();
    // Work that hangs must not keep the process from ending.
    await inTime(pool.end(), closeTimeoutMs, () => {});
    if (!hasEnded) await inTime(closeWorker(worker), closeTimeoutMs, () => {});
    await worker.terminate();
  };
  const database = pooledDatabase('pglite', pool, close, options.onQuery);
  const { folder } = options;
  return {
    database:
      folder === 'memory'
        ? database
        : { ...database, snapshot: (owner) => snapshot(pool, folder, owner) },
    opened,
  };
}

async function engineStart(worker: Worker, { folder, logger }: PgliteOptions): Promise<void> {
  const startedAt = performance.now();
  const source = await started(worker, logger).catch(async (error: unknown) => {
    throw (folder !== 'memory' && (await fullDiskError(dirname(resolve(folder)), error))) || error;
  });
  logger.info(
    { source, durationMs: Math.round(performance.now() - startedAt) },
    'The embedded database is open.',
  );
}

/**
 * Nothing changes the files while this has the only connection: the engine does nothing by itself.
 */
async function snapshot(pool: pg.Pool, folder: string, owner: number): Promise<string> {
  const connection = await pool.connect();
  try {
    await connection.query('CHECKPOINT');
    return await copyDatabaseFolder(folder, owner);
  } finally {
    connection.release();
  }
}

/**
 * Frees the space of changed and deleted rows, and empties the log. The engine does neither by
 * itself.
 */
export async function maintain(execute: (sql: string) => Promise<unknown>): Promise<void> {
  await execute('VACUUM (ANALYZE)');
  await execute('CHECKPOINT');
}

function workerDataOf({ folder, templateFile }: PgliteOptions): PgliteWorkerData {
  const template = templateFile === undefined ? {} : { templateFile };
  if (folder === 'memory') return template;
  const parent = dirname(resolve(folder));
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return { ...template, folder: join(realpathSync(parent), basename(folder)) };
}

async function started(worker: Worker, logger: Logger): Promise<string> {
  const ready = Promise.withResolvers<string>();
  worker.on('message', (message: FromPgliteWorker) => {
    if (message.type === 'log')
      logger.debug({ line: message.line }, 'The embedded database logged a message.');
    if (message.type === 'ready') ready.resolve(message.source);
    if (message.type === 'failed')
      ready.reject(new Error(`The embedded database failed: ${message.message}`));
  });
  worker.on('error', (error) =>
    ready.reject(new Error(`The embedded database failed: ${error.message}`)),
  );
  worker.on('exit', (code) =>
    ready.reject(new Error(`The embedded database exited with code ${code}.`)),
  );
  try {
    return await ready.promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function maintainRegularly(pool: pg.Pool, logger: Logger): () => void {
  const timer = setInterval(() => {
    const startedAt = performance.now();
    maintain((text) => pool.query(text)).then(
      () =>
        logger.debug(
          { durationMs: Math.round(performance.now() - startedAt) },
          'The embedded database was compacted.',
        ),
      (error: Error) =>
        logger.warn({ message: error.message }, 'The embedded database could not be compacted.'),
    );
  }, maintenanceIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function closeWorker(worker: Worker): Promise<void> {
  const closed = Promise.withResolvers<void>();
  worker.on('message', (message: FromPgliteWorker) => {
    if (message.type === 'closed' || message.type === 'failed') closed.resolve();
  });
  once(worker, 'exit').then(() => closed.resolve(), closed.resolve);
  worker.postMessage({ type: 'close' } satisfies ToPgliteWorker);
  await closed.promise;
}

/**
 * Connects the pool to the worker that runs the embedded engine. Each connection looks like a
 * socket to the `pg` client; its bytes travel as messages with the connection's number.
 */
class PgliteConnections {
  readonly #worker: Worker;
  readonly #open = new Map<number, Duplex>();
  #count = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromPgliteWorker) => this.#receive(message));
  }

  /** Opens a new connection, which the client uses as its stream. */
  connect(): Duplex {
    this.#count += 1;
    const number = this.#count;
    const connection = createConnection(
      (bytes) =>
        this.#send({ type: 'data', connection: number, bytes }, [bytes.buffer as ArrayBuffer]),
      () => {
        this.#open.delete(number);
        this.#send({ type: 'disconnect', connection: number });
      },
    );
    this.#open.set(number, connection);
    return connection;
  }

  /** Ends every connection with an error, because the engine no longer answers. */
  fail(message: string): void {
    for (const connection of this.#open.values()) connection.destroy(new Error(message));
  }

  #send(message: ToPgliteWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromPgliteWorker): void {
    if (message.type === 'data')
      this.#open.get(message.connection)?.push(Buffer.from(message.bytes.buffer));
    if (message.type !== 'end') return;
    const connection = this.#open.get(message.connection);
    if (message.message === undefined) connection?.push(null);
    else connection?.destroy(new Error(message.message));
  }
}

/** @param send sends bytes, which it may transfer to the other thread */
function createConnection(send: (bytes: Uint8Array) => void, disconnect: () => void): Duplex {
  const connection = new Duplex({
    read() {},
    write(chunk: Uint8Array, _encoding, done) {
      // The client reuses its buffer, and only bytes that we own can be transferred.
      send(new Uint8Array(chunk));
      done();
    },
    writev(chunks: { chunk: Uint8Array }[], done) {
      send(concatenate(chunks.map(({ chunk }) => chunk)));
      done();
    },
    destroy(error, done) {
      disconnect();
      done(error);
    },
  });
  const itself = () => connection;
  // What the client calls on a socket, `connect` before it writes.
  const connect = () => {
    process.nextTick(() => connection.emit('connect'));
    return connection;
  };
  return Object.assign(connection, { connect, setNoDelay: itself, ref: itself });
}

/** Start options of the embedded database's worker. */
export interface PgliteWorkerData {
  /** If absent, everything stays in memory. */
  folder?: string;
  templateFile?: string;
}

/**
 * `connection` is the number of the pool's connection. The pool opens a new one after each failed query.
 */
export type ToPgliteWorker =
  | { type: 'data'; connection: number; bytes: Uint8Array }
  | { type: 'disconnect'; connection: number }
  | { type: 'close' };

export type FromPgliteWorker =
  | { type: 'ready'; source: 'opened' | 'template' | 'initialized' }
  | { type: 'data'; connection: number; bytes: Uint8Array }
  /** The connection ended because its client asked, or with the error in `message`. */
  | { type: 'end'; connection: number; message?: string }
  | { type: 'log'; line: string }
  | { type: 'closed' }
  /** The engine cannot start or cannot continue. */
  | { type: 'failed'; message: string };
