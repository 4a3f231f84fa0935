import type { OnReadOpts, Socket } from 'node:net';
import { ResponseReader } from './response-reader.ts';

export interface StreamedAnswer {
  /**
   * Resolves with the status once the head has arrived. @throws if the server cannot be reached or
   * its response is invalid
   */
  status(): Promise<number>;
  /** The `Retry-After` header, once the head has arrived. */
  readonly retryAfter: string | undefined;
  /**
   * Returns the next pieces of the body, as Latin-1, one character per byte; undefined at its end.
   * The connection is not read before this is called again, plus a short pause. @throws if the
   * connection breaks before the end
   */
  next(): Promise<readonly string[] | undefined>;
  /** Closes the connection, unless the response is complete; pending calls throw. */
  hangUp(): void;
}

/**
 * A request and its response on one connection, which is kept for the next request if the server
 * allows it.
 */
export class Exchange implements StreamedAnswer {
  /** Emptied once the response has started: it is long, and thousands would fill the memory. */
  #request: string;
  #connection: Connection;
  #reader = new ResponseReader();
  /** Data that was read but not delivered yet. */
  #pieces: string[] = [];
  #fault: Error | undefined;
  #isOver = false;
  /** The connection is not read: pieces were delivered, and no more are wanted yet. */
  #isPaused = false;
  /** Wakes the caller that waits for the head or the end. */
  #wake: () => void = () => {};
  readonly #connections: KeptConnections;
  readonly #readEveryMs: () => number;

  constructor(request: string, connections: KeptConnections, readEveryMs: () => number) {
    this.#request = request;
    this.#connections = connections;
    this.#readEveryMs = readEveryMs;
    this.#connection = this.#sendOn(connections.take());
  }

  async status(): Promise<number> {
    while (this.#reader.status === 0) {
      if (this.#fault) throw this.#fault;
      await new Promise<void>(this.#waken);
    }
    return this.#reader.status;
  }

  get retryAfter(): string | undefined {
    return this.#reader.retryAfter;
  }

  async next(): Promise<readonly string[] | undefined> {
    if (this.#isPaused && !this.#isOver) setTimeout(this.#resume, this.#readEveryMs());
    this.#isPaused = false;
    while (this.#pieces.length === 0) {
      if (this.#fault) throw this.#fault;
      if (this.#isOver) return undefined;
      await new Promise<void>(this.#waken);
    }
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#isPaused = true;
    return pieces;
  }

  hangUp(): void {
    if (this.#isOver) return;
    this.#pieces = [];
    this.#fail(new Error('The request was canceled.'));
  }

  onBytes(bytes: string): boolean {
    try {
      for (const piece of this.#reader.push(bytes)) this.#pieces.push(piece);
    } catch (error) {
      this.#fail(error as Error);
      return true;
    }
    this.#request = '';
    if (this.#reader.isComplete) this.#finish();
    this.#wake();
    return this.#pieces.length === 0 || this.#isOver;
  }

  onClose(fault: Error | undefined): void {
    if (this.#isOver) return;
    // The server closed a kept connection at the very moment of reuse; it has not received the
    // request.
    if (this.#connection.isReused && this.#request !== '') {
      this.#connection = this.#sendOn(this.#connections.open());
      return;
    }
    if (this.#reader.end()) this.#finish();
    else this.#fail(fault ?? new Error('The connection was closed before the end.'));
  }

  readonly #waken = (resolve: () => void): void => {
    this.#wake = resolve;
  };

  readonly #resume = (): void => {
    if (!this.#isOver) this.#connection.socket.resume();
  };

  #sendOn(connection: Connection): Connection {
    connection.user = this;
    connection.socket.write(this.#request);
    return connection;
  }

  #finish(): void {
    this.#isOver = true;
    const { mayStayOpen, keepAliveSeconds } = this.#reader;
    // The server may close it earlier than announced, by the transit time of the packet.
    if (mayStayOpen)
      this.#connections.keep(
        this.#connection,
        keepAliveSeconds && Math.max(keepAliveSeconds - 1, 0.5),
      );
    else this.#connection.socket.destroy();
    this.#wake();
  }

  #fail(fault: Error): void {
    this.#isOver = true;
    this.#fault ??= fault;
    this.#connection.socket.destroy();
    this.#wake();
  }
}

/**
 * Most servers keep a connection for five seconds or longer; ours is closed earlier, or a request
 * would meet a closed connection.
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
    this.socket = open({
      buffer: room,
      callback: (length) => this.#take(room.toString('latin1', 0, length)),
    });
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
