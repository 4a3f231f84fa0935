import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, realpath, rm, stat } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DocentError } from '@docent/format/errors.ts';
import { createFolder } from '../../lib/create-folder.ts';
import { fullDisk } from '../../lib/full-disk.ts';

/** The path of a Unix socket has room for little more than this (104 bytes on some systems). */
const maxSocketPathBytes = 100;

export interface FolderLock {
  /** Where the operator of this machine reaches the process that holds the lock. */
  socketPath: string;
  /** Listens on the socket. Closes its connections until something else handles them too. */
  server: Server;
  /** Releases the lock. */
  release(): Promise<void>;
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/**
 * Locks a data folder for this process. Creates the folder if it is missing, accessible to its
 * owner only. The lock is an operating system lock on a file in the folder: it cannot be held
 * twice, and it ends with the process, however it ends.
 *
 * @throws DocentError `data_folder_in_use` if another process holds the lock;
 *   `dependency_unavailable` if the disk is full
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await createFolder(folder);
  await chmod(folder, 0o700);
  const unlock = lockFile(join(await realpath(folder), 'docent.lock'), folder);
  try {
    return await listen(await operatorSocketPaths(folder), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Returns the possible paths of the lock holder's socket: in the folder, or, if its path is too
 * long or its file system does not support sockets, in this user's folder for temporary files.
 */
export async function operatorSocketPaths(folder: string): Promise<string[]> {
  const place = await realpath(folder);
  const name = `${createHash('sha256').update(place).digest('hex').slice(0, 16)}.sock`;
  const paths = [
    join(place, 'docent.sock'),
    join(tmpdir(), `docent-${process.getuid?.() ?? 'user'}`, name),
  ];
  return paths.filter((path) => Buffer.byteLength(path) <= maxSocketPathBytes);
}

/**
 * Node has no call for file locks, but its SQLite locks a file for a transaction. It must stay
 * open, and nothing else in this process may open the file: closing it anywhere releases the lock.
 */
function lockFile(file: string, folder: string): () => void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw lockFault(error, folder);
  }
  return () => database.close();
}

function lockFault(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (code === SQLITE_FULL) return fullDisk(folder, error);
  if (code !== SQLITE_BUSY) return error;
  return new DocentError(
    'data_folder_in_use',
    `Another process is using the data folder ${folder}; stop it, or choose another folder.`,
    { cause: error },
  );
}

async function listen(paths: string[], unlock: () => void): Promise<FolderLock> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    if (server.listenerCount('connection') === 1) socket.destroy();
  });
  const socketPath = await listenOnFirst(server, paths);
  return {
    socketPath,
    server,
    release: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
      await rm(socketPath, { force: true });
      unlock();
    },
  };
}

async function listenOnFirst(server: Server, paths: string[]): Promise<string> {
  let fault: unknown = new Error(
    'The path of the folder for temporary files is too long for a socket.',
  );
  for (const path of paths) {
    try {
      await ownFolder(dirname(path));
      // We hold the lock, so anything here was left by a process that has ended.
      await rm(path, { force: true });
      server.listen({ path, readableAll: false, writableAll: false });
      await once(server, 'listening');
      await chmod(path, 0o600);
      return path;
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

/** The owner of a socket's folder can replace the socket. */
async function ownFolder(folder: string): Promise<void> {
  await createFolder(folder);
  const { uid } = await stat(folder);
  if (process.getuid !== undefined && uid !== process.getuid())
    throw new Error(`The folder ${folder} belongs to another user.`);
}
