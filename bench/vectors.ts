import {
  addSimilar,
  KEY_BYTES,
  quantise,
  type SectionVectors,
} from '@docent/search/section-vectors.ts';
import { openVectorScan } from '../packages/server/src/semantic/vector-scan.ts';
import { cpuMsOf } from './measure.ts';

/*
 * The cost of comparing a question with every section of a site, and the precision of one byte per
 * number.
 *
 *   node bench/vectors.ts [<sections>]
 *
 * Prints for 32,000 sections (or as many as given) and some vector lengths: CPU milliseconds of one
 * comparison and of choosing the best sixty, each the best and the median of fifty; the memory of
 * the vectors; and how many of the ten nearest by exact numbers are among the ten nearest by bytes.
 */

const SECTIONS = Number(process.argv[2] ?? 32_000);
const scope = {
  pageOfSection: Uint32Array.from({ length: SECTIONS }, (_, section) => section >> 3),
  isIncluded: () => true,
  pageFactor: () => 1,
  limit: 60,
};
const ROUNDS = 50;
const JUDGED = 20;
const NEAREST = 10;

process.stdout.write('dimensions   compare    median    choose    median        MB   nearest\n');
for (const dimensions of [384, 768, 1536]) {
  // Sections cluster around a few hundred subjects, like those of a documentation.
  const subjects = Array.from({ length: 400 }, () => random(dimensions));
  const exact = Array.from({ length: SECTIONS }, (_, at) =>
    near(subjects[at % subjects.length] as Float32Array, 0.7),
  );
  const packed = pack(exact, dimensions);
  const before = process.memoryUsage().rss;
  const scan = openVectorScan(packed);
  const memoryMb = (process.memoryUsage().rss - before) / 1e6;
  const times = timesOf(() => scan.similarities(exact[7] as Float32Array));
  const similarities = scan.similarities(exact[7] as Float32Array);
  const choosing = timesOf(() => addSimilar(similarities)([], scope));
  let kept = 0;
  for (let at = 0; at < JUDGED; at++) {
    const question = near(subjects[at] as Float32Array, 0.5);
    const byBytes = new Set(best(scan.similarities(question)));
    kept += best(
      Float32Array.from(exact, (vector) => dot(vector, question) / length(vector)),
    ).filter((one) => byBytes.has(one)).length;
  }
  const columns = [
    ...[...times, ...choosing].map((ms) => ms.toFixed(1)),
    memoryMb.toFixed(0),
    (kept / JUDGED).toFixed(1),
  ];
  process.stdout.write(
    `${String(dimensions).padStart(10)}${columns.map((column) => column.padStart(10)).join('')}\n`,
  );
}

/** Returns the best and the median. */
function timesOf(work: () => void): [number, number] {
  const times = Array.from({ length: ROUNDS }, () => cpuMsOf(work)).sort((a, b) => a - b);
  return [times[0] as number, times[ROUNDS >> 1] as number];
}

function random(dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => Math.random() + Math.random() - 1);
}

function near(subject: Float32Array, distance: number): Float32Array {
  return subject.map((value) => value + distance * (Math.random() + Math.random() - 1));
}

function pack(vectors: readonly Float32Array[], dimensions: number): SectionVectors {
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

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function length(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector));
}

function best(scores: Float32Array): number[] {
  const order = Array.from(scores.keys()).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number),
  );
  return order.slice(0, NEAREST);
}
