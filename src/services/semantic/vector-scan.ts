import { quantise, type SectionVectors } from '../../core/search/section-vectors.ts';
import { scanModule } from './scan-module.ts';

/** The vectors of a site, ready to be compared with questions. */
export interface VectorScan {
  readonly dimensions: number;
  /** Of how many sections there are vectors. */
  readonly count: number;
  /**
   * How near each section is to a question, −1 to 1; −1 for a section without a vector. The array is the caller's.
   * @param question a vector of `dimensions` numbers
   */
  similarities(question: ArrayLike<number>): Float32Array;
}

type Scan = (vectors: number, count: number, dimensions: number, question: number, out: number) => void;

/** What we use of it; the type libraries of Node.js lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { scan: Scan } };
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
};

const PAGE_BYTES = 65_536;
const STEP = 16;

let compiled: object | undefined;

/** Copies the vectors to where they are compared; what they were read from may be forgotten. */
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
      if (question.length !== dimensions) throw new RangeError('The question has another number of dimensions.');
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
