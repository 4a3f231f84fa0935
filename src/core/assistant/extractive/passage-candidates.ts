import type { Passage } from '../chat-request.ts';
import { type JoinedPassage, joinPassages } from '../join-passages.ts';
import { type MarkdownBlock, markdownBlocks } from '../markdown-blocks.ts';
import { namedCode, names, type ReadBlock } from './code-choices.ts';
import { isTrace, type QuestionTraits } from './question-kind.ts';
import type { QuestionWords } from './question-words.ts';

/** A possible answer: a section, or one entry of a section that lists entries, such as questions. */
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
const CODE_WORTH = 0.6;
/** Shorter bold lines are labels of tabs and levels, which belong together. */
const MIN_WORDS_OF_ENTRY = 3;
const THEMATIC_BREAK = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const IMAGE = /\[!\[[^[\]\n]*\]\([^()\n]*\)\]\([^()\n]*\)|!\[[^[\]\n]*\]\([^()\n]*\)/g;
/** What images leave behind in a list. */
const BLANK_LINES = /\n(?:[ \t]*\n){2,}/g;
const BOLD_LINE = /^\*\*([^*\n]{2,200})\*\*:?$/;

/** Splits passages into candidates. Reads each text once. */
export function readCandidates(words: QuestionWords, passages: readonly Passage[], asked: QuestionTraits): Candidate[] {
  return joinPassages(passages, asked.kind === 'how-to').flatMap((joined) => candidatesOf(words, joined, asked));
}

function candidatesOf(words: QuestionWords, joined: JoinedPassage, { hasTrace }: QuestionTraits): Candidate[] {
  const { passage } = joined;
  const titleFound = words.found(passage.metadata.title);
  const descriptionFound = words.found(passage.description ?? '');
  const headFound = words.found(passage.headings.join(' '));
  // A reader who sends a stack trace does not need it quoted.
  const shown = markdownBlocks(passage.content)
    .map(withoutImages)
    .filter(
      ({ kind, markdown }) =>
        markdown.trim() !== '' &&
        !THEMATIC_BREAK.test(markdown) &&
        !(hasTrace && kind === 'code' && isTrace(markdown.replace(/^.*\n/, ''))),
    );
  const read = shown.map((block) => readBlock(words, block));
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
  const found = words.foundIn(matches);
  return { ...block, matches, found: block.kind === 'code' ? found.map((value) => value * CODE_WORTH) : found };
}

/** Splits where bold lines head several entries; the text before the first is its own entry. */
function entriesOf(blocks: readonly ReadBlock[]): ReadBlock[][] {
  if (blocks.filter(isEntryTitle).length < 2) return blocks.length === 0 ? [] : [[...blocks]];
  const entries: ReadBlock[][] = [];
  for (const block of blocks) {
    if (entries.length === 0 || isEntryTitle(block)) entries.push([block]);
    else entries.at(-1)?.push(block);
  }
  return entries;
}

export function isEntryTitle({ kind, markdown }: MarkdownBlock): boolean {
  const title = kind === 'paragraph' ? BOLD_LINE.exec(markdown.trim())?.[1] : undefined;
  return title !== undefined && (title.endsWith('?') || title.split(/\s+/).length >= MIN_WORDS_OF_ENTRY);
}

/** The best of several matches, for each word. */
export function union(all: readonly Float32Array[]): Float32Array {
  const best = (all[0] as Float32Array).slice();
  for (const found of all) {
    for (let i = 0; i < best.length; i++) if ((found[i] as number) > (best[i] as number)) best[i] = found[i] as number;
  }
  return best;
}

/** In code, an image is what the code shows. */
function withoutImages(block: MarkdownBlock): MarkdownBlock {
  if (block.kind === 'code') return block;
  return { ...block, markdown: block.markdown.replaceAll(IMAGE, '').replaceAll(BLANK_LINES, '\n\n') };
}
