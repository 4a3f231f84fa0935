/** Maximum size of a response head. */
const MAX_HEAD_LENGTH = 64 * 1024;
const LINE_END = '\r\n';
const CHUNK_SIZE = /^[\da-f]{1,12}(?=$|[\s;])/i;

/** The expected next part of the response. */
type Expected =
  | 'status'
  | 'header'
  | 'chunk-size'
  | 'chunk'
  | 'chunk-end'
  | 'trailer'
  | 'body'
  | 'rest'
  | 'nothing';

/**
 * Parses one HTTP/1.1 response (RFC 9112) from the bytes of its connection. Input and output are
 * Latin-1 text: one character per byte, so that bytes are searched and cut with fast string
 * operations, and no character is split between two reads.
 */
export class ResponseReader {
  /** 0 until the head has been read. */
  status = 0;
  /** How long the server keeps the connection, if it says so. */
  keepAliveSeconds: number | undefined;
  /** The server's requested delay before the next request, unparsed. */
  retryAfter: string | undefined;
  #expected: Expected = 'status';
  /** The start of an incomplete line. */
  #rest = '';
  /** Remaining bytes of the chunk or the body. */
  #left = 0;
  #headLength = 0;
  #pendingStatus = 0;
  #length: number | undefined;
  #isChunked = false;
  #mayStayOpen = true;

  get isComplete(): boolean {
    return this.#expected === 'nothing';
  }

  /** Whether the connection can be used for another request after this response. */
  get mayStayOpen(): boolean {
    return this.#mayStayOpen;
  }

  /**
   * Processes the next bytes and returns the body bytes among them, chunk by chunk. @throws if they
   * are not HTTP/1.1
   */
  push(bytes: string): string[] {
    const input = this.#rest === '' ? bytes : this.#rest + bytes;
    this.#rest = '';
    const pieces: string[] = [];
    let at = 0;
    while (at < input.length) {
      if (this.#expected === 'rest') {
        pieces.push(input.slice(at));
        break;
      }
      if (this.#expected === 'nothing') throw new Error('The model sent more than one response.');
      if (this.#expected === 'chunk' || this.#expected === 'body') {
        const end = Math.min(input.length, at + this.#left);
        pieces.push(input.slice(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#expected = this.#expected === 'body' ? 'nothing' : 'chunk-end';
        continue;
      }
      const end = input.indexOf(LINE_END, at);
      this.#countHead(end === -1 ? input.length - at : end - at);
      if (end === -1) {
        this.#rest = input.slice(at);
        break;
      }
      this.#readLine(input.slice(at, end));
      at = end + LINE_END.length;
    }
    return pieces;
  }

  /** Called when the connection was closed. @returns whether the response was complete */
  end(): boolean {
    if (this.#expected === 'rest') this.#expected = 'nothing';
    return this.isComplete;
  }

  #countHead(length: number): void {
    if (this.#expected === 'chunk-size' || this.#expected === 'chunk-end') this.#headLength = 0;
    if (this.#headLength + length > MAX_HEAD_LENGTH)
      throw new Error('The model sent a line that is too long.');
    // An incomplete line is counted when it ends.
    if (this.#rest === '') this.#headLength += length;
  }

  #readLine(line: string): void {
    if (this.#expected === 'status') this.#readStatus(line);
    else if (this.#expected === 'chunk-size') this.#readChunkSize(line);
    else if (this.#expected === 'chunk-end') this.#endChunk(line);
    else if (line !== '') {
      if (this.#expected === 'header') this.#readHeader(line);
    } else if (this.#expected === 'header') this.#endHead();
    else this.#expected = 'nothing';
  }

  #endChunk(line: string): void {
    if (line !== '')
      throw new Error('The model sent a chunk that does not have the declared length.');
    this.#expected = 'chunk-size';
  }

  #readStatus(line: string): void {
    const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(line) ?? [];
    if (status === undefined) throw new Error('The model’s response is not HTTP/1.1.');
    this.#pendingStatus = Number(status);
    if (minor === '0') this.#mayStayOpen = false;
    this.#expected = 'header';
  }

  #readHeader(line: string): void {
    const colon = line.indexOf(':');
    if (colon <= 0) throw new Error('The model sent a header without a name.');
    const value = line.slice(colon + 1).trim();
    switch (line.slice(0, colon).toLowerCase()) {
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || (this.#length ?? Number(value)) !== Number(value)) {
          throw new Error('The model sent an invalid Content-Length.');
        }
        this.#length = Number(value);
        return;
      case 'transfer-encoding':
        if (this.#isChunked || value.toLowerCase() !== 'chunked')
          throw new Error('The model sent an unknown Transfer-Encoding.');
        this.#isChunked = true;
        return;
      case 'connection':
        if (/(^|[\s,])close($|[\s,])/i.test(value)) this.#mayStayOpen = false;
        return;
      case 'retry-after':
        this.retryAfter = value;
        return;
      case 'keep-alive':
        this.keepAliveSeconds =
          Number(/(?:^|[\s,])timeout=(\d{1,6})/i.exec(value)?.[1] ?? Number.NaN) || undefined;
    }
  }

  /** Determines where the body ends, RFC 9112 §6.3. */
  #endHead(): void {
    const status = this.#pendingStatus;
    if (status < 200) {
      this.#expected = 'status';
      return;
    }
    if (this.#isChunked && this.#length !== undefined)
      throw new Error('The model sent two different Content-Length headers.');
    this.status = status;
    if (status === 204 || status === 304 || (this.#length === 0 && !this.#isChunked))
      this.#expected = 'nothing';
    else if (this.#isChunked) this.#expected = 'chunk-size';
    else if (this.#length !== undefined) {
      this.#left = this.#length;
      this.#expected = 'body';
    } else {
      this.#mayStayOpen = false;
      this.#expected = 'rest';
    }
  }

  #readChunkSize(line: string): void {
    if (!CHUNK_SIZE.test(line)) throw new Error('The model sent a chunk without a length.');
    // Parses the leading digits and ignores the rest.
    this.#left = Number.parseInt(line, 16);
    this.#expected = this.#left === 0 ? 'trailer' : 'chunk';
  }
}
