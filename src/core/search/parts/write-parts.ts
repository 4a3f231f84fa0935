import { BitModel, BitWriter } from './bit-coder.ts';
import { codeNumber, NUMBER_SIZE } from './code-numbers.ts';
import { codePostings, type IndexSize, type TermPostings } from './code-postings.ts';
import { codeText } from './code-text.ts';
import { codeWords } from './code-words.ts';
import { RepetitionFinder } from './find-repetitions.ts';
import type { PartModels } from './part-models.ts';
import { toPrintable } from './printable.ts';

/** A term with its postings. */
export interface ListedTerm {
  term: string;
  postings: TermPostings;
}

/** Writes what `read-parts.ts` reads. */
export class PartWriter {
  private readonly models: PartModels;
  private readonly size: IndexSize;
  private readonly sample: Uint8Array;
  private readonly finder: RepetitionFinder;

  constructor(models: PartModels, size: IndexSize, sample: Uint8Array) {
    this.models = models;
    this.size = size;
    this.sample = sample;
    this.finder = new RepetitionFinder(sample);
  }

  words(words: readonly string[]): string {
    const writer = new BitWriter();
    codeWords(writer, this.models.forWords(), words);
    return toPrintable(writer.toBytes());
  }

  terms(listed: readonly ListedTerm[]): string {
    const writer = new BitWriter();
    codeWords(
      writer,
      this.models.forWords(),
      listed.map(({ term }) => term),
    );
    const model = this.models.forPostings();
    for (const { postings } of listed) codePostings(writer, model, this.size, postings);
    return toPrintable(writer.toBytes());
  }

  texts(texts: readonly Uint8Array[]): string {
    const { sample } = this;
    const writer = new BitWriter();
    const lengths = new BitModel(NUMBER_SIZE);
    const total = texts.reduce((length, text) => length + codeNumber(writer, lengths, 0, text.length), sample.length);
    const bytes = new Uint8Array(total);
    bytes.set(sample);
    let at = sample.length;
    for (const text of texts) {
      bytes.set(text, at);
      at += text.length;
    }
    codeText(writer, this.models.forTexts(), bytes, sample.length, this.finder.begin(bytes));
    return toPrintable(writer.toBytes());
  }
}
