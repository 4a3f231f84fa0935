import {
  listItems,
  type MarkdownBlock,
  markdownBlocks,
  sentences,
} from '../chat/markdown-blocks.ts';
import type { QuestionWords } from '../retrieve/question-words.ts';
import type { AnswerFrames } from './answer-frames.ts';
import { announces, type Candidate, introduces, type ReadBlock } from './passage-candidates.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import { shortenBlock } from './shorten-block.ts';

/**
 * Returns what a section says in a sentence or two: those of its best paragraph, the best item of
 * its list, or the steps around it; what introduces code, and the code only if both fit; of an
 * operation the address and the purpose.
 */
export function keyPart(
  words: QuestionWords,
  candidate: RankedCandidate,
  longest: number,
  frames: AnswerFrames,
): string {
  const { blocks, blockShares, isEntry, isOperation } = candidate;
  if (isOperation) return operationLine(candidate, longest);
  const nearest = bestBlock(blockShares, isEntry ? 1 : 0);
  const others = blocks
    .map((_, index) => index)
    .filter((index) => index !== nearest && (blockShares[index] as number) > 0)
    .sort((a, b) => (blockShares[b] as number) - (blockShares[a] as number));
  const parts = [Math.max(nearest, solutionAfter(blocks, nearest)), ...others].map((index) =>
    partAt(words, candidate, index, { longest, frames }),
  );
  return parts.find(isComplete) ?? parts[0] ?? '';
}

/** Whether a text says something, not only what is not quoted with it. */
function isComplete(markdown: string): boolean {
  const block: MarkdownBlock = { kind: 'paragraph', markdown };
  return markdown.replace(LIST_MARK, '') !== '' && !announces(block) && !introduces(block);
}

