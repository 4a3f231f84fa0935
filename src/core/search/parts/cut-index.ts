import { concatenate } from '../../concatenate.ts';
import type { IndexData } from '../index-data.ts';
import { worthStep } from '../second-stage/page-worth.ts';
import { lengthStep } from '../section-length.ts';
import { encodeUtf8 } from '../utf8.ts';
import { BitWriter } from './bit-coder.ts';
import { codePostings, type IndexSize, postingModel } from './code-postings.ts';
import { groupTerms } from './group-terms.ts';
import { groupTexts } from './group-texts.ts';
import { IndexSubset, type SubsetPage } from './index-subset.ts';
import { type PartHead, pathMark, WORDS_IN_PART } from './part-head.ts';
import { shortStarts } from './short-starts.ts';
import { writeHead } from './write-head.ts';
import { type ListedTerm, PartWriter } from './write-parts.ts';

/** From so much of the site's text the parts of texts begin. */
const SAMPLE_BYTES = 4000;
const SAMPLE_STRETCH_BYTES = 400;
/** Every so many terms one is looked at to learn what postings are like. */
const TAUGHT_BY = 5;

/** An index in parts: what is needed first, and the rest, to be fetched by number. All are text of one byte a character, mostly. */
export interface CutIndex {
  head: string;
  parts: string[];
}

/**
 * Cuts an index into parts from which `openPartedIndex` gives the same answers as `loadSearchIndex` gives from the whole.
 * @param isIncluded which pages go in; the parts know nothing of the others. All by default
 */
export function cutIndex(data: IndexData, isIncluded: (page: SubsetPage) => boolean = () => true): CutIndex {
  const subset = new IndexSubset(data, isIncluded);
  const size = { sectionCount: subset.sections.length, pageCount: subset.pages.length };
  const listed = listTerms(subset);
  const words = chunks(wordsOf(data, listed), WORDS_IN_PART);
  const terms = groupTerms(listed);
  const texts = [...groupTexts(subset)];
  const head = {
    ...pageFacts(subset),
    stepOfSection: subset.sections.map((section) => lengthStep(data.sectionLength[section] as number)),
    wordStarts: shortStarts(words),
    termStarts: terms.termStarts,
    namedTerms: terms.namedTerms,
    partOfNamed: terms.partOfNamed,
    namedPartCount: terms.named.length,
    sectionsOfTextPart: texts.map((part) => part.sectionCount),
    sample: sampleOf(subset),
    postings: taught(listed, size),
  };
  const { text, models } = writeHead(head);
  const writer = new PartWriter(models, size, head.sample);
  const parts = [
    ...words.map((group) => writer.words(group)),
    ...[...terms.general, ...terms.named].map((group) => writer.terms(group)),
    ...texts.map((part) => writer.texts(part.texts)),
  ];
  return { head: text, parts };
}

function listTerms(subset: IndexSubset): ListedTerm[] {
  const listed: ListedTerm[] = [];
  subset.data.terms.forEach((term, id) => {
    const postings = subset.postingsOf(id);
    if (postings) listed.push({ term, postings });
  });
  return listed;
}

/** The words whose terms are there. */
function wordsOf({ vocabulary, terms }: IndexData, listed: readonly ListedTerm[]): string[] {
  const kept = new Set(listed.map(({ term }) => term));
  return vocabulary.words.filter((_, index) => kept.has(terms[vocabulary.terms[index] as number] as string));
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function pageFacts(
  subset: IndexSubset,
): Pick<PartHead, 'kinds' | 'kindOfPage' | 'sectionsOfPage' | 'titleLengths' | 'stepOfWorth' | 'pathMarks'> {
  const kinds = new Map<string, number>();
  const pages = subset.pages.map((page) => subset.data.pages[page] as PartHead['kinds'][number]);
  const kindOfPage = pages.map((page) => {
    const key = JSON.stringify(page);
    const known = kinds.get(key) ?? kinds.size;
    kinds.set(key, known);
    return known;
  });
  const isLabelled = pages.some((page) => page.version !== undefined || page.language !== undefined);
  return {
    kinds: [...kinds.keys()].map((key) => JSON.parse(key) as PartHead['kinds'][number]),
    kindOfPage,
    sectionsOfPage: pages.map((_, page) => subset.sectionsOf(page)),
    titleLengths: subset.pages.map((page) => subset.data.titleLength[page] as number),
    stepOfWorth: Array.from(subset.pageWorth(), worthStep),
    pathMarks: isLabelled ? pages.map((_, page) => pathMark(subset.stored(page)[0])) : [],
  };
}

/** Stretches of texts from all over the site. */
function sampleOf({ data, sections }: IndexSubset): Uint8Array {
  const wanted = SAMPLE_BYTES / SAMPLE_STRETCH_BYTES;
  const stretches: Uint8Array[] = [];
  for (let i = 0; i < wanted && sections.length > 0; i++) {
    const section = sections[Math.floor(((i + 0.5) * sections.length) / wanted)] as number;
    stretches.push(encodeUtf8(data.sectionText(section)).subarray(0, SAMPLE_STRETCH_BYTES));
  }
  return concatenate(stretches);
}

function taught(listed: readonly ListedTerm[], size: IndexSize): PartHead['postings'] {
  const model = postingModel();
  const writer = new BitWriter();
  for (let i = 0; i < listed.length; i += TAUGHT_BY) codePostings(writer, model, size, (listed[i] as ListedTerm).postings);
  return model;
}
