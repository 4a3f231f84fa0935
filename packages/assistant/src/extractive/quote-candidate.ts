import {
  listItems,
  type MarkdownBlock,
  markdownBlocks,
  sentences,
} from '../chat/markdown-blocks.ts';
import type { QuestionWords } from '../retrieve/question-words.ts';
import type { Candidate, ReadBlock } from './passage-candidates.ts';

/** The beginning of a sentence that leads elsewhere: “See [Proxying](/proxying).” */
const LEADS_ELSEWHERE = /^(?:for|see|learn|read|to learn)\b/i;
const LINK = /\][([]/;

/** Whether a paragraph only links to where more stands. */
export function leadsElsewhere({ kind, markdown }: MarkdownBlock): boolean {
  return (
    kind === 'paragraph' &&
    sentences(markdown).every((text) => LEADS_ELSEWHERE.test(text) && LINK.test(text))
  );
}

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
