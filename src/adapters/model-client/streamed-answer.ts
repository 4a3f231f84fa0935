import type { Connection, KeptConnections } from './kept-connections.ts';
import { ResponseReader } from './response-reader.ts';
import { TimingWheel } from './timing-wheel.ts';

const pauses = new TimingWheel();

/** Takes the next pieces of a body, as Latin-1: one character for each byte. Where it gives a promise, nothing is read before that. */
export type BodyListener = (pieces: readonly string[]) => Promise<void> | undefined;

/** An answer that comes as a stream. */
export interface StreamedAnswer {
  /** Resolves with the status once the head is there. @throws where the server is not reached or not understood */
  status(): Promise<number>;
  /** The `Retry-After` header, once the head is there. */
  readonly retryAfter: string | undefined;
  /** Reads the body to its end, once. @throws where the connection breaks before that, and what the listener throws */
  read(listener: BodyListener): Promise<void>;
  /** Closes the connection, unless the answer is whole; what waits for it throws. */
  hangUp(): void;
}

/** A request and its answer on one connection, which is kept for the next request where the server allows it. */
export class Exchange implements StreamedAnswer {
  /** Empty once the answer has begun: it is long, and thousands would fill the memory. */
  #request: string;
  #connection: Connection;
  #reader = new ResponseReader();
  /** What was read and not delivered yet. */
  #pieces: string[] = [];
  #listener: BodyListener | undefined;
  #fault: Error | undefined;
  #isOver = false;
  #isTelling = false;
  /** Wakes whoever waits for the head or the end. */
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

  async read(listener: BodyListener): Promise<void> {
    this.#listener = listener;
    this.#deliver();
    while (!this.#isOver || this.#isTelling) await new Promise<void>(this.#waken);
    if (this.#fault) throw this.#fault;
  }

  hangUp(): void {
    if (this.#isOver) return;
    this.#pieces = [];
    this.#isTelling = false;
    this.#fail(new Error('Nobody waits for the answer.'));
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
    // Nothing is read before the listener has handled what came, and then not at once.
    const isPaused = this.#pieces.length > 0 && !this.#isOver;
    if (this.#listener) this.#deliver();
    else this.#wake();
    return !isPaused;
  }

  onClose(fault: Error | undefined): void {
    if (this.#isOver) return;
    // The server closed a kept connection at the very moment that it was used again; it has not received the request.
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

  /** Delivers what has come; the connection is not read until the listener has handled it, and a while after. */
  #deliver(): void {
    const pieces = this.#pieces;
    if (!this.#listener || this.#isTelling || pieces.length === 0) return;
    this.#pieces = [];
    this.#isTelling = true;
    try {
      const handled = this.#listener(pieces);
      if (handled) handled.then(this.#onHandled, this.#refused);
      else this.#onHandled();
    } catch (error) {
      this.#refused(error as Error);
    }
  }

  readonly #onHandled = (): void => {
    this.#isTelling = false;
    if (this.#pieces.length > 0) this.#deliver();
    else if (this.#isOver) this.#wake();
    else pauses.after(this.#readEveryMs(), this.#resume);
  };

  readonly #refused = (fault: Error): void => {
    this.#isTelling = false;
    this.#pieces = [];
    this.#fail(fault);
  };

  #sendOn(connection: Connection): Connection {
    connection.user = this;
    connection.socket.write(this.#request);
    return connection;
  }

  #finish(): void {
    this.#isOver = true;
    const { mayStayOpen, keepAliveSeconds } = this.#reader;
    // Its own limit may be reached sooner than announced, by the time that the packet takes.
    if (mayStayOpen) this.#connections.keep(this.#connection, keepAliveSeconds && Math.max(keepAliveSeconds - 1, 0.5));
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