/** The beginning of a sentence that leads elsewhere: “See [Proxying](/proxying).” */
const LEADS_ELSEWHERE = /^(?:for|see|learn|read|to learn)\b/i;
const LINK = /\][([]/;

/**
 * Whether a quote says something by itself: more than what it announces, where else to read, and
 * the names of steps that are cut.
 */
export function saysSomething(markdown: string): boolean {
  return markdownBlocks(markdown).some((block) => {
    if (block.kind === 'code' || block.kind === 'table') return true;
    if (block.kind === 'list') return listItems(block.markdown).some((item) => !item.endsWith('…'));
    return (
      /[\p{L}\p{N}]/u.test(block.markdown) &&
      !introduces(block) &&
      !announces(block) &&
      !leadsElsewhere(block)
    );
  });
}

/** Whether a paragraph only links to where more stands. */
export function leadsElsewhere({ kind, markdown }: MarkdownBlock): boolean {
  return (
    kind === 'paragraph' &&
    sentences(markdown).every((text) => LEADS_ELSEWHERE.test(text) && LINK.test(text))
  );
}

/** The key part of a candidate around one of its blocks. */
function partAt(
  words: QuestionWords,
  { blocks, isEntry, passage }: RankedCandidate,
  best: number,
  { longest, frames }: { longest: number; frames: AnswerFrames },
): string {
  const block = blocks[best];
  if (block === undefined) return '';
  const text = (index: number) => {
    const near = blocks[index];
    return near?.kind === 'paragraph' && !introduces(near)
      ? shortenBlock(words, near, longest, frames)
      : '';
  };
  const title = isEntry ? `${(blocks[0] as ReadBlock).markdown}\n\n` : '';
  const isShort = block.markdown.length <= longest;
  const room = longest * ROOM_FOR_WHOLE;
  if (block.kind === 'list' && ORDERED.test(block.markdown) && block.markdown.length <= room)
    return title + block.markdown;
  if (block.kind === 'list') {
    const item = keyItem(words, block.markdown, longest);
    return (
      title + (item.length >= MIN_ITEM_LENGTH ? item : text(best - 1) || text(best + 1) || item)
    );
  }
  if (block.kind === 'code' || (block.kind === 'table' && !isShort)) {
    const lead = text(best - 1) || text(best + 1);
    const whole = isShort ? [lead, block.markdown].filter((part) => part !== '').join('\n\n') : '';
    return (
      title +
      (whole !== '' && whole.length <= longest
        ? whole
        : lead || (isShort ? block.markdown : passage.description || ''))
    );
  }
  const sentence = closed(shortenBlock(words, block, longest, frames).replaceAll(OUTER_GAPS, ''));
  if (!announces({ ...block, markdown: sentence })) return title + sentence;
  const rest = announcedPart(words, blocks[best + 1], { longest, room }, frames);
  if (rest !== '') return `${title}${sentence}\n\n${rest}`;
  return title + (withoutAnnouncement(sentence) || text(best - 1) || sentence);
}

/** What a sentence announces, shortened: “Run the following:” alone is useless. Empty if too long. */
function announcedPart(
  words: QuestionWords,
  next: ReadBlock | undefined,
  { longest, room }: { longest: number; room: number },
  frames: AnswerFrames,
): string {
  if (next === undefined || introduces(next)) return '';
  if (next.markdown.length <= (next.kind === 'code' ? longest : room)) return next.markdown;
  const rest = next.kind === 'code' ? '' : closed(shortenBlock(words, next, room, frames));
  return rest.length <= room ? rest : '';
}

/** All steps, and what a sentence announces, are the answer: they may be longer than a sentence. */
const ROOM_FOR_WHOLE = 1.4;

/** A text without its last sentence, which announces what is not quoted. */
function withoutAnnouncement(text: string): string {
  const all = sentences(text);
  return all.slice(0, -1).join(' ').trim();
}

/** Marks of what is left out before and after a sentence: it is one of many anyway. */
const OUTER_GAPS = /^(?:> )?… |(?<! ) …$/g;

/**
 * The item of a list that has most of the question's words, without what is below it; the whole
 * list if it is short and has more of them.
 */
function keyItem(words: QuestionWords, list: string, longest: number): string {
  const items = listItems(list);
  const shares = items.map((item) => words.share(words.found(item)));
  const best = Math.max(...shares);
  if (list.length <= longest && words.share(words.found(list)) > best) return list;
  const item = items[shares.indexOf(best)] as string;
  const [title = '', ...paragraphs] = item.split(/\n[ \t]*\n/);
  const isTitle =
    title.replace(LIST_MARK, '').length < MIN_ITEM_LENGTH &&
    /^[ \t]*[^\s`|>]/.test(paragraphs[0] ?? '`');
  const text = isTitle ? `${title}\n\n${paragraphs[0]}` : title;
  return text.length <= longest
    ? text
    : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', longest)))} …`;
}

/** A list of steps: one of them alone is not how to do it. */
const ORDERED = /^\d{1,9}[.)][ \t]/;

/** A shorter first line of an item is its title, and a shorter item a mere name. */
const MIN_ITEM_LENGTH = 60;

/** Returns the sentence of a quote that has most of the question's words; empty if none has any. */
export function keySentence(words: QuestionWords, markdown: string): string {
  const texts = markdownBlocks(markdown).flatMap(({ kind, markdown: block }) => {
    if (kind === 'paragraph') return sentences(block.replaceAll(/^[ \t]*> ?/gm, ''));
    return kind === 'list'
      ? listItems(block).map((item) => (item.split('\n')[0] as string).replace(LIST_MARK, ''))
      : [];
  });
  const rated = texts.map((text) => ({ text: text.trim(), share: words.share(words.found(text)) }));
  const best = rated.reduce((a, b) => (b.share > a.share ? b : a), { text: '', share: 0 });
  return best.text.length <= MAX_HIGHLIGHT ? best.text : '';
}

const LIST_MARK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
/** A longer sentence is most of the quote. */
const MAX_HIGHLIGHT = 320;

/** Index of the solution in a section that states the problem first; -1 if there is none. */
function solutionAfter(blocks: readonly MarkdownBlock[], from: number): number {
  const at = blocks.findIndex(({ markdown }, index) => index >= from && SOLUTION.test(markdown));
  return at >= 0 && at + 1 < blocks.length && introduces(blocks[at]) ? at + 1 : at;
}

/** `**Solution:** Restart it.` */
export const SOLUTION =
  /^\*\*(?:solutions?|fix|resolution|workaround|remedy|how to fix(?: (?:it|this))?)\b/i;

/** If no block matches the question, an entry's answer is its first block. */
function bestBlock(shares: readonly number[], first: number): number {
  const rest = shares.slice(first);
  return first + rest.indexOf(Math.max(...rest));
}

/** Closes a code block that would otherwise contain the rest of the answer. */
export function closed(markdown: string): string {
  const fences = markdown.match(/^[ \t>]*(?:`{3,}|~{3,})/gm) ?? [];
  return fences.length % 2 === 1 ? `${markdown}\n${(fences.at(-1) as string).trim()}` : markdown;
}

const MAX_DESCRIPTION_LENGTH = 300;
const MAX_FIELDS = 6;
const MAX_FIELD_LENGTH = 110;
const MAX_REQUEST_LENGTH = 700;
/** What the question names matters more than required fields. */
const NAMED_WORTH = 4;
const RESPONSE = /^(?:\d{3}|default|[1-5]XX):/i;
const CONTENT_TYPE = /^Content type: /;

/**
 * Returns what a reader needs to call an operation: its address, its purpose, the relevant fields,
 * and a request to copy.
 */
export function quoteOperation(words: QuestionWords, { blocks }: Candidate): string {
  const [address, ...others] = blocks as [ReadBlock, ...ReadBlock[]];
  const end = others.findIndex((block) => RESPONSE.test(block.markdown));
  // After joining, the body comes after the responses.
  const body = others.findIndex(
    (block, index) => index > end && CONTENT_TYPE.test(block.markdown) && isBody(others, index),
  );
  const request = [
    ...others.slice(0, end < 0 ? undefined : end),
    ...(end < 0 || body < 0 ? [] : others.slice(body)),
  ];
  const prose = request.filter(
    (block) => block.kind === 'paragraph' && !CONTENT_TYPE.test(block.markdown),
  );
  const sample = request.find(
    (block) => block.kind === 'code' && block.markdown.length <= MAX_REQUEST_LENGTH,
  );
  const fields = request.filter((block) => block.kind === 'list');
  const parts = [
    `\`${address.markdown.split('\n')[0]}\``,
    describe(prose),
    keyFields(
      words,
      fields.flatMap((block) => listItems(block.markdown)),
    ),
    sample?.markdown ?? '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The address of an operation, and the first sentence of its purpose. */
function operationLine({ blocks }: Candidate, longest: number): string {
  const [address, ...others] = blocks as [ReadBlock, ...ReadBlock[]];
  const purpose = others.find(
    ({ kind, markdown }) =>
      kind === 'paragraph' && !CONTENT_TYPE.test(markdown) && !RESPONSE.test(markdown),
  );
  const [sentence = ''] = sentences(purpose?.markdown ?? '');
  return `\`${address.markdown.split('\n')[0]}\`${sentence.length > longest ? '' : `\n\n${sentence}`}`.trimEnd();
}

function shortLine(line: string): string {
  return line.length <= MAX_FIELD_LENGTH
    ? line
    : `${line.slice(0, line.lastIndexOf(' ', MAX_FIELD_LENGTH))} …`;
}

/** A response has a content type too, but after its status. */
function isBody(blocks: readonly ReadBlock[], index: number): boolean {
  return !RESPONSE.test(blocks[index - 1]?.markdown ?? '');
}

function describe(prose: readonly ReadBlock[]): string {
  const kept: string[] = [];
  let left = MAX_DESCRIPTION_LENGTH;
  for (const sentence of prose.flatMap((block) => [...sentences(block.markdown), '\n\n'])) {
    if (sentence.length > left) break;
    left -= sentence.length;
    kept.push(sentence);
  }
  const text = kept
    .join(' ')
    .replaceAll(/(?<! ) *\n\n */g, '\n\n')
    .trim();
  return text === '' ? (prose[0]?.markdown.slice(0, MAX_DESCRIPTION_LENGTH) ?? '') : text;
}

/** The fields that the question names or that are required, by their first lines. */
function keyFields(words: QuestionWords, fields: readonly string[]): string {
  const kept = fields
    .map((field, index) => ({
      line: field.split('\n')[0] as string,
      index,
      worth:
        words.share(words.found(field)) * NAMED_WORTH + (/^[^:]*\brequired\b/.test(field) ? 1 : 0),
    }))
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
    .slice(0, MAX_FIELDS)
    .sort((a, b) => a.index - b.index)
    .map(({ line }) => shortLine(line));
  if (kept.length < fields.length) kept.push('…');
  return kept.join('\n');
}
