import { scanWords } from '@docent/search/words/tokenize.ts';
import { QuestionWords } from '../retrieve/question-words.ts';
import {
  type Candidate,
  CODE_WORTH,
  isEntryTitle,
  type ReadBlock,
  union,
} from './passage-candidates.ts';
import type { QuestionTraits } from './question-kind.ts';
import { sectionWeights } from './weights.ts';

export interface RankedCandidate extends Candidate {
  /** The probability that this one answers, given that any does: all of them sum to 1. */
  probability: number;
  /** How well page title, description, headings and text together match each word. */
  matched: Float32Array;
  /** The features of its rank. */
  evidence: Record<SectionColumn, number>;
  /** The question says “without” or “not”, and its heading does not: it may say the opposite. */
  isContrary: boolean;
}

/** The features of a rank. */
export type SectionColumn = keyof ReturnType<typeof evidenceOf>;

/** Lower bound of shares before taking their logarithm. */
const MIN_SHARE = 0.003;
/** The same for lengths. */
const MIN_LENGTH = 60;

const weights: Record<SectionColumn, number> = sectionWeights;
const KEYS = Object.keys(weights) as SectionColumn[];
/**
 * Shares of the question in title and heading, and of one of these in the question, from which the
 * section is what was asked for.
 */
const NAMED_FROM = 0.9;
const NAMES_FROM = 0.75;

/** Ranks the candidates, best first. */
export function rankCandidates(
  words: QuestionWords,
  candidates: readonly Candidate[],
  traits: QuestionTraits,
): RankedCandidate[] {
  const everything = candidates.map((entry) =>
    union([entry.titleFound, entry.descriptionFound, entry.headFound, entry.bodyFound]),
  );
  const rarity = rarityOf(everything, words.count);
  const placesOf = placesByPage(candidates);
  const ranked = candidates.map((candidate, index) => {
    const closenessByWord = everything[index] as Float32Array;
    const place = (placesOf.get(candidate.passage.path) as number[]).indexOf(candidate.place);
    const evidence = evidenceOf(words, candidate, traits, { closenessByWord, rarity, place });
    const score = KEYS.reduce((sum, key) => sum + weights[key] * evidence[key], 0);
    const isContrary =
      (traits.isNegated && evidence.negation === 0) ||
      candidate.passage.headings.some((heading) => endsWhatIsAsked(heading, traits.text));
    return { ...candidate, evidence, isContrary, matched: closenessByWord, score };
  });
  const best = Math.max(...ranked.map((rankedCandidate) => rankedCandidate.score));
  const shares = ranked.map((rankedCandidate) => Math.exp(rankedCandidate.score - best));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return ranked
    .map((rankedCandidate, index) => ({
      ...rankedCandidate,
      probability: (shares[index] as number) / all,
    }))
    .sort((a, b) => b.probability - a.probability);
}

/**
 * Returns the features of a candidate's rank.
 * @param among the words that it matches, how rare each is among the candidates, and its search
 *   rank within its page
 */
function evidenceOf(
  words: QuestionWords,
  candidate: Candidate,
  traits: QuestionTraits,
  among: { closenessByWord: Float32Array; rarity: Float32Array; place: number },
) {
  const { passage, blocks, headFound } = candidate;
  const { closenessByWord, rarity, place } = among;
  return {
    // Matched shares of the question, 0–1; rare words count more.
    heading: words.share(headFound, rarity),
    // Words that are close to each other.
    densest: densestBlock(words, candidate, rarity),
    everything: words.share(closenessByWord, rarity),
    // The same with equal weights.
    plain: words.share(closenessByWord),
    // The search's probability of its page, or its score.
    share: Math.log((passage.share ?? passage.metadata.score) + MIN_SHARE),
    place: Math.log(1 + place),
    length: Math.log(MIN_LENGTH + blocks.reduce((sum, { markdown }) => sum + markdown.length, 0)),
    // A page about one product helps few readers who do not use it.
    otherName: Number(namesOther(words, passage.metadata.title)),
    // “Publish a site” for “How do I publish a site?”.
    named: Number(isNamedBy(words, candidate, traits)),
    ...formOf(candidate, traits),
  };
}

