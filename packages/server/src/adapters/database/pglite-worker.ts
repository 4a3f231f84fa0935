import { parentPort, workerData } from 'node:worker_threads';
import { concatenate } from '@docent/format/bytes.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { PGlite } from '@electric-sql/pglite';
import type { FromPgliteWorker, PgliteWorkerData, ToPgliteWorker } from './pglite.ts';
import { openEngine, syncFrame, terminateType, WireFrames } from './pglite-engine.ts';

/**
 * Answers are batched up to this size before they are sent to the main thread, because each message
 * has a cost.
 */
const batchBytes = 256 * 1024;

const port = parentPort;
if (port === null) throw new Error('pglite-worker.ts runs as a worker thread only.');

const post = (message: FromPgliteWorker, transfer: ArrayBuffer[] = []) =>
  port.postMessage(message, transfer);
const framesOf = new Map<number, WireFrames>();

/** Runs the messages of one batch in order and sends back the engine's answers. */
async function answer(engine: PGlite, connection: number, bytes: Uint8Array): Promise<void> {
  const frames = framesOf.get(connection) ?? new WireFrames();
  framesOf.set(connection, frames);
  const output = new AnswerBuffer(connection);
  for (const frame of frames.push(bytes)) {
    if (frame[0] === terminateType) {
      output.flush();
      post({ type: 'end', connection });
      return;
    }
    await engine.execProtocolRawStream(frame, {
      syncToFs: false,
      onRawData: (data) => output.add(data),
    });
  }
  output.flush();
}

class AnswerBuffer {
  readonly #connection: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(connection: number) {
    this.#connection = connection;
  }

  add(data: Uint8Array): void {
    // The engine reuses its memory for the next answer.
    this.#parts.push(data.slice());
    this.#size += data.length;
    if (this.#size >= batchBytes) this.flush();
  }

  flush(): void {
    if (this.#size === 0) return;
    const bytes = concatenate(this.#parts);
    this.#parts = [];
    this.#size = 0;
    post({ type: 'data', connection: this.#connection, bytes }, [bytes.buffer]);
  }
}

/** All connections share one session: the state that one leaves must not reach the next. */
async function release(engine: PGlite, connection: number): Promise<void> {
  if (!framesOf.delete(connection)) return;
  await engine.execProtocolRawStream(syncFrame, { syncToFs: false, onRawData: () => {} });
  await engine.exec('ROLLBACK');
  await engine.exec('DISCARD ALL');
}

async function handle(engine: PGlite, message: ToPgliteWorker): Promise<void> {
  if (message.type === 'close') {
    await engine.close();
    post({ type: 'closed' });
    return;
  }
  try {
    if (message.type === 'disconnect') await release(engine, message.connection);
    else await answer(engine, message.connection, message.bytes);
  } catch (error) {
    post({ type: 'end', connection: message.connection, message: errorMessage(error) });
  }
}

try {
  const { engine, source } = await openEngine(workerData as PgliteWorkerData, (line) =>
    post({ type: 'log', line }),
  );
  let last: Promise<void> = Promise.resolve();
  port.on('message', (message: ToPgliteWorker) => {
    last = last
      .then(() => handle(engine, message))
      .catch((error: unknown) => post({ type: 'failed', message: errorMessage(error) }));
  });
  post({ type: 'ready', source });
} catch (error) {
  post({ type: 'failed', message: errorMessage(error) });
}
