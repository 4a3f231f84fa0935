import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a cross-encoder, and the package that runs it. */
export interface OnnxFiles {
  model: string;
  tokenizer: string;
  /** Absent if the model needs none. */
  tokenizerConfig?: string;
  runtime: string;
}

/** Where model files are located, in order of preference. */
const MODELS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];
/** The first runs native code and is several times faster; the second uses WebAssembly. */
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web'];
export const TOKENIZERS = '@huggingface/tokenizers';

/**
 * Finds the files of a model. `path` is the downloaded folder, or the `.onnx` file in it.
 * @throws Error that names the missing file and the remedy
 */
export function findOnnxFiles(path: string): OnnxFiles {
  const isFile = existsSync(path) && statSync(path).isFile();
  const folder = isFile ? dirname(path) : path;
  const model = isFile ? path : MODELS.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (model === undefined) throw new Error(`there is no model at ${path}; expected a .onnx file, or a folder with ${MODELS[0]}.`);
  const beside = (name: string) => [join(folder, name), join(dirname(folder), name)].find((file) => existsSync(file));
  const tokenizer = beside('tokenizer.json');
  if (tokenizer === undefined)
    throw new Error(`there is no tokenizer.json beside ${model}; copy it from the source of the model.`);
  const runtime = RUNTIMES.find(isInstalled);
  if (runtime === undefined || !isInstalled(TOKENIZERS))
    throw new Error(`a model on disk needs two packages: npm install ${RUNTIMES[0]} ${TOKENIZERS}`);
  const tokenizerConfig = beside('tokenizer_config.json');
  return { model, tokenizer, runtime, ...(tokenizerConfig !== undefined && { tokenizerConfig }) };
}

function isInstalled(name: string): boolean {
  try {
    return fileURLToPath(import.meta.resolve(name)) !== '';
  } catch {
    return false;
  }
}
