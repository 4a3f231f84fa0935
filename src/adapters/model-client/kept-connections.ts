import type { OnReadOpts, Socket } from 'node:net';

/** Most servers keep a connection for five seconds or longer; ours is given up before theirs, or a request would meet its end. */
const KEPT_SECONDS = 4;
/** What comes is decoded at once, so all connections share the room that it is read into. */
const room = Buffer.allocUnsafeSlow(64 * 1024);

/** Who reads a connection. */
interface ConnectionUser {
  /** Takes bytes, as Latin-1. @returns whether more are wanted now */
  onBytes(bytes: string): boolean;
  onClose(fault: Error | undefined): void;
}

/** A connection to a server: read by the user that it has, and kept open for a while where it has none. */
export class Connection {
  readonly socket: Socket;
  user: ConnectionUser | undefined;
  /** It has carried an answer before, so the server may have given it up. */
  isReused = false;
  #fault: Error | undefined;

  constructor(open: (onread: OnReadOpts) => Socket) {
    this.socket = open({ buffer: room, callback: (length) => this.#take(room.toString('latin1', 0, length)) });
    this.socket.on('error', (error) => {
      this.#fault = error;
    });
    this.socket.on('close', () => this.user?.onClose(this.#fault));
    this.socket.on('timeout', () => this.socket.destroy());
  }

  #take(bytes: string): boolean {
    if (this.user) return this.user.onBytes(bytes);
    // Nobody asked for it, so nothing else on this connection can be trusted.
    this.socket.destroy();
    return true;
  }
}

/** The connections to one server. */
export class KeptConnections {
  readonly #open: (onread: OnReadOpts) => Socket;
  readonly #idle: Connection[] = [];

  constructor(open: (onread: OnReadOpts) => Socket) {
    this.#open = open;
  }

  /** One that is kept, where there is one, or a new one. */
  take(): Connection {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      if (kept.socket.destroyed || !kept.socket.writable) continue;
      kept.isReused = true;
      kept.socket.setTimeout(0).ref();
      return kept;
    }
    return this.open();
  }

  open(): Connection {
    const connection = new Connection(this.#open);
    connection.socket.on('close', () => {
      const at = this.#idle.indexOf(connection);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    return connection;
  }

  /** Keeps a connection for the next request: no process stays alive for it. */
  keep(connection: Connection, seconds = KEPT_SECONDS): void {
    connection.user = undefined;
    connection.socket.setTimeout(seconds * 1000).unref();
    // It is read, so that its end is noticed.
    connection.socket.resume();
    this.#idle.push(connection);
  }
}
