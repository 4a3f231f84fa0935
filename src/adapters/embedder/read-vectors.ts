import { ProviderFault } from '../../ports/provider-fault.ts';

const MAX_DIMENSIONS = 16_384;

/**
 * Validates the vectors of a provider number by number: a value that is not finite would spoil every comparison.
 * @throws ProviderFault
 */
export function readVectors(values: readonly unknown[], count: number): Float32Array[] {
  if (values.length !== count) throw wrong(`${values.length} vectors for ${count} texts`);
  const vectors = values.map(readVector);
  const dimensions = vectors[0]?.length;
  if (vectors.some((vector) => vector.length !== dimensions)) throw wrong('vectors of different lengths');
  return vectors;
}

function readVector(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_DIMENSIONS) throw wrong('something that is not a vector');
  // `Float32Array.from` would convert a string or null to a number.
  if (!value.every((number) => typeof number === 'number' && Number.isFinite(number))) {
    throw wrong('a vector with a value that is not a number');
  }
  const vector = Float32Array.from(value);
  if (vector.every((number) => number === 0)) throw wrong('a vector of zeros only');
  return vector;
}

function wrong(what: string): ProviderFault {
  return new ProviderFault('refused', `The embedding model returned ${what}.`);
}
