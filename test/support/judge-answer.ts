import { scanWords, wordStems } from '@docent/search/words/tokenize.ts';

/** The evidence for an answer. */
export interface Evidence {
  /**
   * Markdown of the pages that the answer links to, by address without its anchor; absent if there
   * is no such page.
   */
  pages: ReadonlyMap<string, string>;
  /** The results of the tools in this answer. */
  given: readonly string[];
  /** Address of the site without a trailing slash. */
  siteUrl: string;
}

/** What can be measured automatically in an answer. */
export interface Judgment {
  isEmpty: boolean;
  /** Sentences that link to a page of the site, and those of them that the page covers. */
  cited: { all: number; grounded: number };
  /** Sentences and blocks of code without a link, and those of them that the evidence covers. */
  uncited: { all: number; grounded: number };
  /** Sentences that nothing covers. */
  ungrounded: string[];
  /** Addresses of the site without a page. */
  deadLinks: string[];
  /** Addresses of other sites that the evidence does not contain. */
  foreignLinks: string[];
}

/**
 * Share of the words of a sentence that its source must contain; this judge does not recognize
 * translations or paraphrases.
 */
const COVERED_FROM = 0.7;
const MIN_WORDS = 3;
const LINK = /\[([^\]\n]{0,300})\]\(([^)\s]{1,2000})\)/g;

/** Judges mechanically: every sentence is covered by its source, every link exists. */
export function judgeAnswer(answer: string, { pages, given, siteUrl }: Evidence): Judgment {
  const judgment: Judgment = {
    isEmpty: answer.trim() === '',
    cited: { all: 0, grounded: 0 },
    uncited: { all: 0, grounded: 0 },
    ungrounded: [],
    deadLinks: [],
    foreignLinks: [],
  };
  const everything = [...given, ...pages.values()].join('\n');
  for (const [, , address] of answer.matchAll(LINK) as Iterable<[string, string, string]>) {
    const plain = address.replace(/#.*$/, '');
    if (!isOfSite(address, siteUrl)) {
      if (!everything.includes(plain)) judgment.foreignLinks.push(address);
    } else if (!pages.has(plain)) judgment.deadLinks.push(address);
  }
  for (const { text, isCode } of claimsOf(answer)) {
    const linked = [...text.matchAll(LINK)].map(([, , address]) =>
      (address as string).replace(/#.*$/, ''),
    );
    const own = linked.filter((address) => isOfSite(address, siteUrl));
    const source =
      own.length === 0 ? everything : own.map((address) => pages.get(address) ?? '').join('\n');
    const claim = text.replaceAll(LINK, '');
    if (stemsOf(claim).size < MIN_WORDS) continue;
    const count = own.length === 0 ? judgment.uncited : judgment.cited;
    count.all++;
    if (isCovered(claim, source, isCode)) count.grounded++;
    else judgment.ungrounded.push(text);
  }
  return judgment;
}

/** Returns the addresses of the site that an answer links to, without their anchors. */
export function linkedPages(answer: string, siteUrl: string): string[] {
  const addresses = [...answer.matchAll(LINK)].map(([, , address]) =>
    (address as string).replace(/#.*$/, ''),
  );
  return [...new Set(addresses.filter((address) => isOfSite(address, siteUrl)))];
}

function isOfSite(address: string, siteUrl: string): boolean {
  return address === siteUrl || address.startsWith(`${siteUrl}/`) || address.startsWith('/');
}

function claimsOf(answer: string): { text: string; isCode: boolean }[] {
  const pieces = answer.replace(/```suggestions[\s\S]*?```/g, '').split(/^(?:```|~~~)[^\n]*$/m);
  return pieces.flatMap((piece, at) => {
    const isCode = at % 2 === 1;
    // A link after the full stop belongs to the sentence before it.
    const texts = isCode ? [piece] : piece.split(/(?<=[.!?:])\s+(?!\[)|\n+/);
    return texts.map((text) => ({ text, isCode }));
  });
}

/**
 * Returns whether the source contains all numbers and code unchanged, and most of the other words.
 */
function isCovered(claim: string, source: string, isCode: boolean): boolean {
  if (isCode) {
    const squeezed = source.replaceAll(/\s+/g, ' ');
    return claim
      .split('\n')
      .every((line) => squeezed.includes(line.trim().replaceAll(/\s+/g, ' ')));
  }
  const exact = [...claim.matchAll(/`([^`\n]+)`|\b(\d[\d.,]*\d|\d{2,})\b/g)].map(
    ([, code, number]) => code ?? number ?? '',
  );
  if (!exact.every((one) => source.includes(one))) return false;
  const known = stemsOf(source);
  const stems = [...stemsOf(claim)];
  return stems.filter((one) => known.has(one)).length >= COVERED_FROM * stems.length;
}

function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  scanWords(text, (word) => {
    const { stems: own, isStopWord } = wordStems(word);
    if (!isStopWord && own[0] !== undefined) stems.add(own[0]);
  });
  return stems;
}
