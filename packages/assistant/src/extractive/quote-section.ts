import { listItems, visibleLength } from '../chat/markdown-blocks.ts';
import type { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { announces, introduces, type ReadBlock, union } from './passage-candidates.ts';
import { closed, leadsElsewhere, SOLUTION } from './quote-candidate.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { shortenBlock } from './shorten-block.ts';

/** A section that is longer than the limit, but not more than times this, is quoted whole. */
const MAX_WHOLE = 1.15;

/** Steps that were not asked for leave room for what is around them. */
const SHARE_OF_STEPS = 0.75;
const STEPS = /^\d{1,9}[.)][ \t]/;

/** Blocks that are understood only together: a sentence and the list or code that it announces. */
interface Unit {
  place: number;
  text: string;
  length: number;
  matches: Float32Array;
  /** How likely it answers, about 0–1. */
  worth: number;
  /** It is the code or the steps that were asked for, and may be long. */
  isAsked: boolean;
  isSteps: boolean;
}

/**
 * Selects the quoted part of a candidate: all of it if it is short, otherwise the unit that answers
 * best with those that add most to it, in their order. An entry keeps its title.
 */
export function quoteSection(
  words: QuestionWords,
  candidate: RankedCandidate,
  longest: number,
  frames: AnswerFrames,
): string {
  const { blocks, isEntry } = candidate;
  const isSteps = candidate.evidence.stepsForHowTo === 1;
  const texts = blocks.map((block) => {
    const isAside = !isSteps && blocks.length > 1 && STEPS.test(block.markdown);
    return shortenBlock(words, block, isAside ? longest * SHARE_OF_STEPS : longest, frames);
  });
  const whole = texts.join('\n\n');
  if (visibleLength(whole) <= longest * MAX_WHOLE) return closed(whole);
  const title = isEntry ? [texts[0] as string] : [];
  const units = unitsOf(words, candidate, texts);
  const room = longest - visibleLength(title.join(''));
  const quoted = bestUnits(words, units, room).flatMap(({ place, text }, at, all) => {
    const isGap = at > 0 && place > (all[at - 1] as Unit).place + 1;
    return isGap ? ['…', text] : [text];
  });
  return closed([...title, ...quoted].join('\n\n'));
}

/** How much more likely it answers than its words say: the beginning of a section. */
const OF_BEGINNING = 0.12;
/** The same of code and steps, for a question how to do something. */
const OF_CODE = 0.15;
/** The same of a solution. */
const OF_SOLUTION = 0.6;
/** And less: of links to other pages. */
const OF_LINKS = 0.4;
/** How much more a unit adds to the one before it, and to the one after it. */
const OF_FOLLOWING = 0.1;
const OF_PRECEDING = 0.05;
/** How much what it answers counts beside what it adds. */
const SHARE_OF_WORTH = 0.5;
/** A unit that adds less is left to the page. */
const MIN_GAIN = 0.03;
/** The cost of a character, and of one beyond the limit. */
const COST = 0.0002;
const COST_BEYOND = 0.001;

/** The units that together say most within a limit; at least one. */
function bestUnits(words: QuestionWords, units: readonly Unit[], limit: number): Unit[] {
  const kept: Unit[] = [];
  let room = limit;
  // Of a procedure no step is left out.
  const hasSteps = units.some(({ isSteps }) => isSteps);
  const slack = limit * (MAX_WHOLE - 1);
  for (;;) {
    const covered = kept.length === 0 ? undefined : union(kept.map(({ matches }) => matches));
    const gainOf = ({ place, matches, worth, length, isAsked }: Unit): number => {
      const beyond = isAsked ? 0 : Math.max(0, length - limit) * COST_BEYOND;
      const cost = length * COST + beyond;
      if (covered === undefined) return worth - cost;
      const isNextTo = (distance: number) => kept.some((unit) => unit.place === place - distance);
      const adds = words.share(union([covered, matches])) - words.share(covered);
      const beside = isNextTo(1) ? OF_FOLLOWING : isNextTo(-1) ? OF_PRECEDING : 0;
      return SHARE_OF_WORTH * worth + adds + beside - cost;
    };
    const left = units
      .filter((unit) => !kept.includes(unit))
      .filter(({ length, isSteps }) =>
        kept.length === 0 ? isSteps || !hasSteps : length <= room + slack,
      )
      .map((unit) => ({ unit, gain: gainOf(unit) }));
    if (left.length === 0) break;
    const { unit, gain } = left.reduce((a, b) => (b.gain > a.gain ? b : a));
    if (kept.length > 0 && gain < MIN_GAIN) break;
    kept.push(unit);
    room -= unit.length;
  }
  return kept.sort((a, b) => a.place - b.place);
}

