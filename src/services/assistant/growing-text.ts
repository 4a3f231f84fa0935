/** Number of pieces that are joined into one flat string at a time. */
const MAX_PIECES = 64;

/**
 * A text that grows by small pieces. Appending to a string keeps every piece alive beside the whole, which for thousands of long
 * answers is most of the memory; here the newest pieces are joined periodically, and joined text is not copied again.
 */
export class GrowingText {
  readonly #joined: string[];
  #newest: string[] = [];

  constructor(beginning = '') {
    this.#joined = [beginning];
  }

  add(piece: string): void {
    this.#newest.push(piece);
    if (this.#newest.length < MAX_PIECES) return;
    this.#joined.push(this.#newest.join(''));
    this.#newest = [];
  }

  get text(): string {
    return this.#joined.join('') + this.#newest.join('');
  }
}
