import type { Connection, KeptConnections } from './kept-connections.ts';
import { ResponseReader } from './response-reader.ts';

/** An answer that comes as a stream. */
export interface StreamedAnswer {
  /** Resolves with the status once the head is there. @throws where the server is not reached or not understood */
  status(): Promise<number>;
  /**
   * The next bytes of the body, as Latin-1: one character for each. Undefined at its end.
   * @throws where the connection breaks before that
   */
  read(): Promise<string | undefined>;
  /** Closes the connection, unless the answer is whole. */
  hangUp(): void;
}

/** A request and its answer on one connection, which is kept for the next request where the server allows it. */
export class Exchange implements StreamedAnswer {
  /** Empty once the answer has begun: it is long, and thousands would fill the memory. */
  #request: string;
  #connection: Connection;
  #reader = new ResponseReader();
  #body = '';
  #fault: Error | undefined;
  #isOver = false;
  #isPaused = false;
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

  async read(): Promise<string | undefined> {
    if (this.#isPaused) {
      this.#isPaused = false;
      setTimeout(this.#resume, this.#readEveryMs());
    }
    while (this.#body === '') {
      if (this.#reader.isComplete) return undefined;
      if (this.#fault) throw this.#fault;
      await new Promise<void>(this.#waken);
    }
    const body = this.#body;
    this.#body = '';
    return body;
  }

  hangUp(): void {
    if (!this.#isOver) this.#fail(new Error('Nobody waits for the answer.'));
  }

  onBytes(bytes: string): boolean {
    let body: string;
    try {
      body = this.#reader.push(bytes);
    } catch (error) {
      this.#fail(error as Error);
      return true;
    }
    this.#request = '';
    this.#body += body;
    if (this.#reader.isComplete) this.#finish();
    this.#wake();
    // Nothing is taken before the reader of this wants more, and then not at once.
    this.#isPaused = body !== '' && !this.#isOver;
    return !this.#isPaused;
  }

  onClose(fault: Error | undefined): void {
    if (this.#isOver) return;
    // The server closed a kept connection at the very moment that it was used again; it has not heard us.
    if (this.#connection.isReused && this.#request !== '') {
      this.#connection = this.#sendOn(this.#connections.open());
      return;
    }
    if (this.#reader.end()) this.#finish();
    else this.#fail(fault ?? new Error('The connection was closed before the end.'));
    this.#wake();
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
    // Its own limit may be reached sooner than told, by the time that the packet takes.
    if (mayStayOpen) this.#connections.keep(this.#connection, keepAliveSeconds && Math.max(keepAliveSeconds - 1, 0.5));
    else this.#connection.socket.destroy();
  }

  #fail(fault: Error): void {
    this.#isOver = true;
    this.#fault = fault;
    this.#connection.socket.destroy();
    this.#wake();
  }
}
