import type { Passage } from '../chat/chat-request.ts';
import { type MarkdownBlock, markdownBlocks } from '../chat/markdown-blocks.ts';
import { type JoinedPassage, joinPassages } from '../retrieve/join-passages.ts';
import type { QuestionWords, WordMatch } from '../retrieve/question-words.ts';
import { isTrace, type QuestionTraits } from './question-kind.ts';

/**
 * A possible answer: a section, or one entry of a section that lists entries, such as questions.
 */
export interface Candidate extends JoinedPassage {
  /** The entry's own bold title is its first block. */
  isEntry: boolean;
  blocks: ReadBlock[];
  /** Matches in the title of the page. */
  titleFound: Float32Array;
  /** Matches in the description of the page. */
  descriptionFound: Float32Array;
  headFound: Float32Array;
  bodyFound: Float32Array;
}

/** Weight of matches in code, which is full of names. */
export const CODE_WORTH = 0.6;
/** Shorter bold lines are labels of tabs and levels, which belong together. */
const MIN_WORDS_OF_ENTRY = 3;
const THEMATIC_BREAK = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const IMAGE = /\[!\[[^[\]\n]*\]\([^()\n]*\)\]\([^()\n]*\)|!\[[^[\]\n]*\]\([^()\n]*\)/g;
/** What images leave behind in a list. */
const BLANK_LINES = /\n(?:[ \t]*\n){2,}/g;
const BOLD_LINE = /^\*\*([^*\n]{2,200})\*\*:?$/;

/** Splits passages into candidates. Reads each text once. */
export function readCandidates(
  words: QuestionWords,
  passages: readonly Passage[],
  traits: QuestionTraits,
): Candidate[] {
  return joinPassages(passages, traits.kind === 'how-to').flatMap((joined) =>
    candidatesOf(words, joined, traits),
  );
}

function candidatesOf(
  words: QuestionWords,
  joined: JoinedPassage,
  { hasTrace }: QuestionTraits,
): Candidate[] {
  const { passage } = joined;
  const titleFound = words.found(passage.metadata.title);
  const descriptionFound = words.found(passage.description ?? '');
  const headFound = words.found(passage.headings.join(' '));
  // A reader who sends a stack trace does not need it quoted.
  const visibleBlocks = quotableBlocks(passage.content).filter(
    ({ kind, markdown }) =>
      !(hasTrace && kind === 'code' && isTrace(markdown.replace(/^.*\n/, ''))),
  );
  const read = visibleBlocks.map((block) => readBlock(words, block));
  const blocks = namedCode(read, (title) => names(words.found(title)));
  return entriesOf(blocks)
    .filter((entry) => entry.some((block) => block.kind !== 'heading' && !isEntryTitle(block)))
    .map((entry) => {
      const isEntry = isEntryTitle(entry[0] as ReadBlock);
      return {
        ...joined,
        isEntry,
        blocks: entry,
        titleFound,
        descriptionFound,
        headFound: isEntry ? union([headFound, (entry[0] as ReadBlock).found]) : headFound,
        bodyFound: union(entry.map((block) => block.found)),
      };
    });
}

function readBlock(words: QuestionWords, block: MarkdownBlock): ReadBlock {
  const matches = words.matches(block.markdown);
  const closenessByWord = words.foundIn(matches);
  return {
    ...block,
    matches,
    found:
      block.kind === 'code' ? closenessByWord.map((value) => value * CODE_WORTH) : closenessByWord,
  };
}

/**
 * Splits where bold lines head several entries. The text before the first is its own entry; if it
 * only announces them, it is the whole section. The label of a tab that begins with an entry
 * belongs to no entry.
 */
function entriesOf(blocks: readonly ReadBlock[]): ReadBlock[][] {
  if (blocks.filter(isEntryTitle).length < 2) return blocks.length === 0 ? [] : [[...blocks]];
  const entries: ReadBlock[][] = [[]];
  for (const block of blocks) {
    const entry = entries.at(-1) as ReadBlock[];
    if (isEntryTitle(block)) {
      while (entry.length > 1 && introduces(entry.at(-1))) entry.pop();
      entries.push([block]);
    } else entry.push(block);
  }
  const [[...opening], ...rest] = entries as [ReadBlock[], ...ReadBlock[][]];
  if (opening.length === 0) return rest;
  return [announces(opening.at(-1) as ReadBlock) ? [...blocks] : opening, ...rest];
}

/**
 * Whether a block says that the next one follows: “in the following ways:”, or the name of a file.
 */
