import type { RankedPage } from '../search-data.ts';
import { WORTH_BITS } from '../second-stage/page-worth.ts';
import { decodeUtf8 } from '../utf8.ts';
import { type BitCoder, BitModel, BitReader } from './bit-coder.ts';
import { codeCount, codeNumber, codeTree, NUMBER_SIZE, treeSize } from './code-numbers.ts';
import { codeText, type Repetitions } from './code-text.ts';
import { codeWords } from './code-words.ts';
import { PartModels } from './part-models.ts';
import { fromPrintable } from './printable.ts';

/** How many words each part of the vocabulary holds, but for the last. */
export const WORDS_IN_PART = 384;

/** What a search needs before it knows which parts it needs. Parts are numbered: words, terms, named terms, texts. */
export interface PartHead {
  /** Which there are; `kindOfPage` says which each page is. */
  kinds: RankedPage[];
  kindOfPage: number[];
  sectionsOfPage: number[];
  /** As `lengthStep` gives them. */
  stepOfSection: number[];
  titleLengths: number[];
  /** As `worthStep` gives them. */
  stepOfWorth: number[];
  /** A few bits of each page's path, where there are versions or languages that a path may be asked for. */
  pathMarks: number[];
  /** The first word of each part of the vocabulary, as much of it as tells it from the word before. */
  wordStarts: string[];
  /** The same of the parts of terms. */
  termStarts: string[];
  /** Terms that stand outside that order, sorted: those that synonyms bring into a query, and those with long lists. */
  namedTerms: string[];
  /** The part of each, counted from the first of them; -1 where the index does not have the term. */
  partOfNamed: number[];
  namedPartCount: number;
  sectionsOfTextPart: number[];
  /** What texts of the site are like, for the parts of texts to begin from. */
  sample: Uint8Array;
  /** What postings are like. */
  postings: BitModel;
}

const STEP_BITS = 7;
const MARK_BITS = 6;
const CHANCE_BITS = 6;
const NEVER = 9;
/** How firmly parts believe in what the head says of postings. */
const TRUST = 10;

const NUMBERS = 0;
const STEPS = 8 * NUMBER_SIZE;
const FLAGS = STEPS + 17 * treeSize(STEP_BITS);
const WORTHS = FLAGS + 4;

/** Codes numbers of one sort. */
function codeAll(
  coder: BitCoder,
  model: BitModel,
  sort: number,
  numbers: readonly number[] | undefined,
  count?: number,
): number[] {
  const length = count ?? codeCount(coder, model, NUMBERS + 7 * NUMBER_SIZE, numbers?.length ?? 0);
  return Array.from({ length }, (_, i) => codeNumber(coder, model, NUMBERS + sort * NUMBER_SIZE, numbers?.[i] ?? 0));
}

/** Neighbours are alike: 0 where a number is the one before, else one more than the number. */
function codeAlike(
  coder: BitCoder,
  model: BitModel,
  sort: number,
  numbers: readonly number[] | undefined,
  count: number,
): number[] {
  let before = -1;
  return Array.from({ length: count }, (_, i) => {
    const number = numbers?.[i] ?? 0;
    const coded = codeNumber(coder, model, NUMBERS + sort * NUMBER_SIZE, number === before ? 0 : number + 1);
    before = coded === 0 ? before : coded - 1;
    return before;
  });
}

function codeSteps(coder: BitCoder, model: BitModel, steps: readonly number[] | undefined, count: number): number[] {
  let kind = 16;
  return Array.from({ length: count }, (_, i) => {
    const step = codeTree(coder, model, STEPS + kind * treeSize(STEP_BITS), STEP_BITS, steps?.[i] ?? 0);
    kind = Math.min(15, step >> 1);
    return step;
  });
}

/** Codes numbers of so many bits that cluster. */
function codeTrees(
  coder: BitCoder,
  model: BitModel,
  base: number,
  bits: number,
  numbers: readonly number[] | undefined,
  count: number,
): number[] {
  return Array.from({ length: count }, (_, i) => codeTree(coder, model, base, bits, numbers?.[i] ?? 0));
}

function codePlain(coder: BitCoder, bits: number, numbers: readonly number[] | undefined, count: number): number[] {
  return Array.from({ length: count }, (_, i) => coder.plain(bits, numbers?.[i] ?? 0));
}

