import type { AnswerQuote } from '../chat/answer-event.ts';
import type { AnswerStatus } from '../chat/answer-status.ts';
import type { ChatRequest, Passage } from '../chat/chat-request.ts';
import {
  cutMarkdown,
  type MarkdownBlock,
  markdownBlocks,
  sentences,
} from '../chat/markdown-blocks.ts';
import { earlierQuestions } from '../retrieve/follow-up.ts';
import { QuestionWords, questionLanguage } from '../retrieve/question-words.ts';
import { type AnswerFrames, answerFrames } from './answer-frames.ts';
import { chooseQuotes, type Quote, quoteSelected } from './choose-quotes.ts';
import { quotableBlocks } from './passage-candidates.ts';

/** Pages that the search ranked lower are not suggested. */
const SUGGESTS_FROM = 0.38;
const MAX_SUGGESTIONS = 3;
/** Further suggestions are left out where they would make an answer longer, in characters. */
const MAX_ANSWER = 700;
/** At most 48 characters, up to a space if there is one. */
const PIECE = /.{1,47}\s|.{1,48}/gsu;

/** An answer as Markdown, in pieces to be sent one by one. */
export interface ExtractiveAnswer {
  pieces: string[];
  /** False if nothing is quoted. */
  answered: boolean;
  /** Whether it is presented as the answer rather than the closest match. */
  isSure: boolean;
  /** Paths of the quoted pages. */
  sources: string[];
  /** In the order of the block quotes in the text. */
  quotes: AnswerQuote[];
}

/** Quotes that only come closest to the question are not its answer. */
export function statusOfQuotes({
  answered,
  isSure,
}: Pick<ExtractiveAnswer, 'answered' | 'isSure'>): AnswerStatus {
  if (!answered) return 'not_in_docs';
  return isSure ? 'answered' : 'partly';
}

/**
 * Answers by quoting: selects the passages about the question and links to them. Needs no model,
 * invents nothing, and is deterministic.
 */
export function extractiveAnswer(request: ChatRequest): ExtractiveAnswer {
  const last = request.turns.at(-1);
  const question = request.turns.findLast((turn) => turn.role === 'user')?.text ?? '';
  const { text, ...answer } = answerText(question, request);
  const begun =
    last?.role === 'assistant' && last.text !== '' && text.startsWith(last.text)
      ? last.text.length
      : 0;
  return { pieces: text.slice(begun).match(PIECE) ?? [], ...answer };
}

function answerText(question: string, request: ChatRequest) {
  const { passages, note, support, language, english, withoutModel, images, hasUnseenImages } =
    request;
  // The language of the question wins over the selection. A few names have no language; then the
  // language of the pages counts.
  const frames = answerFrames(questionLanguage(question.split('\n\n')[0] as string) ?? language);
  const parts = [
    ...(withoutModel ? [frames.withoutModel] : []),
    // Quoting ignores images, including those meant for a model that failed.
    ...(hasUnseenImages || images?.length ? [frames.unseenImages] : []),
    ...(note === undefined ? [] : [note]),
    ...(english === undefined ? [] : [frames.english]),
  ];
  // What a follow-up is about stands in the questions before it.
  const earlier =
    english === undefined && request.pointsAt === undefined
      ? earlierQuestions({ question, turns: request.turns })
      : [];
  const words = new QuestionWords(english ?? question, request.synonyms, earlier.join(' '));
  if (
    words.isEmpty &&
    request.pointsAt === undefined &&
    !passages.some(({ share }) => share === 1)
  ) {
    return {
      text: [...parts, frames.invitation].join('\n\n'),
      answered: true,
      isSure: true,
      sources: [],
      quotes: [],
    };
  }
  const doubt = earlier.length > 0 ? 'followUp' : undefined;
  const { tier, quotes } = quotesFor(english ?? question, words, request, frames, doubt);
  const [first, ...others] = quotes;
  if (first === undefined) {
    if (note === undefined) parts.push(frames.nothingFound);
    if (support !== undefined) parts.push(frames.support.replace('{ways}', () => support));
    parts.push(...suggestions(passages, new Set()));
    return { text: parts.join('\n\n'), answered: false, isSure: false, sources: [], quotes: [] };
  }
  if (request.pointsAt === 'page') {
    // A summary is put together from the whole page.
    parts.push(withSource(frames.quoted, first), first.markdown);
    return {
      text: parts.join('\n\n'),
      answered: true,
      isSure: true,
      sources: [first.passage.path],
      quotes: [],
    };
  }
  parts.push(
    withSource(tier === 'answer' ? frames.quoted : frames.nearest, first),
    blockQuote(first.markdown),
  );
  others.forEach((other, at) => {
    parts.push(withSource(frames.further, other, quotes[at]), blockQuote(other.markdown));
  });
  const sources = [...new Set(quotes.map((quote) => quote.passage.path))];
  // What only comes closest may be on the next page instead.
  const least = tier === 'answer' ? 0 : 1;
  const room = MAX_ANSWER - parts.join('\n\n').length;
  parts.push(...suggestions(passages, new Set(sources), room, least));
  return {
    text: parts.join('\n\n'),
    answered: true,
    isSure: tier === 'answer',
    sources,
    quotes: quotes.map(answerQuote),
  };
}

