import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Weight of each word of a passage; words of the question have no weight. */
const WORDS: Readonly<Record<string, number>> = {
  rotate: 2,
  key: 3,
  car: -1,
  pay: -2,
  bill: -1,
  a: 0,
  the: 0,
  is: 0,
  red: -1,
};
const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...Object.keys(WORDS)];
const [INT64, FLOAT] = [7, 1];

/**
 * Writes a working cross-encoder: the files of a downloaded model, with a graph of four operations.
 */
export function writeTinyModel(
  folder: string,
  { inputs = ['input_ids', 'attention_mask', 'token_type_ids'], maxTokens = 64 } = {},
) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), tinyModel(inputs));
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer()));
  writeFileSync(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ model_max_length: maxTokens }),
  );
}

/** logits = the sum of (weight of each token × 1 in the passage, 0 in the question). */
function tinyModel(inputs: readonly string[]): Uint8Array {
  const worth = VOCABULARY.map((word) => WORDS[word] ?? 0);
  const graph = [
    ...bytes(1, node('Gather', ['worth', 'input_ids'], 'worths')),
    ...bytes(1, [...node('Cast', ['token_type_ids'], 'inPassage'), ...bytes(5, castTo(FLOAT))]),
    ...bytes(1, node('Mul', ['worths', 'inPassage'], 'counted')),
    ...bytes(1, node('ReduceSum', ['counted'], 'logits')),
    ...text(2, 'tiny'),
    ...bytes(5, [
      ...varint(1, worth.length),
      ...varint(2, FLOAT),
      ...bytes(9, floats(worth)),
      ...text(8, 'worth'),
    ]),
    ...inputs.flatMap((name) => bytes(11, value(name, INT64))),
    ...bytes(12, value('logits', FLOAT)),
  ];
  return Uint8Array.from([
    ...varint(1, 8),
    ...bytes(8, [...text(1, ''), ...varint(2, 13)]),
    ...bytes(7, graph),
  ]);
}

function node(operator: string, inputs: readonly string[], output: string): number[] {
  return [...inputs.flatMap((input) => text(1, input)), ...text(2, output), ...text(4, operator)];
}

function castTo(type: number): number[] {
  return [...text(1, 'to'), ...varint(3, type), ...varint(20, 2)];
}

function value(name: string, type: number): number[] {
  const dimension = (size: string) => bytes(1, text(2, size));
  const shape = [...dimension('batch'), ...dimension('length')];
  return [...text(1, name), ...bytes(2, bytes(1, [...varint(1, type), ...bytes(2, shape)]))];
}

// Protocol buffers: a key of field and wire type, then the value.
function varint(field: number, number: number): number[] {
  return [...packed(field << 3), ...packed(number)];
}
function bytes(field: number, content: readonly number[]): number[] {
  return [...packed((field << 3) | 2), ...packed(content.length), ...content];
}
function text(field: number, content: string): number[] {
  return bytes(field, [...new TextEncoder().encode(content)]);
}
function packed(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) | 128, ...packed(Math.floor(number / 128))];
}
function floats(numbers: readonly number[]): number[] {
  return [...new Uint8Array(Float32Array.from(numbers).buffer)];
}

function tokenizer() {
  const ids = Object.fromEntries(VOCABULARY.map((word, id) => [word, id]));
  const special = VOCABULARY.slice(0, 4).map((content, id) => {
    return {
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    };
  });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: ids,
    },
  };
}
