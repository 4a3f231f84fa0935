import type { OnReadOpts, Socket } from 'node:net';

/**
 * Most servers keep a connection for five seconds or longer; ours is closed earlier, or a request would meet a closed connection.
 */
const KEPT_SECONDS = 4;
/** Received bytes are decoded at once, so all connections share one read buffer. */
const room = Buffer.allocUnsafeSlow(64 * 1024);

interface ConnectionUser {
  /** Receives bytes, as Latin-1. @returns whether more are wanted now */
  onBytes(bytes: string): boolean;
  onClose(fault: Error | undefined): void;
}

/** A connection to a server: read by its current user, and kept open for a while without one. */
export class Connection {
  readonly socket: Socket;
  user: ConnectionUser | undefined;
  /** It has carried a response before, so the server may have closed it. */
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
    // Unsolicited data: nothing else on this connection can be trusted.
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

  /** Returns a kept connection, or a new one. */
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

  /** Keeps a connection for the next request, without keeping the process alive. */
  keep(connection: Connection, seconds = KEPT_SECONDS): void {
    connection.user = undefined;
    connection.socket.setTimeout(seconds * 1000).unref();
    // Keep reading, so that its end is noticed.
    connection.socket.resume();
    this.#idle.push(connection);
  }
}
