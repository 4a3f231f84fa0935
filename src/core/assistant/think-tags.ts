const OPEN = '<think>';
const CLOSE = '</think>';

export interface SpokenText {
  type: 'text' | 'reasoning';
  text: string;
}

/**
 * Separates the reasoning that some models write into their text, between `<think>` and `</think>` at its beginning, from the
 * answer. Tags that come in pieces are recognized; a tag further down is text.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  /** What may be the beginning of a tag. */
  #held = '';

  /** Nothing of what follows can be reasoning. */
  get isText(): boolean {
    return this.#state === 'text';
  }

  /** @returns what can be shown of the text so far, in order */
  push(text: string): SpokenText[] {
    if (this.#state === 'text') return spoken('text', text);
    const input = this.#held + text;
    this.#held = '';
    if (this.#state === 'start') return this.#readStart(input);
    return this.#state === 'thinking' ? this.#readThought(input) : this.#readText(input);
  }

  /** @returns what was held back until the end of the text */
  end(): SpokenText[] {
    const held = this.#held;
    this.#held = '';
    return spoken(this.#state === 'thinking' ? 'reasoning' : 'text', held);
  }

  #readStart(input: string): SpokenText[] {
    const begun = input.trimStart();
    if (begun.startsWith(OPEN)) {
      this.#state = 'thinking';
      return this.#readThought(begun.slice(OPEN.length));
    }
    if (OPEN.startsWith(begun)) {
      this.#held = input;
      return [];
    }
    this.#state = 'text';
    return spoken('text', input);
  }

  #readThought(input: string): SpokenText[] {
    const end = input.indexOf(CLOSE);
    if (end !== -1) {
      this.#state = 'after';
      return [...spoken('reasoning', input.slice(0, end)), ...this.#readText(input.slice(end + CLOSE.length))];
    }
    let keep = Math.min(CLOSE.length - 1, input.length);
    while (!CLOSE.startsWith(input.slice(input.length - keep))) keep--;
    this.#held = input.slice(input.length - keep);
    return spoken('reasoning', input.slice(0, input.length - keep));
  }

  /** The answer begins with its first word, not with the empty lines after the thought. */
  #readText(input: string): SpokenText[] {
    const text = input.trimStart();
    if (text !== '') this.#state = 'text';
    return spoken('text', text);
  }
}

function spoken(type: SpokenText['type'], text: string): SpokenText[] {
  return text === '' ? [] : [{ type, text }];
}
