/**
 * How far an answer answers its question: whole, in part, not at all; or the assistant declined.
 */
export const ANSWER_STATUSES = ['answered', 'partly', 'not_in_docs', 'refused'] as const;
export type AnswerStatus = (typeof ANSWER_STATUSES)[number];

/**
 * What a model is asked to close with. Clients render a comment as nothing, should one ever reach
 * them.
 */
export const statusMark = (status: AnswerStatus) => `<!-- status: ${status} -->`;

const MAX_MARK = 80;
/** The mark alone on its line; models also write it without the comment, or in bold. */
const MARK =
  /^[ \t]*(?:<!--[ \t]*)?[*_`[]{0,3}status[*_`]{0,3}[ \t]*:[*_`]{0,3}[ \t]*[*_`]{0,3}(answered|partly|not_in_docs|refused)[*_`\]]{0,3}[ \t]*(?:-->)?[ \t]*$/i;
/** The beginning of a line that may become a mark. */
const OPEN_MARK =
  /^[ \t]*(?:<(?:!-{0,2})?|<!--[ \t]*)?[*_`[]{0,3}(?:s(?:t(?:a(?:t(?:u(?:s[^\n]*)?)?)?)?)?)?$/i;
/** The block that may follow the mark, and what may become it. */
const SUGGESTIONS = /^\s*(`{3,}|~{3,})suggestions\b/;
const OPEN_SUGGESTIONS = /^\s*(?:`*|~*|(?:`{3,}|~{3,})[a-z]{0,10})$/;

/**
 * Removes the status that closes an answer while the answer streams. Only the last line counts, or
 * the last one before the suggestions: anywhere else, a mark is text that the model quotes.
 */
export class StatusReader {
  /** What the answer ended with; undefined if it had no mark. */
  status: AnswerStatus | undefined;
  /** Text that cannot be decided yet: from the beginning of a line on. */
  #held = '';
  /** The newlines that end the text so far: those before a mark belong to it. */
  #newlines = '';
  #isLineStart = true;

  /** @returns the text that can be shown so far */
  push(text: string): string {
    this.#held += text;
    let out = '';
    for (;;) {
      const piece = this.#isLineStart ? this.#line() : this.#restOfLine();
      if (piece === undefined) return out;
      out += piece;
    }
  }

  /** @returns the held-back text, without the mark */
  end(): string {
    const [line = '', rest] = split(this.#held);
    const status = statusOf(line);
    const isMark = status !== undefined && rest.trim() === '';
    if (isMark) this.status = status;
    return isMark ? '' : this.#newlines + this.#held;
  }

  /** @returns undefined if more text is needed */
  #line(): string | undefined {
    const [line, rest, isComplete] = split(this.#held);
    const status = statusOf(line);
    if (!isComplete) {
      const mayBeMark = line.length < MAX_MARK && (OPEN_MARK.test(line) || status !== undefined);
      return this.#held === '' || mayBeMark ? undefined : this.#give(line.length);
    }
    if (status === undefined) return this.#give(line.length);
    if (SUGGESTIONS.test(rest)) {
      this.status = status;
      this.#held = rest;
      return '';
    }
    if (rest.length < MAX_MARK && OPEN_SUGGESTIONS.test(rest)) return undefined;
    return this.#give(line.length);
  }

  #restOfLine(): string | undefined {
    if (this.#held === '') return undefined;
    const end = this.#held.indexOf('\n');
    return this.#give(end === -1 ? this.#held.length : end + 1);
  }

  #give(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#isLineStart = text.endsWith('\n');
    const all = this.#newlines + text;
    const lineEnd = all.indexOf('\n', all.trimEnd().length);
    this.#newlines = lineEnd === -1 ? '' : all.slice(lineEnd);
    return all.slice(0, all.length - this.#newlines.length);
  }
}

function split(text: string): [line: string, rest: string, isComplete: boolean] {
  const end = text.indexOf('\n');
  return end === -1 ? [text, '', false] : [text.slice(0, end), text.slice(end + 1), true];
}

function statusOf(line: string): AnswerStatus | undefined {
  return MARK.exec(line.slice(0, MAX_MARK))?.[1]?.toLowerCase() as AnswerStatus | undefined;
}

/** A refusal is short; steps, code and lists are not part of one. */
const MIN_ANSWER_LENGTH = 200;
const STEPS_OR_CODE = /^\s{0,3}(?:`{3}|~{3}|[-*] |\d+[.)] )/m;
const LINK = /\[[^[\]]*\]\(([^()\s]+)\)/g;
const CLOSING_SUGGESTIONS = /(?:(?<!`)`{3,}|(?<!~)~{3,})suggestions\b[\s\S]*$/;

/**
 * Judges an answer without a mark, in doubt against it: it must link a page of the site, and say
 * more than that the documentation has no answer and which page comes closest.
 */
export function statusOfUnmarked(answer: string, publicUrl: string): AnswerStatus {
  const text = answer.replace(CLOSING_SUGGESTIONS, '');
  const links = [...text.matchAll(LINK)].filter(
    ([, address]) => address?.startsWith('/') || address?.startsWith(publicUrl),
  );
  const length = text.replaceAll(LINK, '').trim().length;
  return links.length > 0 && (length >= MIN_ANSWER_LENGTH || STEPS_OR_CODE.test(text))
    ? 'answered'
    : 'not_in_docs';
}