/** A question about the reader's current page is answered from that page. */
function quotesFor(
  question: string,
  words: QuestionWords,
  { passages, pointsAt, english }: ChatRequest,
  frames: AnswerFrames,
  followUp: 'followUp' | undefined,
): ReturnType<typeof chooseQuotes> {
  const [first] = passages;
  const doubt = english === undefined ? followUp : 'translated';
  const pinned = passages.filter(({ isPinned }) => isPinned);
  if (pointsAt === undefined && pinned.length > 0 && pinned.length < passages.length) {
    const chosen = chooseQuotes(question, words, pinned, frames, doubt);
    if (chosen.quotes.length > 0) return chosen;
  }
  if (pointsAt === undefined || first === undefined)
    return chooseQuotes(question, words, passages, frames, doubt);
  const ofPage = passages.filter(({ path }) => path === first.path);
  if (pointsAt === 'page') {
    const page: Passage = { ...first, headings: [], url: first.url.split('#', 1)[0] ?? '' };
    return {
      tier: 'answer',
      quotes: [{ passage: page, markdown: summarizePage(ofPage), highlight: '' }],
    };
  }
  if (pointsAt === 'selection')
    return { tier: 'answer', quotes: quoteSelected(question, first, frames) };
  return chooseQuotes(question, words, ofPage, frames, doubt);
}

function blockQuote(markdown: string): string {
  return markdown.replaceAll(/^(?=.)/gm, '> ').replaceAll(/^$/gm, '>');
}

/** The longest section that is sent with an answer; its page has the rest. */
const MAX_SECTION_LENGTH = 6000;

function answerQuote({ passage, markdown, highlight }: Quote): AnswerQuote {
  const section = quotableBlocks(passage.content)
    .map((block) => block.markdown)
    .join('\n\n');
  return {
    url: passage.url,
    highlight,
    ...(section !== markdown && { section: cutMarkdown(section, MAX_SECTION_LENGTH) }),
  };
}

/** @param before the quote above it: its page is not named again */
function withSource(frame: string, { passage }: Quote, before?: Quote): string {
  const isSamePage = before?.passage.path === passage.path && passage.headings.length > 0;
  return frame.replace('{source}', () => citation(passage, isSamePage));
}

