const BLOCK_BITS = 16;
const BLOCK_BYTES = 1 << BLOCK_BITS;
const LINK_BYTES = 4;
const FIRST_BYTES = 8;
const MAX_BYTES = 512;
const BYTE_BITS = 8;
const LOW_BYTE = 255;

/**
 * Many lists of bytes that all grow a little at a time, in blocks of memory that they share: a list
 * takes hardly more than its bytes, where an array each would take several times as much. A list is
 * a chain of slices, each as long as the list was before; the last bytes of a slice say where the
 * next begins.
 */
export class ByteLists {
  readonly #blocks: Uint8Array[] = [];
  /** Where the next slice begins, counted over all blocks. */
  #end = 0;
  readonly #starts: number[] = [];
  /** Where the next byte of each list goes, and the end of the slice that it is in. */
  readonly #next: number[] = [];
  readonly #limits: number[] = [];
  readonly #sizes: number[] = [];

  add(list: number, byte: number): void {
    const next = this.#next[list];
    const at = next === undefined || next === this.#limits[list] ? this.#extend(list) : next;
    (this.#blocks[at >> BLOCK_BITS] as Uint8Array)[at & (BLOCK_BYTES - 1)] = byte;
    this.#next[list] = at + 1;
    this.#sizes[list] = this.sizeOf(list) + 1;
  }

  /** Adds the bytes from `from` to before `to`. */
  addAll(list: number, bytes: Uint8Array, from: number, to: number): void {
    for (let read = from; read < to; ) {
      const next = this.#next[list];
      const at = next === undefined || next === this.#limits[list] ? this.#extend(list) : next;
      const block = this.#blocks[at >> BLOCK_BITS] as Uint8Array;
      const end = Math.min(to, read + (this.#limits[list] as number) - at);
      this.#next[list] = at + end - read;
      this.#sizes[list] = this.sizeOf(list) + end - read;
      for (let place = at & (BLOCK_BYTES - 1); read < end; )
        block[place++] = bytes[read++] as number;
    }
  }

  sizeOf(list: number): number {
    return this.#sizes[list] ?? 0;
  }

  /** Returns a copy of a list. */
  read(list: number): Uint8Array {
    const bytes = new Uint8Array(this.sizeOf(list));
    this.copy(list, bytes, 0);
    return bytes;
  }

  /** Copies a list. @returns where it ends */
  copy(list: number, to: Uint8Array, start: number): number {
    const sizeBytes = this.sizeOf(list);
    let at = this.#starts[list] as number;
    for (let done = 0; done < sizeBytes; ) {
      const sliceBytes = sliceSize(done);
      const block = this.#blocks[at >> BLOCK_BITS] as Uint8Array;
      const from = at & (BLOCK_BYTES - 1);
      const end = Math.min(sliceBytes, sizeBytes - done);
      // Most lists are shorter than it takes to set up a copy by the engine.
      for (let place = 0; place < end; place++)
        to[start + done + place] = block[from + place] as number;
      done += end;
      at = readLink(block, from + sliceBytes);
    }
    return start + sizeBytes;
  }

  /** Begins the next slice of a list. @returns where it begins */
  #extend(list: number): number {
    const sliceBytes = sliceSize(this.sizeOf(list));
    const neededBytes = sliceBytes + LINK_BYTES;
    if ((this.#end & (BLOCK_BYTES - 1)) + neededBytes > BLOCK_BYTES)
      this.#end = this.#blocks.length * BLOCK_BYTES;
    if (this.#end === this.#blocks.length * BLOCK_BYTES)
      this.#blocks.push(new Uint8Array(BLOCK_BYTES));
    const start = this.#end;
    this.#end += neededBytes;
    const limit = this.#limits[list];
    if (limit === undefined) this.#starts[list] = start;
    else
      writeLink(this.#blocks[limit >> BLOCK_BITS] as Uint8Array, limit & (BLOCK_BYTES - 1), start);
    this.#limits[list] = start + sliceBytes;
    return start;
  }
}

/** Bytes of the slice that a list of this size gets. */
function sliceSize(sizeBytes: number): number {
  return Math.min(MAX_BYTES, Math.max(FIRST_BYTES, sizeBytes));
}

function writeLink(block: Uint8Array, at: number, target: number): void {
  for (let byte = 0; byte < LINK_BYTES; byte++)
    block[at + byte] = (target >>> (byte * BYTE_BITS)) & LOW_BYTE;
}

function readLink(block: Uint8Array, at: number): number {
  let target = 0;
  for (let byte = 0; byte < LINK_BYTES; byte++)
    target |= (block[at + byte] ?? 0) << (byte * BYTE_BITS);
  return target;
}