/** Returns the search ranks of the sections of each page, best first. */
function placesByPage(candidates: readonly Candidate[]): Map<string, number[]> {
  const byPage = Map.groupBy(candidates, ({ passage }) => passage.path);
  return new Map(
    [...byPage].map(([path, some]) => [
      path,
      [...new Set(some.map(({ place }) => place))].sort((a, b) => a - b),
    ]),
  );
}

/**
 * Whether title and heading contain the words of the question, and one of them, or one of several
 * questions in it, nothing else.
 */
function isNamedBy(
  words: QuestionWords,
  { titleFound, headFound, passage }: Candidate,
  { text }: QuestionTraits,
): boolean {
  if (words.share(union([titleFound, headFound])) < NAMED_FROM) return false;
  return [passage.metadata.title, ...(passage.headings.at(-1) ?? '').split(/(?<=[?？])/u)].some(
    (name) => {
      const named = new QuestionWords(name);
      return named.share(named.found(text)) >= NAMES_FROM;
    },
  );
}

function densestBlock(words: QuestionWords, { blocks }: Candidate, rarity: Float32Array): number {
  const densities = blocks.map(
    ({ kind, matches }) => words.densest(matches, rarity) * (kind === 'code' ? CODE_WORTH : 1),
  );
  return Math.max(0, ...densities);
}

/** A word that all candidates contain does not distinguish them. */
export function rarityOf(everything: readonly Float32Array[], words: number): Float32Array {
  const counts = new Float32Array(words);
  for (const closenessByWord of everything)
    for (let i = 0; i < words; i++) (counts[i] as number) += closenessByWord[i] as number;
  return counts.map((count) => Math.log(1 + everything.length / (0.5 + count)));
}

const MIN_LETTERS_OF_PROSE = 60;
/** Starts with a definition. */
const DEFINES =
  /^[^.:!?\n]{1,60}?\s(?:is|are|lets?|allows?|means?|ist|sind|est|sont|es|son|é|são|è)\s/iu;
