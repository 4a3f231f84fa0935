/** Pieces that are joined into one flat string at a time. */
const MOST_PIECES = 64;

/**
 * A text that grows by small pieces. Adding to a string keeps every piece alive beside the whole, which for thousands of long
 * answers is most of the memory; here they are joined every so often.
 */
export class GrowingText {
  #pieces: string[];

  constructor(beginning = '') {
    this.#pieces = [beginning];
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length > MOST_PIECES) this.#pieces = [this.text];
  }

  get text(): string {
    return this.#pieces.join('');
  }
}
