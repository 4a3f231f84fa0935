import { answerFrames } from './answer-frames.ts';
import type { ChatRequest, Passage } from './chat-request.ts';
import { chooseQuotes, type Quote } from './choose-quotes.ts';
import { questionLanguage } from './grammar-words.ts';
import { QuestionWords } from './question-words.ts';

/** From this confidence on, a quote is given as an answer; below it, as the nearest that was found. */
const ANSWERS_FROM = 0.4;
/** Below this nothing is quoted: a passage about something else is worse than none. */
const QUOTES_FROM = 0.17;
/** A page that the search liked less is no suggestion. */
const SUGGESTS_FROM = 0.38;
const MOST_SUGGESTIONS = 3;
const PIECE_LENGTH = 48;

/** An answer as Markdown, in pieces to be sent one after the other. */
export interface ExtractiveAnswer {
  pieces: string[];
  /** False where no passage answers. */
  answered: boolean;
}

/**
 * Answers by quoting: picks the passages that speak of the question and says where they stand. No model is needed, nothing is
 * invented, and the same request gives the same answer.
 */
export function extractiveAnswer(request: ChatRequest): ExtractiveAnswer {
  const last = request.turns.at(-1);
  const question = request.turns.findLast((turn) => turn.role === 'user')?.text ?? '';
  const { text, answered } = answerText(question, request);
  const begun = last?.role === 'assistant' && last.text !== '' && text.startsWith(last.text) ? last.text.length : 0;
  return { pieces: pieces(text.slice(begun)), answered };
}

interface AnswerText {
  text: string;
  answered: boolean;
}

function answerText(question: string, { passages, note, support, language, withoutModel }: ChatRequest): AnswerText {
  const parts = note === undefined ? [] : [note];
  const words = new QuestionWords(question);
  // What the question is asked in wins; a few names tell nothing, then the pages do.
  const frames = answerFrames(questionLanguage(question) ?? language);
  if (withoutModel) parts.unshift(frames.withoutModel);
  if (words.isEmpty) {
    parts.push(frames.invitation);
    return { text: parts.join('\n\n'), answered: true };
  }
  const { quotes, confidence } = chooseQuotes(question, words, passages);
  if (quotes.length === 0 || confidence < QUOTES_FROM) {
    if (note === undefined) parts.push(frames.nothingFound);
    if (support !== undefined) parts.push(support);
    parts.push(...suggestions(passages, new Set()));
    return { text: parts.join('\n\n'), answered: false };
  }
  const [first, ...others] = quotes as [Quote, ...Quote[]];
  const opening = confidence >= ANSWERS_FROM ? frames.quoted : frames.nearest;
  parts.push(withSource(opening, first), first.markdown);
  for (const other of others) parts.push(withSource(frames.further, other), other.markdown);
  parts.push(...suggestions(passages, new Set(quotes.map((quote) => quote.passage.path))));
  return { text: parts.join('\n\n'), answered: true };
}

function withSource(frame: string, { passage }: Quote): string {
  return frame.replace('{source}', () => citation(passage));
}

/** A link to the place, named by the page and the last two headings above it. */
function citation({ metadata, headings, url }: Passage): string {
  const names = [metadata.title, ...headings.slice(-2)].filter((name, index, all) => name !== all[index - 1]);
  const label = names
    .join(' › ')
    .replaceAll(/[\\[\]]/g, '\\$&')
    .replaceAll(/\s+/g, ' ');
  return `[${label}](${url.replaceAll(/[()\s<>]/g, encodeURIComponent)})`;
}

/** A closing block that clients show as pages to read next: lines of the form `(Title)[/path]`. */
function suggestions(passages: readonly Passage[], quoted: ReadonlySet<string>): string[] {
  const pages = new Map<string, string>();
  for (const { path, metadata } of passages)
    if (!quoted.has(path) && metadata.score >= SUGGESTS_FROM) pages.set(path, metadata.title);
  const lines = [...pages]
    .slice(0, MOST_SUGGESTIONS)
    .map(([path, title]) => `(${title.replaceAll(/[()[\]\s]+/g, ' ').trim()})[/${path}]`);
  return lines.length === 0 ? [] : [`\`\`\`suggestions\n${lines.join('\n')}\n\`\`\``];
}

/** Cuts between words; a run without spaces is cut between characters, never inside one. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let piece = '';
  for (const run of text.split(/(?<=\s)/).flatMap(shortRuns)) {
    if (piece !== '' && piece.length + run.length > PIECE_LENGTH) {
      found.push(piece);
      piece = '';
    }
    piece += run;
  }
  if (piece !== '') found.push(piece);
  return found;
}

function shortRuns(run: string): string[] {
  if (run.length <= PIECE_LENGTH) return [run];
  const characters = Array.from(run);
  return Array.from({ length: Math.ceil(characters.length / PIECE_LENGTH) }, (_, index) =>
    characters.slice(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH).join(''),
  );
}