/** The units of a candidate, without its title and without further variants of an example. */
function unitsOf(
  words: QuestionWords,
  { blocks, evidence, isEntry }: RankedCandidate,
  texts: readonly string[],
): Unit[] {
  const isHowTo = evidence.codeForHowTo === 1 || evidence.stepsForHowTo === 1;
  const ranges = withoutVariants(blocks, rangesOf(blocks, isEntry ? 1 : 0));
  return ranges.map(({ from, to }, place) => {
    const part = blocks.slice(from, to + 1);
    const matches = union(part.map((block) => block.found));
    const share = words.share(matches) * (part.every(isLinks) ? OF_LINKS : 1);
    const begins = place === 0 ? OF_BEGINNING : 0;
    const isAsked = isHowTo && part.some(isCodeOrSteps);
    const shows = isAsked ? OF_CODE : 0;
    const solves = SOLUTION.test(part[0]?.markdown ?? '') ? OF_SOLUTION : 0;
    const text = texts.slice(from, to + 1).join('\n\n');
    return {
      place,
      text,
      length: visibleLength(text),
      matches,
      worth: share + begins + shows + solves,
      isAsked,
      isSteps: isHowTo && part.some(({ markdown }) => STEPS.test(markdown)),
    };
  });
}

/** First and last block of a unit. */
interface Range {
  from: number;
  to: number;
}

function rangesOf(blocks: readonly ReadBlock[], first: number): Range[] {
  const ranges: Range[] = [];
  for (let at = first; at < blocks.length; at++) {
    const last = ranges.at(-1);
    if (last !== undefined && belongs(blocks, last, at)) last.to = at;
    else ranges.push({ from: at, to: at });
  }
  return ranges;
}

/** Whether a block is understood only with those before it. */
function belongs(blocks: readonly ReadBlock[], { from }: Range, at: number): boolean {
  const before = blocks[at - 1] as ReadBlock;
  const { kind, markdown } = blocks[at] as ReadBlock;
  if (introduces(before) || announces(before) || REFERS_BACK.test(markdown)) return true;
  const hasCode = blocks.slice(from, at).some((block) => block.kind === 'code');
  return kind === 'code' && !hasCode && before.kind === 'paragraph';
}

/** A paragraph about the code or the table before it. */
const REFERS_BACK =
  /^(?:in th(?:is|e above) example|(?:as )?you can see|as (?:shown|mentioned|described|noted))\b/i;

/**
 * The same example for another language, under the label of a tab, is left to the page; the first
 * one is enough.
 */
function withoutVariants(blocks: readonly ReadBlock[], ranges: readonly Range[]): Range[] {
  const isExample = ({ from, to }: Range) =>
    TAB.test(blocks[from]?.markdown ?? '') && blocks[to]?.kind === 'code' && to === from + 1;
  return ranges.filter((range, at) => !isExample(range) || !ranges.slice(0, at).some(isExample));
}

const TAB = /^\*\*[^*\n]{1,40}\*\*$/;

function isCodeOrSteps({ kind, markdown }: ReadBlock): boolean {
  return kind === 'code' || (kind === 'list' && STEPS.test(markdown));
}

/** Whether a list or a paragraph leads to other pages. */
function isLinks(block: ReadBlock): boolean {
  return block.kind === 'list'
    ? listItems(block.markdown).every((item) => LINK.test(item))
    : leadsElsewhere(block);
}

const LINK = /^[-*+] (?:\*\*)?\[[^\]]*\]\(/;
