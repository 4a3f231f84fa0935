import { createHash } from 'node:crypto';
import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DocentError } from '../../core/errors.ts';

/** The address of a Unix socket has room for little more than this (104 bytes on some systems). */
const maxSocketPathBytes = 100;

export interface FolderLock {
  /** Where the operator of this machine reaches the process that holds the lock. */
  socketPath: string;
  server: Server;
  /** Who gets the connections of the socket, for example an HTTP server. Until it is called they are closed. */
  onConnection(handler: (socket: Socket) => void): void;
  /** Gives the folder free. */
  release(): Promise<void>;
}

/**
 * Makes this process the only one that works in a data folder; the folder is made where there is none, for its owner's
 * eyes only. The lock is the operating system's, on a file in the folder: it cannot be held twice, and it ends with the
 * process however that ends.
 *
 * @throws DocentError `data_folder_in_use` where another process has it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
 * Where the socket of the process that holds the folder may be: in the folder, or, where its path is too long or its
 * file system knows no sockets, in a folder of this user's for temporary files.
 */
export async function operatorSocketPaths(folder: string): Promise<string[]> {
  const place = await realpath(folder);
  const name = `${createHash('sha256').update(place).digest('hex').slice(0, 16)}.sock`;
  const paths = [join(place, 'docent.sock'), join(tmpdir(), `docent-${process.getuid?.() ?? 'user'}`, name)];
  return paths.filter((path) => Buffer.byteLength(path) <= maxSocketPathBytes);
}

/**
 * Node has no call for file locks, but its SQLite takes one for a transaction. It must stay open, and nothing else in
 * this process may open the file: closing it anywhere gives the lock away.
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
  const busy = error instanceof Error && 'errcode' in error && error.errcode === 5;
  if (!busy) return error;
  return new DocentError(
    'data_folder_in_use',
    `Another process works in the data folder ${folder}; stop it, or choose another folder.`,
    { cause: error },
  );
}

async function listen(paths: string[], unlock: () => void): Promise<FolderLock> {
  let handler = (socket: Socket): void => {
    socket.destroy();
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    handler(socket);
  });
  const socketPath = await listenOnFirst(server, paths);
  return {
    socketPath,
    server,
    onConnection: (next) => {
      handler = next;
    },
    release: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      for (const socket of sockets) socket.destroy();
      await closed.promise;
      await rm(socketPath, { force: true });
      unlock();
    },
  };
}

async function listenOnFirst(server: Server, paths: string[]): Promise<string> {
  let fault: unknown = new Error('The path of the folder for temporary files is too long for a socket.');
  for (const path of paths) {
    try {
      await ownFolder(dirname(path));
      // We hold the lock: whatever is there was left by a process that has ended.
      await rm(path, { force: true });
      await listenOn(server, path);
      return path;
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

/** Whoever owns the folder of a socket can put another socket in its place. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid } = await stat(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) throw new Error(`The folder ${folder} belongs to another user.`);
}

async function listenOn(server: Server, path: string): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen({ path, readableAll: false, writableAll: false }, () => listening.resolve());
  await listening.promise;
  server.off('error', listening.reject);
  await chmod(path, 0o600);
}
