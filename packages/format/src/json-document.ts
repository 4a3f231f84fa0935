import { printParseErrorCode, visit } from 'jsonc-parser';

/** A position of a value in a file, both 1-based. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

export type JsonObject = { [key: string]: JsonValue };
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** Something that strict JSON forbids or loses, but that was accepted. */
export interface JsonNote {
  kind: 'comment' | 'trailing-comma' | 'duplicate-key' | 'forbidden-key';
  /** The key, if the note is about one. */
  key?: string;
  place: Place;
}

export interface JsonDocument {
  value: JsonValue;
  places: PlaceMap;
  notes: JsonNote[];
}

/** Stores the positions of the members of objects and arrays, by the identity of the container. */
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

  /** Returns the position of the deepest known part of `path` below `root`. */
  find(root: unknown, path: readonly PropertyKey[]): Place | undefined {
    let value: unknown = root;
    let nearestPlace: Place | undefined;
    for (const key of path) {
      if (typeof value !== 'object' || value === null || typeof key === 'symbol') break;
      nearestPlace = this.get(value, key) ?? nearestPlace;
      value = Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
    }
    return nearestPlace;
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

/** No configuration nests deeper; the limit protects the stack from hostile input. */
const MAX_NESTING = 100;

/** An object or array that is being parsed, and the position of its next member. */
interface OpenContainer {
  value: JsonObject | JsonValue[];
  close: '}' | ']';
  line: number;
  key?: string;
  comma?: Place;
}

/**
 * Parses JSON (RFC 8259) with the positions of all values. Accepts and notes comments and trailing
 * commas, because hosted services do; of duplicate keys the last one counts, as in `JSON.parse`.
 * @param places receives the positions, in addition to its contents
 * @throws JsonSyntaxError if the text is invalid, or nests deeper than 100 levels
 */
export function parseJsonDocument(
  text: string,
  file: string,
  places = new PlaceMap(),
): JsonDocument {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  const notes: JsonNote[] = [];
  const open: OpenContainer[] = [];
  let result: JsonValue | undefined;
  let closed: OpenContainer | undefined;
  /** The end of the last value. */
  let last: Place | undefined;
  const placeOf = (line: number, character: number): Place => ({
    file,
    line: line + 1,
    column: character + 1,
  });

  const add = (value: JsonValue, place: Place): void => {
    const parent = open.at(-1);
    if (!parent) {
      result = value;
      return;
    }
    parent.comma = undefined;
    if (Array.isArray(parent.value)) {
      places.set(parent.value, parent.value.length, place);
      parent.value.push(value);
    } else if (parent.key !== undefined) {
      if (parent.key !== '__proto__') parent.value[parent.key] = value;
      parent.key = undefined;
    }
  };
  const begin = (
    value: OpenContainer['value'],
    close: OpenContainer['close'],
    place: Place,
  ): void => {
    if (open.length >= MAX_NESTING)
      throw new JsonSyntaxError(`Values are nested more than ${MAX_NESTING} levels deep`, place);
    add(value, place);
    open.push({ value, close, line: place.line });
  };
  const end = (_offset: number, length: number, line: number, character: number): void => {
    closed = open.pop();
    last = placeOf(line, character + length);
    if (closed?.comma) notes.push({ kind: 'trailing-comma', place: closed.comma });
  };

  visit(
    json,
    {
      onObjectBegin: (_offset, _length, line, character) =>
        begin({}, '}', placeOf(line, character)),
      onArrayBegin: (_offset, _length, line, character) => begin([], ']', placeOf(line, character)),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (key, _offset, _length, line, character) => {
        const object = open.at(-1);
        if (!object) return;
        const place = placeOf(line, character);
        if (key === '__proto__') notes.push({ kind: 'forbidden-key', key, place });
        else if (Object.hasOwn(object.value, key))
          notes.push({ kind: 'duplicate-key', key, place });
        places.set(object.value, key, place);
        object.key = key;
      },
      onLiteralValue: (value: JsonValue, _offset, length, line, character) => {
        add(value, placeOf(line, character));
        last = placeOf(line, character + length);
      },
      onSeparator: (separator, _offset, _length, line, character) => {
        const parent = open.at(-1);
        if (parent && separator === ',') parent.comma = placeOf(line, character);
      },
      onComment: (_offset, _length, line, character) =>
        notes.push({ kind: 'comment', place: placeOf(line, character) }),
      onError: (code, offset, length, line, character) => {
        const token =
          offset < json.length
            ? JSON.stringify(json.slice(offset, offset + Math.min(length || 1, 30)))
            : 'the end of the file';
        const name = printParseErrorCode(code);
        // The end of an array is reported before its missing bracket.
        const inside = name === 'CloseBracketExpected' ? closed : open.at(-1);
        const message =
          !inside && result !== undefined
            ? `Expected the end of the file, found ${token}`
            : explain(name, token, inside);
        // A missing comma belongs to the line of the value before it.
        throw new JsonSyntaxError(
          message,
          (message.startsWith(MISSING_COMMA) && last) || placeOf(line, character),
        );
      },
    },
    { allowTrailingComma: true },
  );
  return { value: result ?? null, places, notes };
}

const MISSING_COMMA = 'Expected ","';

/** Returns what was expected where the parser stopped. */
function explain(code: string, token: string, inside: OpenContainer | undefined): string {
  if (inside && token === 'the end of the file')
    return `Expected "${inside.close}" for the bracket opened on line ${inside.line}`;
  switch (code) {
    case 'UnexpectedEndOfString':
      return 'The string is not closed on its line';
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
    case 'InvalidCharacter':
      return 'The string contains an invalid escape or a control character';
    case 'UnexpectedEndOfComment':
      return 'The comment is not closed';
    case 'ColonExpected':
      return `Expected ":" after "${inside?.key}", found ${token}`;
  }
  if (inside && inside.key === undefined && !inside.comma && Object.keys(inside.value).length > 0) {
    return `${MISSING_COMMA} or "${inside.close}" after this value, found ${token}`;
  }
  const isName = inside?.close === '}' && inside.key === undefined;
  return isName
    ? `Expected a name in double quotes, found ${token}`
    : `Expected a value, found ${token}`;
}
