import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { concatenate } from '../../core/bytes.ts';
import type { FromPgliteWorker, ToPgliteWorker } from './pglite-messages.ts';

/**
 * Connects the pool to the worker that runs the embedded engine. Each connection looks like a socket to the `pg` client; its
 * bytes travel as messages with the connection's number.
 */
export class PgliteConnections {
  readonly #worker: Worker;
  readonly #open = new Map<number, PgliteConnection>();
  #count = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromPgliteWorker) => this.#receive(message));
  }

  /** Opens a new connection, which the client uses as its stream. */
  connect(): Duplex {
    this.#count += 1;
    const number = this.#count;
    const connection = new PgliteConnection(
      (bytes) => this.#send({ type: 'data', connection: number, bytes }, [bytes.buffer as ArrayBuffer]),
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
    if (message.type === 'data') this.#open.get(message.connection)?.push(Buffer.from(message.bytes.buffer));
    if (message.type !== 'end') return;
    const connection = this.#open.get(message.connection);
    if (message.message === undefined) connection?.push(null);
    else connection?.destroy(new Error(message.message));
  }
}

class PgliteConnection extends Duplex {
  readonly #sendBytes: (bytes: Uint8Array) => void;
  readonly #disconnect: () => void;

  constructor(sendBytes: (bytes: Uint8Array) => void, disconnect: () => void) {
    super();
    this.#sendBytes = sendBytes;
    this.#disconnect = disconnect;
  }

  /** The client calls this on a socket before it writes. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    // The client reuses its buffer, and only bytes that we own can be transferred to the other thread.
    this.#sendBytes(new Uint8Array(chunk));
    done();
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: () => void): void {
    this.#sendBytes(concatenate(chunks.map(({ chunk }) => chunk)));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#disconnect();
    done(error);
  }
}
