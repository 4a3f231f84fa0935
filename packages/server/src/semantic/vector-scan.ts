import { quantise, type SectionVectors } from '@docent/search/section-vectors.ts';

/*
 * A WebAssembly module with one function, written here instruction by instruction: it multiplies a
 * question with every vector, sixteen numbers at a time, which JavaScript cannot do. JavaScript
 * takes ten to twenty times as long, and a server that answers other requests cannot spare 200 ms.
 */

const I32 = 0x7f;
const V128 = 0x7b;
const LOOP = 0x03;
const NO_RESULT = 0x40;
const END = 0x0b;
const BRANCH_IF = 0x0d;
const I32_ADD = 0x6a;
const I32_LESS_UNSIGNED = 0x49;
const FUNCTION = 0x60;
const FUNCTION_EXPORT = 0x00;
const MEMORY_IMPORT = 0x02;

/** Encodes an integer in the format's variable length. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

const list = (items: readonly (readonly number[])[]) => [
  ...unsigned(items.length),
  ...items.flat(),
];
const named = (name: string) => [
  ...unsigned(name.length),
  ...Array.from(name, (letter) => letter.charCodeAt(0)),
];
const section = (id: number, bytes: readonly number[]) => [id, ...unsigned(bytes.length), ...bytes];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
/** Encodes a small integer, −64 to 63, in one byte. */
const constant = (value: number) => [0x41, value & 0x7f];
const simd = (operation: number, ...operands: number[]) => [
  0xfd,
  ...unsigned(operation),
  ...operands,
];
const loadBytes = (offset: number) => simd(0, 0, offset);
const ZEROS = simd(12, ...Array<number>(16).fill(0));
const EXTEND_LOW = simd(135);
const EXTEND_HIGH = simd(136);
const MULTIPLY_PAIRS = simd(186);
const ADD_LANES = simd(174);
const lane = (index: number) => simd(27, index);

// Locals: the five parameters of `scan`, then the function's own.
const [VECTOR, COUNT, DIMENSIONS, QUESTION, OUT, VECTOR_END, AT_QUESTION, SIXTEEN, SUMS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;

const advance = (local: number, bytes: number) => [...get(local), ...constant(bytes), I32_ADD];
const half = (extend: number[], offset: number) => [
  ...extend,
  ...get(AT_QUESTION),
  ...loadBytes(offset),
  ...MULTIPLY_PAIRS,
  ...ADD_LANES,
];

const eachSixteen = [
  ...get(SUMS),
  ...get(VECTOR),
  ...loadBytes(0),
  ...tee(SIXTEEN),
  ...half(EXTEND_LOW, 0),
  ...get(SIXTEEN),
  ...half(EXTEND_HIGH, 16),
  ...set(SUMS),
  ...advance(AT_QUESTION, 32),
  ...set(AT_QUESTION),
  ...advance(VECTOR, 16),
  ...tee(VECTOR),
  ...get(VECTOR_END),
  I32_LESS_UNSIGNED,
  ...[BRANCH_IF, 0],
];

const eachVector = [
  ...get(VECTOR),
  ...get(DIMENSIONS),
  I32_ADD,
  ...set(VECTOR_END),
  ...get(QUESTION),
  ...set(AT_QUESTION),
  ...ZEROS,
  ...set(SUMS),
  ...[LOOP, NO_RESULT, ...eachSixteen, END],
  ...get(OUT),
  ...[0, 1, 2, 3].flatMap((index) => [...get(SUMS), ...lane(index)]),
  ...[I32_ADD, I32_ADD, I32_ADD],
  ...[0x36, 2, 0],
  ...advance(OUT, 4),
  ...set(OUT),
  ...get(COUNT),
  ...constant(-1),
  I32_ADD,
  ...tee(COUNT),
  ...[BRANCH_IF, 0],
];

const locals = list([
  [2, I32],
  [2, V128],
]);
const code = [...locals, LOOP, NO_RESULT, ...eachVector, END, END];

/**
 * `scan(vectors, count, dimensions, question, out)`, all addresses and numbers above 0: writes to `out` the dot product of each
 * vector of bytes with the question of 16-bit numbers. `dimensions` must be a multiple of 16.
 */
const scanModule: Uint8Array<ArrayBuffer> = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, list([[FUNCTION, ...list([[I32], [I32], [I32], [I32], [I32]]), 0]])),
  ...section(2, list([[...named('scan'), ...named('memory'), MEMORY_IMPORT, 0, 1]])),
  ...section(3, list([[0]])),
  ...section(7, list([[...named('scan'), FUNCTION_EXPORT, 0]])),
  ...section(10, list([[...unsigned(code.length), ...code]])),
]);

/** The vectors of a site, ready to be compared with questions. */
export type VectorScan = ReturnType<typeof openVectorScan>;

type Scan = (
  vectors: number,
  count: number,
  dimensions: number,
  question: number,
  out: number,
) => void;

/** The parts that we use; the type libraries of Node.js lack them. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { scan: Scan } };
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
};

const PAGE_BYTES = 65_536;
const STEP = 16;

let compiled: object | undefined;

/** Copies the vectors into the WebAssembly memory; the source can be discarded. */
export function openVectorScan({ dimensions, scales, values }: SectionVectors) {
  const count = scales.length;
  const stride = Math.ceil(dimensions / STEP) * STEP;
  const questionAt = count * stride;
  const outAt = questionAt + stride * 2;
  compiled ??= new WebAssembly.Module(scanModule);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((outAt + count * 4) / PAGE_BYTES) });
  const { scan } = new WebAssembly.Instance(compiled, { scan: { memory } }).exports;
  const vectors = new Int8Array(memory.buffer, 0, count * stride);
  if (stride === dimensions) vectors.set(values);
  else
    for (let i = 0; i < count; i++)
      vectors.set(values.subarray(i * dimensions, (i + 1) * dimensions), i * stride);
  const question16 = new Int16Array(memory.buffer, questionAt, stride);
  const out = new Int32Array(memory.buffer, outAt, count);
  const question8 = new Int8Array(stride);

  return {
    /**
     * Returns the similarity of each section to a question, −1 to 1; −1 for a section without a
     * vector. The caller owns the array.
     * @param question a vector of `dimensions` numbers
     */
    similarities(question: ArrayLike<number>): Float32Array {
      if (question.length !== dimensions)
        throw new RangeError('The question has a different number of dimensions.');
      const similarities = new Float32Array(count);
      if (count === 0) return similarities;
      const scale = quantise(question, question8);
      question16.set(question8);
      scan(0, count, stride, questionAt, outAt);
      for (let i = 0; i < count; i++) {
        const vectorScale = scales[i] as number;
        similarities[i] =
          vectorScale === 0
            ? -1
            : Math.max(-1, Math.min(1, (out[i] as number) * vectorScale * scale));
      }
      return similarities;
    },
  };
}