export function announces(block: MarkdownBlock): boolean {
  const text = block.markdown.trimEnd();
  return (
    /[:：]\**$/.test(text) ||
    FOLLOWING.test(text) ||
    (introduces(block) && block.kind === 'paragraph' && !LABEL.test(text))
  );
}

/** Whether a block only names the next one: a heading, the label of a tab, the name of a file. */
export function introduces(block: MarkdownBlock | undefined): boolean {
  if (block === undefined) return false;
  const { kind, markdown } = block;
  return (
    kind === 'heading' ||
    (kind === 'paragraph' &&
      (LABEL.test(markdown) || /^[^\s.!?。！？]{1,40}(?:\.\w{1,8})?$/u.test(markdown)))
  );
}

/** The label of a tab. */
const LABEL = /^\*\*[^*\n]+\*\*$/;
/** “Check the following possible problems.” at the end of a paragraph. */
const FOLLOWING = /\bthe following\b[^.!?\n]{0,80}\.$/i;

export function isEntryTitle({ kind, markdown }: MarkdownBlock): boolean {
  const title = kind === 'paragraph' ? BOLD_LINE.exec(markdown.trim())?.[1] : undefined;
  return (
    title !== undefined && (title.endsWith('?') || title.split(/\s+/).length >= MIN_WORDS_OF_ENTRY)
  );
}

/** The best of several matches, for each word. */
export function union(all: readonly Float32Array[]): Float32Array {
  const best = (all[0] as Float32Array).slice();
  for (const closenessByWord of all) {
    for (let i = 0; i < best.length; i++)
      if ((closenessByWord[i] as number) > (best[i] as number))
        best[i] = closenessByWord[i] as number;
  }
  return best;
}

/** Returns the blocks of a section, without images. */
export function quotableBlocks(content: string): MarkdownBlock[] {
  return markdownBlocks(content)
    .map(withoutImages)
    .filter(({ markdown }) => markdown.trim() !== '' && !THEMATIC_BREAK.test(markdown));
}

/** In code, an image is what the code shows. */
function withoutImages(block: MarkdownBlock): MarkdownBlock {
  if (block.kind === 'code') return block;
  return {
    ...block,
    markdown: block.markdown.replaceAll(IMAGE, '').replaceAll(BLANK_LINES, '\n\n'),
  };
}

/** A block and how well it matches each word of the question. */
export interface ReadBlock extends MarkdownBlock {
  found: Float32Array;
  matches: WordMatch[];
}

/** A label that may name a language or a tool. */
const NAMING_LABEL = /^\*\*[^*\n]{1,40}\*\*$/;
/** The weight of a synonym. */
const NAMED_FROM = 0.5;

/** A code block with the label above it. */
interface Choice {
  from: number;
  to: number;
  isNamed: boolean;
}

/**
 * If the same example exists for several languages or tools and the question names one of them,
 * keeps only that one.
 * @param isNamed whether the question names something in a text
 */
export function namedCode(
  blocks: readonly ReadBlock[],
  isNamed: (text: string) => boolean,
): ReadBlock[] {
  const left: ReadBlock[] = [];
  for (let at = 0; at < blocks.length; ) {
    const run = choicesFrom(blocks, at, isNamed);
    const end = run.at(-1)?.to ?? at + 1;
    const named = run.filter((choice) => choice.isNamed);
    const kept = run.length > 1 && named.length > 0 ? named : [{ from: at, to: end }];
    for (const { from, to } of kept) left.push(...blocks.slice(from, to));
    at = end;
  }
  return left;
}

function choicesFrom(
  blocks: readonly ReadBlock[],
  from: number,
  isNamed: (text: string) => boolean,
): Choice[] {
  const run: Choice[] = [];
  let at = from;
  for (;;) {
    const label =
      blocks[at]?.kind === 'paragraph' && NAMING_LABEL.test(blocks[at]?.markdown.trim() ?? '')
        ? 1
        : 0;
    const code = blocks[at + label];
    if (code?.kind !== 'code') return run;
    const title = `${label === 1 ? blocks[at]?.markdown : ''} ${code.markdown.split('\n')[0]}`;
    run.push({ from: at, to: at + label + 1, isNamed: isNamed(title) });
    at += label + 1;
  }
}

/** Returns whether a match is strong enough to say that the question names it. */
export function names(closenessByWord: Float32Array): boolean {
  return closenessByWord.some((closeness) => closeness >= NAMED_FROM);
}
