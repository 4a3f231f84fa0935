import type { ChatRequest, ChatTurn, Passage } from './chat-request.ts';

/** What of a request fits a model, in the order in which it is given. */
export interface ModelPrompt {
  /** The product's own instructions. */
  instructions: string;
  /** Whole turns before the question, oldest first. */
  history: ChatTurn[];
  /** The question with the passages; text of others, so it stands apart from the instructions. */
  question: string;
  /** The beginning of an answer that is to be continued. */
  begun?: string;
}

/** Shares of the tokens that a model may be given. */
const SHARE_OF_PASSAGES = 0.5;
const SHARE_OF_HISTORY = 0.2;
const SHARE_OF_QUESTION = 0.2;
/** Latin text has about four characters a token, scripts without spaces one or two. */
const CHARACTERS_PER_TOKEN = 4;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/** Whether there can be any of those: most texts have none, and this is seen ten times faster. */
const BEYOND_LATIN = /[\u0e00-\uffff]/;

/** Tokens of a text, estimated: every model counts in its own way. */
export function estimateTokens(text: string): number {
  const dense = BEYOND_LATIN.test(text) ? (text.match(DENSE)?.length ?? 0) : 0;
  return Math.ceil((text.length - dense) / CHARACTERS_PER_TOKEN + dense / 1.5);
}

/**
 * Fits a request into a budget: the best passages, the newest turns, whole each, and the question, cut at its end.
 * @param inputTokens tokens that the model may be given, an estimate
 */
export function modelPrompt(request: ChatRequest, inputTokens: number): ModelPrompt {
  const asked = request.turns.findLastIndex((turn) => turn.role === 'user');
  const question = cut(request.turns[asked]?.text ?? '', inputTokens * SHARE_OF_QUESTION);
  const last = request.turns.at(-1);
  const passages = fitPassages(request.passages, inputTokens * SHARE_OF_PASSAGES);
  return {
    instructions: request.instructions,
    history: fitHistory(request.turns.slice(0, Math.max(0, asked)), inputTokens * SHARE_OF_HISTORY),
    question: `${passages}\n\n<question>\n${question.replaceAll('</question>', '')}\n</question>`,
    ...(last?.role === 'assistant' && last.text !== '' && { begun: last.text }),
  };
}

/** The newest turns that fit. The first one kept is the reader's, because models expect that. */
function fitHistory(turns: readonly ChatTurn[], budget: number): ChatTurn[] {
  let left = budget;
  let from = turns.length;
  while (from > 0) {
    left -= estimateTokens((turns[from - 1] as ChatTurn).text);
    if (left < 0) break;
    from--;
  }
  while (from < turns.length && turns[from]?.role !== 'user') from++;
  return turns.slice(from);
}

function fitPassages(passages: readonly Passage[], budget: number): string {
  if (passages.length === 0) return 'No passage of the documentation was found for this question.';
  let left = budget;
  const texts: string[] = [];
  for (const passage of passages) {
    const text = passageText(passage);
    left -= estimateTokens(text);
    // The first is given in any case, cut where it has to be.
    if (left < 0 && texts.length > 0) continue;
    texts.push(left < 0 ? cut(text, budget) : text);
  }
  return `Passages of the documentation, best first:\n\n${texts.join('\n\n')}`;
}

/** A passage between marks that its own text cannot close. */
function passageText({ metadata, headings, url, content }: Passage): string {
  const title = [metadata.title, ...headings].join(' › ').replaceAll(/["<>\n]/g, ' ');
  return `<passage title="${title}" url="${url}">\n${content.replaceAll(/<\/?passage/gi, '')}\n</passage>`;
}

function cut(text: string, tokens: number): string {
  return estimateTokens(text) <= tokens ? text : text.slice(0, Math.max(0, Math.floor(tokens * CHARACTERS_PER_TOKEN)));
}
