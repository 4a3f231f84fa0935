import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { installCommand, isInstalled } from '@docent/compiler/process/optional-packages.ts';
import { moduleUrl } from '@docent/compiler/process/own-modules.ts';
import { WorkerHost } from '@docent/compiler/process/worker-host.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import type { RerankerChoice } from '@docent/format/model-choices.ts';
import { ProviderFault } from '../../ports/provider-fault.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { MAX_JSON_ANSWER_BYTES } from '../model-client/bounded-answer.ts';
import { createJsonPost } from '../model-client/post-json.ts';
import { aiSdkFault, packagedProvider } from '../model-client/provider-packages.ts';

const WHAT = 'The reranker';

/**
 * Returns the configured reranker. Nothing is called before the first question; a model on disk is
 * loaded at once.
 * @throws Error if a model on disk is missing
 */
export function createReranker(choice: RerankerChoice): Reranker {
  const { provider, model } = choice;
  if (provider === 'onnx') return createOnnxReranker(model);
  return {
    name: `${provider}:${model}`,
    rerank: provider === 'bedrock' ? rerankByPackage(choice) : rerankByEndpoint(choice),
  };
}

/**
 * A reranking model of Amazon Bedrock, called at the level of the provider specification (version
 * 4) of the AI SDK.
 */
function rerankByPackage(choice: RerankerChoice): Reranker['rerank'] {
  const open = packagedProvider('bedrock', choice, {
    maxBytes: MAX_JSON_ANSWER_BYTES,
    what: 'The reranker',
  });
  return async (query, passages, signal, traceparent) => {
    signal.throwIfAborted();
    const model = (await open()).reranking(choice.model);
    try {
      const documents = { type: 'text' as const, values: [...passages] };
      const { ranking } = await model.doRerank({
        query,
        documents,
        topN: passages.length,
        abortSignal: signal,
        ...(traceparent !== undefined && { headers: { traceparent } }),
      });
      const judged = ranking.map(({ index, relevanceScore }) => ({ index, score: relevanceScore }));
      return readScores(judged, passages.length);
    } catch (error) {
      throw aiSdkFault(WHAT, error, signal);
    }
  };
}

/**
 * A reranker behind `/rerank`, as vLLM, llama.cpp and hosted services offer it beside their
 * OpenAI-compatible endpoints.
 */
function rerankByEndpoint({ model, url = '', apiKey }: RerankerChoice): Reranker['rerank'] {
  const post = createJsonPost({ url: `${url}/rerank`, apiKey, what: WHAT });
  return async (query, passages, signal, traceparent) => {
    const answer = await post(
      { model, query, documents: passages, top_n: passages.length },
      signal,
      traceparent,
    );
    const results = (answer as { results?: unknown } | null)?.results;
    if (!Array.isArray(results)) throw wrong('no scores');
    const judged = results.map(
      (result: { index?: unknown; relevance_score?: unknown; score?: unknown } | null) => {
        return { index: result?.index, score: result?.relevance_score ?? result?.score };
      },
    );
    return readScores(judged, passages.length);
  };
}

/**
 * Returns the scores of passages in the order of the request. Some models return a probability,
 * others an unbounded number (a logit), which is converted to a probability.
 * @param judged the index in the request and the score of each passage, unchecked
 * @throws ProviderFault if a passage has no score or the score is not a number
 */
function readScores(
  judged: readonly { index: unknown; score: unknown }[],
  count: number,
): number[] {
  const scores = Array<number>(count).fill(Number.NaN);
  for (const { index, score } of judged) {
    if (typeof index !== 'number' || !(index in scores))
      throw wrong('a passage that was not in the request');
    if (typeof score === 'number') scores[index] = score;
  }
  if (!scores.every(Number.isFinite)) throw wrong('fewer scores than passages');
  return scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map(probabilityOf);
}

function probabilityOf(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function wrong(what: string): ProviderFault {
  return new ProviderFault('refused', `${WHAT} returned ${what}.`);
}

/** A question and the passages that the model reads with it. */
/** What the thread with the model offers. */
export interface OnnxCalls {
  /** Returns the relevance of each passage, as the model outputs it. */
  score(query: string, passages: readonly string[]): Promise<number[]>;
}

/** Without a GPU a passage takes tens of milliseconds, and more with its length. */
const READS = { maxPassages: 16, maxCharacters: 700 };

/**
 * A cross-encoder from files on this machine, in its own thread: no network, no key.
 * @param path its folder, or the `.onnx` file in it
 * @throws Error if a file or a package is missing
 */
export function createOnnxReranker(path: string): Reranker {
  const workerData = findOnnxFiles(path);
  const thread = new WorkerHost<OnnxCalls>({
    start: () =>
      new Worker(moduleUrl('./onnx-thread.ts', import.meta.url), { env: {}, workerData }),
    lost: ({ message }) => new ProviderFault('busy', `${WHAT} stopped: ${message}`),
  });
  // At once, because loading takes seconds.
  thread.start();
  return {
    name: `onnx:${path}`,
    reads: READS,
    async rerank(query, passages, signal) {
      const logits = await thread
        .run(({ score }) => score(query, passages), signal)
        .catch((error: unknown) => {
          if (signal?.aborted || error instanceof ProviderFault) throw error;
          const reason = errorMessage(error);
          throw new ProviderFault(
            'refused',
            `${WHAT} could not read a text${reason ? `: ${reason}` : '.'}`,
          );
        });
      if (!logits.every(Number.isFinite)) throw wrong('a score that is not a number');
      return logits.map(probabilityOf);
    },
  };
}

/** The files of a cross-encoder, and the package that runs it. */
export interface OnnxFiles {
  model: string;
  tokenizer: string;
  /** Absent if the model needs none. */
  tokenizerConfig?: string;
  runtime: string;
}

/** Where model files are located, in order of preference. */
const MODELS = [
  'model.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'onnx/model_quantized.onnx',
];
/** The first runs native code and is several times faster; the second uses WebAssembly. */
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web'];
const TOKENIZERS = '@huggingface/tokenizers';

/**
 * Finds the files of a model. `path` is the downloaded folder, or the `.onnx` file in it.
 * @throws Error that names the missing file and the remedy
 */
function findOnnxFiles(path: string): OnnxFiles {
  const isFile = existsSync(path) && statSync(path).isFile();
  const folder = isFile ? dirname(path) : path;
  const model = isFile
    ? path
    : MODELS.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (model === undefined)
    throw new Error(
      `there is no model at ${path}; expected a .onnx file, or a folder with ${MODELS[0]}.`,
    );
  const beside = (name: string) =>
    [join(folder, name), join(dirname(folder), name)].find((file) => existsSync(file));
  const tokenizer = beside('tokenizer.json');
  if (tokenizer === undefined)
    throw new Error(
      `there is no tokenizer.json beside ${model}; copy it from the source of the model.`,
    );
  const runtime = RUNTIMES.find(isInstalled);
  if (runtime === undefined || !isInstalled(TOKENIZERS))
    throw new Error(
      `a model on disk needs two packages: ${installCommand(RUNTIMES[0] as string, TOKENIZERS)}`,
    );
  const tokenizerConfig = beside('tokenizer_config.json');
  return { model, tokenizer, runtime, ...(tokenizerConfig !== undefined && { tokenizerConfig }) };
}