/** A link to the section, named by the page and the last two headings above it. */
function citation({ metadata, headings, url }: Passage, isSamePage: boolean): string {
  const names = [...(isSamePage ? [] : [metadata.title]), ...headings.slice(-2)].filter(
    (name, index, all) => name !== all[index - 1],
  );
  const label = names
    .join(' › ')
    .replaceAll(/[\\[\]]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');
  return `[${label}](${url.replaceAll(/[()\s<>]/g, encodeURIComponent)})`;
}

/** A closing block that clients render as suggested pages: lines of the form `(Title)[/path]`. */
function suggestions(
  passages: readonly Passage[],
  quoted: ReadonlySet<string>,
  room = MAX_ANSWER,
  least = 0,
): string[] {
  const pages = new Map<string, string>();
  for (const { path, metadata } of passages)
    if (!quoted.has(path) && metadata.score >= SUGGESTS_FROM) pages.set(path, metadata.title);
  const lines = [...pages]
    .slice(0, MAX_SUGGESTIONS)
    .map(([path, title]) => `(${title.replaceAll(/[()[\]\s]+/g, ' ').trim()})[/${path}]`);
  const blockOf = (count: number) =>
    `\`\`\`suggestions\n${lines.slice(0, count).join('\n')}\n\`\`\``;
  let count = lines.length;
  while (count > least && blockOf(count).length > room) count--;
  return count === 0 ? [] : [blockOf(count)];
}

const MAX_INTRODUCTION = 700;
const MAX_SENTENCE = 240;
const MAX_SECTIONS = 12;

/**
 * Summarizes a page in its own words: its description, its beginning, and the first sentence of
 * each section.
 * @param sections the sections of one page, in order
 */
export function summarizePage(sections: readonly Passage[]): string {
  const [first] = sections as readonly [Passage, ...Passage[]];
  const openingTexts = sections
    .filter(({ headings }) => headings.length === 0)
    .map(({ content }) => content);
  const begin = introduction(openingTexts.length > 0 ? openingTexts.join('\n\n') : first.content);
  const description = first.description ?? '';
  const parts = [
    description !== '' && !begin.startsWith(description.slice(0, 40)) ? description : '',
    begin,
  ];
  const titled = sections.filter(({ headings }) => headings.length > 0);
  // The outermost headings divide a page.
  const depth = Math.min(...titled.map(({ headings }) => headings.length));
  const items = titled.filter(({ headings }) => headings.length === depth).map(itemOf);
  parts.push(
    items.slice(0, MAX_SECTIONS).join('\n') + (items.length > MAX_SECTIONS ? '\n- …' : ''),
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The first blocks that fit, uncut. */
function introduction(markdown: string): string {
  const blocks = markdownBlocks(markdown).filter(({ kind }) => kind !== 'heading');
  const kept: string[] = [];
  let left = MAX_INTRODUCTION;
  for (const block of blocks) {
    if (block.markdown.length > left) {
      if (kept.length === 0 && isText(block)) kept.push(firstSentences(block.markdown, left));
      break;
    }
    left -= block.markdown.length;
    kept.push(block.markdown);
  }
  return kept.join('\n\n');
}

function itemOf({ headings, content, url }: Passage): string {
  const title = (headings.at(-1) as string).replaceAll(/[\\[\]]/g, '\\$&');
  const text = markdownBlocks(content).find(isText)?.markdown ?? '';
  const sentence = firstSentences(text, MAX_SENTENCE);
  return `- [**${title}**](${url.replaceAll(/[()\s<>]/g, encodeURIComponent)})${sentence === '' ? '' : `: ${sentence}`}`;
}

function isText({ kind, markdown }: MarkdownBlock): boolean {
  return kind === 'paragraph' && !/^[>!<]/.test(markdown);
}

/** As many sentences as fit; “…” if not even the first does. */
function firstSentences(paragraph: string, limit: number): string {
  const [first = '', ...others] = sentences(paragraph);
  if (first.length > limit)
    return `${first.slice(0, Math.max(0, first.lastIndexOf(' ', limit)))} …`;
  let text = first;
  if (limit > MAX_SENTENCE)
    for (const next of others) if (text.length + next.length < limit) text += ` ${next}`;
  return text;
}
