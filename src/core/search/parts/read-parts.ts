import { BitModel, BitReader } from './bit-coder.ts';
import { codeNumber, NUMBER_SIZE } from './code-numbers.ts';
import { codePostings, type IndexSize, type TermPostings } from './code-postings.ts';
import { codeText } from './code-text.ts';
import { codeWords } from './code-words.ts';
import type { PartModels } from './part-models.ts';
import { fromPrintable } from './printable.ts';

export function readWords(models: PartModels, part: string): string[] {
  return codeWords(new BitReader(fromPrintable(part)), models.forWords());
}

export function readTerms(models: PartModels, size: IndexSize, part: string): { terms: string[]; lists: TermPostings[] } {
  const reader = new BitReader(fromPrintable(part));
  const terms = codeWords(reader, models.forWords());
  const model = models.forPostings();
  return { terms, lists: terms.map(() => codePostings(reader, model, size)) };
}

/** @param count how many texts are in the part */
export function readTexts(models: PartModels, sample: Uint8Array, count: number, part: string): Uint8Array[] {
  const reader = new BitReader(fromPrintable(part));
  const lengths = new BitModel(NUMBER_SIZE);
  const ends: number[] = [];
  for (let i = 0; i < count; i++) ends.push((ends.at(-1) ?? sample.length) + codeNumber(reader, lengths, 0, 0));
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  bytes.set(sample);
  codeText(reader, models.forTexts(), bytes, sample.length);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? sample.length, end));
}
