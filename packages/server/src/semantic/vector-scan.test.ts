import {
  decodeVectors,
  encodeVectors,
  KEY_BYTES,
  quantise,
  type SectionVectors,
} from '@docent/search/section-vectors.ts';
import { describe, expect, it } from 'vitest';
import { openVectorScan } from './vector-scan.ts';

/** Numbers that look random and are the same in every run. */
function numbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  });
}

function packed(vectors: readonly Float32Array[], dimensions: number): SectionVectors {
  const values = new Int8Array(vectors.length * dimensions);
  const scales = Float32Array.from(vectors, (vector, at) =>
    quantise(vector, values.subarray(at * dimensions)),
  );
  return {
    dimensions,
    isComplete: true,
    keys: new Uint8Array(vectors.length * KEY_BYTES),
    scales,
    values,
  };
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
  return dot / Math.hypot(...a) / Math.hypot(...b);
}

describe('a vector scan', () => {
  it.each([1, 15, 16, 17, 384, 1000, 1536])(
    'computes the cosine of vectors of %i numbers, within a hundredth',
    (dimensions) => {
      const vectors = Array.from({ length: 21 }, (_, at) => numbers(dimensions, at + 1));
      const question = numbers(dimensions, 99);
      const similarities = openVectorScan(packed(vectors, dimensions)).similarities(question);
      expect(similarities).toHaveLength(21);
      vectors.forEach((vector, at) => {
        expect(Math.abs((similarities[at] as number) - cosine(vector, question))).toBeLessThan(
          0.01,
        );
      });
    },
  );

  it('scores a section without a vector -1, and an identical one highest', () => {
    const vectors = [numbers(32, 1), new Float32Array(32), numbers(32, 3)];
    const [first, none, third] = openVectorScan(packed(vectors, 32)).similarities(
      vectors[2] as Float32Array,
    );
    expect(none).toBe(-1);
    expect(third).toBeCloseTo(1, 2);
    expect(first).toBeLessThan(third as number);
  });

  it('accepts an index without sections, and rejects a question of another length', () => {
    expect(openVectorScan(packed([], 8)).similarities(numbers(8, 1))).toHaveLength(0);
    expect(() => openVectorScan(packed([numbers(8, 1)], 8)).similarities(numbers(9, 1))).toThrow(
      RangeError,
    );
  });
});

describe('a vector file', () => {
  const vectors = packed([numbers(6, 1), numbers(6, 2), numbers(6, 3)], 6);

  it('is decoded to the encoded vectors, at any offset in memory', () => {
    const bytes = encodeVectors(vectors);
    const elsewhere = new Uint8Array(bytes.length + 3);
    elsewhere.set(bytes, 3);
    expect(decodeVectors(elsewhere.subarray(3))).toEqual(vectors);
  });

  it.each([
    ['truncated', (bytes: Uint8Array) => bytes.subarray(0, -1)],
    ['too long', (bytes: Uint8Array) => new Uint8Array([...bytes, 0])],
    ['empty', () => new Uint8Array()],
    ['of another kind', (bytes: Uint8Array) => new Uint8Array(bytes.length)],
  ])('that is %s is rejected', (_, spoil) => {
    expect(() => decodeVectors(spoil(encodeVectors(vectors)))).toThrow(/vectors/);
  });
});
