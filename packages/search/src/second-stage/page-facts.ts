import { type CountedPage, type FactSource, folderOf, lowerBound } from '../index/search-data.ts';
import { NAME_MARK } from '../query/named-sections.ts';
import { pageMeans, secondStageWeights } from './weights.ts';

/** Query-independent facts of a page, counted only among the pages of its version and language. */
export const PAGE_COLUMNS = [
  'folder',
  'folderShare',
  'siblings',
  'inLinks',
  'outLinks',
  'depth',
  'length',
  'sections',
  'place',
  'operation',
  'codeShare',
  'commonHeadings',
  'templateHeadings',
  'titleLength',
  'menuDepth',
] as const;

/** A heading on this many pages comes from a template. */
const TEMPLATE_PAGES = 5;

/** Counts the facts of each page, in the order of `PAGE_COLUMNS`. */
export function pageFacts(source: FactSource): Float64Array[] {
  const { pages } = source;
  const labels = pages.map(({ version, language }) => JSON.stringify([version, language]));
  const folderKeys = pages.map(({ path }, page) => `${labels[page]} ${folderOf(path)}`);
  const menuKeys = pages.map(({ trail }, page) => `${labels[page]} ${JSON.stringify(trail)}`);
  const [pageCounts, folderCounts, menuCounts] = [labels, folderKeys, menuKeys].map(tally) as [
    Tally,
    Tally,
    Tally,
  ];
  const { inLinks, outLinks } = countLinks(pages, labels);
  const headings = countHeadings(source, labels);
  const { log2 } = Math;
  return pages.map((page, at) => {
    const { count: pageCount, place } = pageCounts[at] as Tally[number];
    const folder = folderCounts[at]?.count as number;
    const headingCount = headings.all[at] || 1;
    return Float64Array.of(
      log2(1 + folder),
      folder / pageCount,
      log2(1 + (menuCounts[at]?.count as number)),
      log2(1 + (inLinks[at] as number)),
      log2(1 + (outLinks[at] as number)),
      page.path.split('/').length - 1,
      log2(1 + page.proseLength),
      log2(page.sectionCount),
      place / Math.max(1, pageCount - 1),
      page.isOperation ? 1 : 0,
      page.codeLength / (1 + page.codeLength + page.proseLength),
      (headings.logs[at] as number) / headingCount,
      (headings.templates[at] as number) / headingCount,
      page.titleLength,
      page.trail.length,
    );
  });
}

/** Returns the sections of each heading, read from the names in the terms of an index. */
export function* headingLists(
  terms: readonly string[],
  sectionsOf: (term: number) => readonly number[],
) {
  for (let term = lowerBound(terms, NAME_MARK); terms[term]?.startsWith(NAME_MARK); term++)
    yield sectionsOf(term);
}

type Tally = { count: number; place: number }[];

/** Returns for each key how often it occurs, and how often before. */
function tally(keys: readonly string[]): Tally {
  const counts = new Map<string, number>();
  const places = keys.map((key) => {
    const place = counts.get(key) ?? 0;
    counts.set(key, place + 1);
    return { key, place };
  });
  return places.map(({ key, place }) => ({ count: counts.get(key) as number, place }));
}

/** A link to another version or language says nothing about the page. */
function countLinks(
  pages: readonly CountedPage[],
  labels: readonly string[],
): Record<'inLinks' | 'outLinks', Uint32Array> {
  const [inLinks, outLinks] = [new Uint32Array(pages.length), new Uint32Array(pages.length)];
  pages.forEach(({ links }, from) => {
    for (const to of links) {
      if (labels[from] !== labels[to]) continue;
      (outLinks[from] as number)++;
      (inLinks[to] as number)++;
    }
  });
  return { inLinks, outLinks };
}

/**
 * For each page: the number of its headings, on how many pages they occur (sum of logarithms), and
 * how many occur on many.
 */
function countHeadings({ headings, pageOfSection, pages }: FactSource, labels: readonly string[]) {
  const [all, logs, templates] = [0, 1, 2].map(() => new Float64Array(pages.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const pagesOfLabel = new Map<string, number>();
  for (const sections of headings) {
    pagesOfLabel.clear();
    let before = -1;
    for (const section of sections) {
      const page = pageOfSection[section] as number;
      const label = labels[page] as string;
      if (page !== before) pagesOfLabel.set(label, (pagesOfLabel.get(label) ?? 0) + 1);
      before = page;
    }
    for (const section of sections) {
      const page = pageOfSection[section] as number;
      const count = pagesOfLabel.get(labels[page] as string) as number;
      (all[page] as number)++;
      (logs[page] as number) += Math.log2(count);
      if (count >= TEMPLATE_PAGES) (templates[page] as number)++;
    }
  }
  return { all, logs, templates };
}

/**
 * Worth is quantized, so that it takes one character in a sharded index, and ranks the same there
 * as in the whole.
 */
const STEPS_OF_ONE = 8;
const WORTH_BITS = 8;
const MIDDLE = 1 << (WORTH_BITS - 1);
const HIGHEST = (1 << WORTH_BITS) - 1;

export function worthStep(worth: number): number {
  return Math.min(HIGHEST, Math.max(0, Math.round(worth * STEPS_OF_ONE) + MIDDLE));
}

export function worthOfStep(step: number): number {
  return (step - MIDDLE) / STEPS_OF_ONE;
}

/**
 * Returns the query-independent worth of each page: the sum of its facts with the weights of the
 * second stage.
 */
export function pageWorth(source: FactSource): Float32Array {
  return Float32Array.from(pageFacts(source), (facts) => {
    const worth = facts.reduce(
      (sum, fact, column) =>
        sum + (fact - (pageMeans[column] as number)) * (secondStageWeights.page[column] as number),
      0,
    );
    return worthOfStep(worthStep(worth));
  });
}