const FIELD = /^[ \t]*- `[^`\n]+` \([`'a-z]/gm;
const MIN_FIELDS = 3;
const MIN_ROUTE_LENGTH = 3;
const CLOSING_SECTION =
  /^(?:conclusion|summary|next steps?|related(?: \w+)?|see also|need (?:more )?help|additional resources|learn more|resources|further reading|getting help|table of contents|what['’]?s next|questions)\W*$/i;
const HELP =
  /\b(?:troubleshoot\w*|faqs?|errors?|issues?|problems?|fix|why|fail\w*|not|can['’]?t|doesn['’]?t|debug\w*|restrictions?|limitations?)\b/i;
const NEGATION =
  /\b(?:no|not|without|don['’]?t|can['’]?t|isn['’]?t|disabled?|disabling|never|off|offline|exclude|skip|missing|unable|hide)\b/i;

/** A heading about how to end or keep out something, and a question about that. */
const ENDS = /^(?:prevent|disabl|avoid|stop|turn(?:ing)? off|opt(?:ing)? out)/i;
const ASKS_FOR_END =
  /\b(?:prevent|disabl|avoid|stop|off\b|out\b|without|no\b|not|never|remov|hid|block|cancel|end\b)|n['’]t\b/i;

/** Whether a heading such as “Preventing retries” is about the opposite of “How do I retry …?”. */
function endsWhatIsAsked(heading: string, question: string): boolean {
  return ENDS.test(heading) && !ASKS_FOR_END.test(question);
}

/**
 * Returns whether a candidate has the form and the position of an answer to the question; each 0 or
 * 1.
 */
function formOf(
  candidate: Candidate,
  { kind, isAboutApi, isAboutResponses, isNegated, text }: QuestionTraits,
) {
  const { blocks, titleFound, headFound, isOperation, isEntry, passage } = candidate;
  // Some pages repeat their title above their first text.
  const lastHeading = passage.headings.at(-1) ?? '';
  const heading = lastHeading === passage.metadata.title ? '' : lastHeading;
  const ownTitle = isEntry ? (blocks[0] as ReadBlock).markdown : heading;
  const isHowTo = kind === 'how-to';
  const isProblem = kind === 'problem';
  const has = (test: (block: ReadBlock) => boolean) => blocks.some(test);
  const isAboutIt =
    kind === 'definition' && (heading === '' || headFound.some((closeness) => closeness > 0));
  const introducesIt =
    heading === '' && !isOperation && titleFound.some((closeness) => closeness > 0) && has(isProse);
  const route = isOperation ? routeOf(blocks) : '';
  const names = [passage.metadata.title, ...passage.headings, ownTitle];
  return {
    stepsForHowTo: Number(
      isHowTo && has((block) => block.kind === 'list' && /^\d/.test(block.markdown)),
    ),
    codeForHowTo: Number(isHowTo && !isOperation && has((block) => block.kind === 'code')),
    // “A webhook is …” for “what is a webhook?”
    definition: Number(isAboutIt && (introducesIt || has(defines))),
    // The closing sections of a page link elsewhere.
    closing: Number(CLOSING_SECTION.test(heading.trim())),
    // Reference lists of fields contain so many words that some match every question.
    fields: Number(!isOperation && has(listsFields)),
    operation: Number(isOperation && !isAboutApi),
    operationAsked: Number(isOperation && isAboutApi),
    // The question contains this exact address.
    operationNamed: Number(route !== '' && text.includes(route)),
    responses: Number(heading === 'Responses' && !isAboutResponses),
    // One of many questions and answers is short and covers one thing.
    entry: Number(isEntry && !isProblem),
    helpForProblem: Number(isProblem && !isOperation && HELP.test(names.join('\n'))),
    // “Without a mail server” does not fit readers who have one.
    negation: Number(isNegated && NEGATION.test(ownTitle)),
  };
}

function isProse(block: ReadBlock): boolean {
  return (
    block.kind === 'paragraph' &&
    block.markdown.length > MIN_LETTERS_OF_PROSE &&
    !isEntryTitle(block)
  );
}

function listsFields({ kind, markdown }: ReadBlock): boolean {
  return kind === 'list' && (markdown.match(FIELD)?.length ?? 0) >= MIN_FIELDS;
}

function defines(block: ReadBlock): boolean {
  return (
    isProse(block) && DEFINES.test(block.markdown) && block.found.some((closeness) => closeness > 0)
  );
}

/** `/v1/orders` of `GET /v1/orders/`; empty if it is so short that every address contains it. */
function routeOf([address]: readonly ReadBlock[]): string {
  const route = address?.markdown.split(/\s/)[1] ?? '';
  return route.length < MIN_ROUTE_LENGTH ? '' : route.replace(/\/$/, '');
}

/**
 * With a larger share of capitals than this, a title is in title case and its capitals mean
 * nothing.
 */
const MAX_CAPITALS = 0.6;
const MIN_WORDS_TO_JUDGE = 4;

/**
 * Returns whether a page is named after something that the question does not name: “Migrate from
 * Acme” for a question without Acme.
 */
export function namesOther(words: QuestionWords, title: string): boolean {
  const all: string[] = [];
  scanWords(title, (word) => {
    all.push(word);
  });
  const capital = all.slice(1).filter((word) => /^\p{Lu}/u.test(word));
  const isAllCapital =
    all.length >= MIN_WORDS_TO_JUDGE && capital.length > all.length * MAX_CAPITALS;
  const names = isAllCapital
    ? all.filter(hasInnerCapital)
    : [...capital, ...all.slice(0, 1).filter(hasInnerCapital)];
  // Words in capitals are acronyms of common things: `API`, `SDK`.
  return names.some(
    (name) =>
      name !== name.toUpperCase() && words.found(name).every((closeness) => closeness === 0),
  );
}

function hasInnerCapital(word: string): boolean {
  return /\p{Ll}\p{Lu}/u.test(word);
}