function codeParts(
  coder: BitCoder,
  model: BitModel,
  parts: readonly number[] | undefined,
  count: number,
  partCount: number,
): number[] {
  const bits = 32 - Math.clz32(partCount);
  return Array.from({ length: count }, (_, i) => {
    const part = parts?.[i] ?? -1;
    return coder.bit(model, FLAGS, part < 0 ? 0 : 1) === 0 ? -1 : coder.plain(bits, part);
  });
}

/** The chances that were ever asked; the others stay even. */
function codeChances(coder: BitCoder, model: BitModel, chances: BitModel, taught: BitModel | undefined): BitModel {
  let before = 0;
  for (let i = 0; i < chances.chance.length; i++) {
    const isKnown = coder.bit(model, FLAGS + 1 + before, (taught?.seen[i] ?? 0) > NEVER ? 1 : 0);
    before = isKnown;
    if (isKnown === 0) continue;
    const rough = coder.plain(CHANCE_BITS, (taught?.chance[i] ?? 0) >> (16 - CHANCE_BITS));
    chances.chance[i] = (rough << (16 - CHANCE_BITS)) + (1 << (15 - CHANCE_BITS));
    chances.seen[i] = TRUST;
  }
  return chances;
}

function codeBytes(coder: BitCoder, numbers: BitModel, model: BitModel, written?: WrittenBytes): Uint8Array {
  const length = codeCount(coder, numbers, NUMBERS + 7 * NUMBER_SIZE, written?.bytes.length ?? 0);
  return codeText(coder, model, written?.bytes ?? new Uint8Array(length), 0, written?.find);
}

/** Bytes and what finds the repetitions in them. */
export interface WrittenBytes {
  bytes: Uint8Array;
  find: Repetitions;
}

/** What the writer of a head gives. */
export interface WrittenHead {
  head: PartHead;
  kinds: WrittenBytes;
  sample: WrittenBytes;
}

/** The head in both directions: the writer gives one, the reader none. */
export function codeHead(coder: BitCoder, written?: WrittenHead): { head: PartHead; models: PartModels } {
  const head = written?.head;
  const model = new BitModel(WORTHS + treeSize(WORTH_BITS));
  const models = new PartModels();
  const { words, texts } = models;
  const kinds = codeBytes(coder, model, texts, written?.kinds);
  const sample = codeBytes(coder, model, texts, written?.sample);
  const sectionsOfPage = codeAll(coder, model, 0, head?.sectionsOfPage);
  const pageCount = sectionsOfPage.length;
  const stepOfSection = codeSteps(coder, model, head?.stepOfSection, sum(sectionsOfPage));
  const kindOfPage = codeAlike(coder, model, 1, head?.kindOfPage, pageCount);
  const titleLengths = codeAll(coder, model, 2, head?.titleLengths, pageCount);
  const stepOfWorth = codeTrees(coder, model, WORTHS, WORTH_BITS, head?.stepOfWorth, pageCount);
  const pathMarks = codePlain(
    coder,
    MARK_BITS,
    head?.pathMarks,
    codeAll(coder, model, 3, head && [head.pathMarks.length], 1)[0] ?? 0,
  );
  const sectionsOfTextPart = codeAll(coder, model, 4, head?.sectionsOfTextPart);
  const namedTerms = codeWords(coder, words, head?.namedTerms);
  const [namedPartCount = 0] = codeAll(coder, model, 5, head && [head.namedPartCount], 1);
  const partOfNamed = codeParts(coder, model, head?.partOfNamed, namedTerms.length, namedPartCount);
  const termStarts = codeWords(coder, words, head?.termStarts);
  const wordStarts = codeWords(coder, words, head?.wordStarts);
  const postings = codeChances(coder, model, models.postings, head?.postings);
  const read = {
    kinds: head?.kinds ?? (JSON.parse(decodeUtf8(kinds)) as RankedPage[]),
    ...{ kindOfPage, sectionsOfPage, stepOfSection, titleLengths, stepOfWorth, pathMarks, sectionsOfTextPart },
    ...{ namedTerms, namedPartCount, partOfNamed, termStarts, wordStarts, sample, postings },
  };
  return { head: read, models };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** @throws Error where the text is no head of an index */
export function readHead(text: string): { head: PartHead; models: PartModels } {
  return codeHead(new BitReader(fromPrintable(text)));
}

/** A few bits of a path, so that few pages come into question for one. */
export function pathMark(path: string): number {
  let hash = 7;
  for (let i = 0; i < path.length; i++) hash = (Math.imul(hash, 31) + path.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 7) ^ (hash >>> 15)) & ((1 << MARK_BITS) - 1);
}
