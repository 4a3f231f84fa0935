import { readFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { answerCalls } from '@docent/compiler/process/calls.ts';
import { inTurn } from '@docent/compiler/process/worker-host.ts';
import type { Tokenizer } from '@huggingface/tokenizers';
import type * as Onnx from 'onnxruntime-web';
import type { OnnxCalls, OnnxFiles } from './providers.ts';

// Reads each passage together with the question. The packages are loaded only here, and only if a
// model on disk is configured.

/** The input length these models were trained on, unless the model states a lower one. */
const MAX_TOKENS = 512;

interface Encoder {
  session: Onnx.InferenceSession;
  Tensor: typeof Onnx.Tensor;
  tokenizer: Tokenizer;
  maxTokens: number;
}

const loading = load(workerData as OnnxFiles);
// A load error is the answer to every request.
loading.catch(() => {});

interface Question {
  query: string;
  passages: readonly string[];
}

const score = inTurn(async ({ query, passages }: Question): Promise<number[]> => {
  const encoder = await loading;
  const logits: number[] = [];
  for (const passage of passages) logits.push(await scoreOf(encoder, query, passage));
  return logits;
});

answerCalls({ score: (query, passages) => score({ query, passages }) } satisfies OnnxCalls);

async function load({ model, tokenizer, tokenizerConfig, runtime }: OnnxFiles): Promise<Encoder> {
  const { InferenceSession, Tensor } = (await import(runtime)) as typeof Onnx;
  const tokenizers = await import('@huggingface/tokenizers');
  const json = async (file: string | undefined) =>
    file === undefined
      ? {}
      : (JSON.parse(await readFile(file, 'utf8')) as { model_max_length?: unknown });
  const config = await json(tokenizerConfig);
  const longest = config.model_max_length;
  return {
    session: await InferenceSession.create(model),
    Tensor,
    tokenizer: new tokenizers.Tokenizer(await json(tokenizer), config),
    // Models without a limit declare an enormous one.
    maxTokens:
      typeof longest === 'number' && longest > 2 ? Math.min(MAX_TOKENS, longest) : MAX_TOKENS,
  };
}

/**
 * Returns the relevance of a passage as the model outputs it: any single number, or the second of
 * two.
 */
async function scoreOf(
  { session, Tensor, tokenizer, maxTokens }: Encoder,
  query: string,
  passage: string,
): Promise<number> {
  const { ids, attention_mask, token_type_ids } = tokenizer.encode(query, {
    text_pair: passage,
    return_token_type_ids: true,
  });
  const values: Record<string, number[]> = { input_ids: ids, attention_mask, token_type_ids };
  const feeds: Record<string, Onnx.Tensor> = {};
  for (const name of session.inputNames) {
    const all = values[name];
    if (all === undefined)
      throw new Error(
        `the model requires an input ${name}, which a text cross-encoder does not have`,
      );
    const kept = shorten(all, maxTokens);
    feeds[name] = new Tensor('int64', BigInt64Array.from(kept, BigInt), [1, kept.length]);
  }
  const outputs = await session.run(feeds);
  const logits = outputs.logits ?? outputs[session.outputNames[0] as string];
  const scores = logits?.data as Float32Array | undefined;
  if (scores === undefined || scores.length === 0 || scores.length > 2)
    throw new Error('the model returns no score; expected a cross-encoder with one or two labels');
  return scores.length === 2
    ? (scores[1] as number) - (scores[0] as number)
    : (scores[0] as number);
}

/** Truncates the passage but keeps the end marker. */
function shorten(tokens: readonly number[], most: number): number[] {
  return tokens.length <= most
    ? [...tokens]
    : [...tokens.slice(0, most - 1), tokens.at(-1) as number];
}
