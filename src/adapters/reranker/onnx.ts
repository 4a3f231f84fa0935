import type { Reranker } from '../../ports/reranker.ts';
import { startModelThread } from '../model-client/model-thread.ts';
import { findOnnxFiles, type OnnxFiles } from './onnx-files.ts';
import { readScores } from './read-scores.ts';

/** A question and the passages that the model reads with it. */
export interface OnnxRequest {
  query: string;
  passages: readonly string[];
}

/** Without a GPU a passage takes tens of milliseconds, and more with its length. */
const READS = { maxPassages: 16, maxCharacters: 700 };

/**
 * A cross-encoder from files on this machine, in its own thread: no network, no key.
 * @param path its folder, or the `.onnx` file in it
 * @throws Error if a file or a package is missing
 */
export function createOnnxReranker(path: string): Reranker {
  const files: OnnxFiles = findOnnxFiles(path);
  const module = new URL('./onnx-thread.ts', import.meta.url);
  const thread = startModelThread<OnnxRequest, number[]>('The reranker', module, files);
  return {
    name: `onnx:${path}`,
    reads: READS,
    async rerank(query, passages, signal) {
      const logits = await thread.ask({ query, passages }, signal);
      return readScores(
        logits.map((score, index) => ({ index, score })),
        passages.length,
        'logits',
      );
    },
  };
}
