import { quantise, type SectionVectors } from '../../core/search/section-vectors.ts';
import { scanModule } from './scan-module.ts';

/** The vectors of a site, ready to be compared with questions. */
export interface VectorScan {
  readonly dimensions: number;
  /** Number of sections. */
  readonly count: number;
  /**
   * Returns the similarity of each section to a question, −1 to 1; −1 for a section without a vector. The caller owns the array.
   * @param question a vector of `dimensions` numbers
   */
  similarities(question: ArrayLike<number>): Float32Array;
}

type Scan = (vectors: number, count: number, dimensions: number, question: number, out: number) => void;

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
export function openVectorScan({ dimensions, scales, values }: SectionVectors): VectorScan {
  const count = scales.length;
  const stride = Math.ceil(dimensions / STEP) * STEP;
  const questionAt = count * stride;
  const outAt = questionAt + stride * 2;
  compiled ??= new WebAssembly.Module(scanModule);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((outAt + count * 4) / PAGE_BYTES) });
  const { scan } = new WebAssembly.Instance(compiled, { scan: { memory } }).exports;
  const vectors = new Int8Array(memory.buffer, 0, count * stride);
  if (stride === dimensions) vectors.set(values);
  else for (let i = 0; i < count; i++) vectors.set(values.subarray(i * dimensions, (i + 1) * dimensions), i * stride);
  const question16 = new Int16Array(memory.buffer, questionAt, stride);
  const out = new Int32Array(memory.buffer, outAt, count);
  const question8 = new Int8Array(stride);

  return {
    dimensions,
    count,
    similarities(question) {
      if (question.length !== dimensions) throw new RangeError('The question has a different number of dimensions.');
      const similarities = new Float32Array(count);
      if (count === 0) return similarities;
      const scale = quantise(question, question8);
      question16.set(question8);
      scan(0, count, stride, questionAt, outAt);
      for (let i = 0; i < count; i++) {
        const own = scales[i] as number;
        similarities[i] = own === 0 ? -1 : Math.max(-1, Math.min(1, (out[i] as number) * own * scale));
      }
      return similarities;
    },
  };
}
