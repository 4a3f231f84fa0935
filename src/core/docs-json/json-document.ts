/** Where a value stands in a file, both counted from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

export type JsonObject = { [key: string]: JsonValue };
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** Something that strict JSON forbids or loses, which was read nevertheless. */
export interface JsonNote {
  kind: 'comment' | 'trailing-comma' | 'duplicate-key' | 'forbidden-key';
  /** The key, where the note is about one. */
  key?: string;
  place: Place;
}

export interface JsonDocument {
  value: JsonValue;
  places: PlaceMap;
  notes: JsonNote[];
}

/** Remembers where the members of objects and arrays were written, by the identity of the container. */
export class PlaceMap {
  readonly #members = new WeakMap<object, Map<string | number, Place>>();

  set(container: object, key: string | number, place: Place): void {
    const members = this.#members.get(container);
    if (members) members.set(key, place);
    else this.#members.set(container, new Map([[key, place]]));
  }

  get(container: object, key: string | number): Place | undefined {
    return this.#members.get(container)?.get(key);
  }

  /** The place of the deepest part of `path` below `root` that is known. */
  find(root: unknown, path: readonly PropertyKey[]): Place | undefined {
    let value: unknown = root;
    let found: Place | undefined;
    for (const key of path) {
      if (typeof value !== 'object' || value === null || typeof key === 'symbol') break;
      found = this.get(value, key) ?? found;
      value = Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
    }
    return found;
  }
}

/** The text is not JSON. `message` says what was expected; `place` says where. */
export class JsonSyntaxError extends Error {
  readonly place: Place;
  constructor(message: string, place: Place) {
    super(message);
    this.name = 'JsonSyntaxError';
    this.place = place;
  }
}

/** No configuration nests deeper; a limit keeps hostile input from exhausting the stack. */
const MAX_NESTING = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const CONSTANTS = new Map<string, null | boolean>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads JSON (RFC 8259) and remembers where everything stands. Comments and trailing commas are read too and noted, because
 * hosted services accept them; of keys given twice the last one counts, as in `JSON.parse`.
 * @param places filled in addition to what it holds
 * @throws JsonSyntaxError where the text is anything else, or nests deeper than 100 levels
 */
export function parseJsonDocument(text: string, file: string, places = new PlaceMap()): JsonDocument {
  const reader = new JsonReader(text, file, places);
  const value = reader.readDocument();
  return { value, places, notes: reader.notes };
}

class JsonReader {
  readonly notes: JsonNote[] = [];
  readonly #text: string;
  readonly #file: string;
  readonly #places: PlaceMap;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, file: string, places: PlaceMap) {
    this.#text = text;
    this.#file = file;
    this.#places = places;
    if (text.startsWith('\ufeff')) this.#at = this.#lineStart = 1;
  }

  readDocument(): JsonValue {
    this.#skipBlank();
    const value = this.#readValue(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) this.#fail(`Expected the end of the file, found ${this.#found()}`);
    return value;
  }

  #readValue(depth: number): JsonValue {
    if (depth > MAX_NESTING) this.#fail(`Values are nested more than ${MAX_NESTING} levels deep`);
    const char = this.#text[this.#at];
    if (char === '{') return this.#readObject(depth);
    if (char === '[') return this.#readArray(depth);
    if (char === '"') return this.#readString();
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      return Number(number);
    }
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#text)?.[0];
    const constant = word === undefined ? undefined : CONSTANTS.get(word);
    if (word === undefined || constant === undefined) this.#fail(`Expected a value, found ${this.#found()}`);
    this.#at += word.length;
    return constant;
  }

  #readObject(depth: number): JsonObject {
    const object: JsonObject = {};
    this.#readMembers('}', () => {
      const place = this.#place();
      if (this.#text[this.#at] !== '"') this.#fail(`Expected a name in double quotes, found ${this.#found()}`);
      const key = this.#readString();
      this.#skipBlank();
      if (this.#text[this.#at] !== ':') this.#fail(`Expected ":" after "${key}", found ${this.#found()}`);
      this.#at++;
      this.#skipBlank();
      const value = this.#readValue(depth + 1);
      if (key === '__proto__') {
        this.notes.push({ kind: 'forbidden-key', key, place });
        return;
      }
      if (Object.hasOwn(object, key)) this.notes.push({ kind: 'duplicate-key', key, place });
      object[key] = value;
      this.#places.set(object, key, place);
    });
    return object;
  }

  #readArray(depth: number): JsonValue[] {
    const array: JsonValue[] = [];
    this.#readMembers(']', () => {
      this.#places.set(array, array.length, this.#place());
      array.push(this.#readValue(depth + 1));
    });
    return array;
  }

  /** Reads what stands between the brackets, both included, one call of `readMember` for each. */
  #readMembers(close: '}' | ']', readMember: () => void): void {
    const opened = this.#place();
    this.#at++;
    let comma: Place | undefined;
    for (let first = true; ; first = false) {
      this.#skipBlank();
      if (this.#text[this.#at] === close) break;
      if (this.#at >= this.#text.length) this.#fail(`Expected "${close}" for the bracket opened on line ${opened.line}`);
      if (!first && !comma) this.#fail(`Expected "," or "${close}", found ${this.#found()}`);
      readMember();
      this.#skipBlank();
      comma = this.#text[this.#at] === ',' ? this.#place() : undefined;
      if (comma) this.#at++;
    }
    if (comma) this.notes.push({ kind: 'trailing-comma', place: comma });
    this.#at++;
  }

  #readString(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === '\\') at++;
      else if (char === '\n') break;
      else if (char === '"') {
        try {
          const value: string = JSON.parse(this.#text.slice(start, at + 1));
          this.#at = at + 1;
          return value;
        } catch {
          this.#fail('The text in quotes holds a wrong escape or a control character');
        }
      }
    }
    this.#fail('The text in quotes is not closed on its line');
  }

  #skipBlank(): void {
    for (;;) {
      const char = this.#text[this.#at];
      if (char === '\n') this.#startLine(this.#at + 1);
      if (char === ' ' || char === '\n' || char === '\r' || char === '\t') this.#at++;
      else if (char === '/') this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    const place = this.#place();
    const opening = this.#text.slice(this.#at, this.#at + 2);
    const closing = opening === '//' ? '\n' : opening === '/*' ? '*/' : undefined;
    if (closing === undefined) this.#fail('Found "/" where no value can start');
    const end = this.#text.indexOf(closing, this.#at + 2);
    if (end < 0 && closing === '*/') this.#fail('The comment is not closed');
    const next = end < 0 ? this.#text.length : closing === '\n' ? end : end + 2;
    for (let at = this.#text.indexOf('\n', this.#at); at >= 0 && at < next; at = this.#text.indexOf('\n', at + 1)) {
      this.#startLine(at + 1);
    }
    this.#at = next;
    this.notes.push({ kind: 'comment', place });
  }

  #startLine(offset: number): void {
    this.#line++;
    this.#lineStart = offset;
  }

  #place(): Place {
    return { file: this.#file, line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  #found(): string {
    if (this.#at >= this.#text.length) return 'the end of the file';
    WORD.lastIndex = this.#at;
    return JSON.stringify(WORD.exec(this.#text)?.[0].slice(0, 30) ?? String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#place());
  }
}
