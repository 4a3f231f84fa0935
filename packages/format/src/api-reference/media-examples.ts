import {
  boundedCopy,
  entriesOf,
  isObject,
  type JsonObject,
  objectAt,
  textAt,
  valueAt,
} from '../json-value.ts';
import { oncePerObject } from '../once.ts';
import { exampleValue } from './example-value.ts';
import { follow } from './schemas/references.ts';

/** One example of a body, ready to be shown as a code block. */
export interface MediaExample {
  mediaType: string;
  /** Name of the example if the author gave several. */
  label?: string;
  value: unknown;
}

const MAX_NAMED = 50;
const MAX_MEDIA_TYPES = 10;

/**
 * The content types of a body, a response or a parameter, also those that it refers to (OpenAPI 3.2
 * `components.mediaTypes`).
 */
export function contentOf(root: JsonObject, holder: unknown): [string, unknown][] {
  return entriesOf(objectAt(holder, 'content')).map(([mediaType, media]) => [
    mediaType,
    follow(root, media)?.value,
  ]);
}

/** The content type that examples use: JSON first, then forms, then the rest. */
export function preferredMedia(root: JsonObject, holder: unknown): [string, unknown] | undefined {
  const entries = contentOf(root, holder);
  return (
    entries.find(([type]) => isJsonType(type)) ??
    entries.find(([type]) => isFormType(type)) ??
    entries[0]
  );
}

// A schema that is built here must be the same object each time, because caches are keyed by the
// object.
const listOf = oncePerObject((items: JsonObject) => ({ type: 'array', items }));

/**
 * Returns the schema of a media type; for a stream (OpenAPI 3.2 `itemSchema`) that of the list of
 * its items.
 */
export function mediaSchema(media: unknown): unknown {
  const items = valueAt(media, 'itemSchema');
  const whole = valueAt(media, 'schema');
  return whole === undefined && isObject(items) ? listOf(items) : whole;
}

/**
 * Returns the examples of a body: those of its preferred content type, then those that the author
 * gave for others and that are different.
 */
export function bodyExamples(
  root: JsonObject,
  holder: unknown,
  use: 'request' | 'response',
): MediaExample[] {
  const preferred = preferredMedia(root, holder);
  if (!preferred) return [];
  const examples = mediaExamples(root, preferred[0], preferred[1], use);
  const others = contentOf(root, holder).filter(([mediaType]) => mediaType !== preferred[0]);
  if (others.length === 0) return examples;
  const codes = new Set(examples.map((example) => exampleCode(example).code));
  for (const [mediaType, media] of others.slice(0, MAX_MEDIA_TYPES)) {
    for (const example of examples.length < MAX_NAMED
      ? givenExamples(root, mediaType, media)
      : []) {
      const { code } = exampleCode(example);
      if (!codes.has(code)) examples.push({ ...example, label: example.label ?? mediaType });
      codes.add(code);
    }
  }
  return examples;
}

/**
 * Returns the examples of one content type: the author's, otherwise one generated from the schema.
 */
export function mediaExamples(
  root: JsonObject,
  mediaType: string,
  media: unknown,
  use: 'request' | 'response',
  requiredOnly = false,
): MediaExample[] {
  const examples = givenExamples(root, mediaType, media);
  if (examples.length > 0) return examples;
  const example = exampleValue(root, mediaSchema(media), use, requiredOnly);
  return example === undefined ? [] : [{ mediaType, value: example }];
}

function givenExamples(root: JsonObject, mediaType: string, media: unknown): MediaExample[] {
  const single = valueAt(media, 'example');
  if (single !== undefined) return [{ mediaType, value: boundedCopy(single) }];
  const named: MediaExample[] = [];
  for (const [name, item] of entriesOf(valueAt(media, 'examples')).slice(0, MAX_NAMED)) {
    const example = follow(root, item)?.value;
    const value = givenValue(example, mediaType);
    if (value !== undefined)
      named.push({
        mediaType,
        label: textAt(example, 'summary') ?? name,
        value: boundedCopy(value),
      });
  }
  return named;
}

/** The value of an example: as data or, for a format that data cannot show, as text. */
function givenValue(example: unknown, mediaType: string): unknown {
  const data = valueAt(example, 'value') ?? valueAt(example, 'dataValue');
  const text = textAt(example, 'serializedValue');
  if (isJsonType(mediaType) || isFormType(mediaType)) return data ?? text;
  // A file is at least named.
  return text ?? data ?? textAt(example, 'externalValue');
}

/** Returns the example as the text of a code block, and its language. */
export function exampleCode(example: MediaExample): { language: string; code: string } {
  if (typeof example.value === 'string' && !isJsonType(example.mediaType)) {
    return { language: languageOf(example.mediaType), code: example.value };
  }
  // A JSON example that is already text is shown as it is.
  const isWritten = typeof example.value === 'string' && /^\s*[[{]/.test(example.value);
  return {
    language: 'json',
    code: isWritten ? String(example.value) : (JSON.stringify(example.value, null, 2) ?? ''),
  };
}

/** Returns the URL of an audio file that is an example. */
export function audioOf({ mediaType, value }: MediaExample): string | undefined {
  const isAddress = typeof value === 'string' && /^https?:\/\/\S+$/i.test(value);
  return isAddress && /^audio\//i.test(mediaType) ? value : undefined;
}

function languageOf(mediaType: string): string {
  if (/xml/.test(mediaType)) return 'xml';
  if (/html/.test(mediaType)) return 'html';
  if (/csv|plain|event-stream/.test(mediaType)) return 'text';
  return /yaml/.test(mediaType) ? 'yaml' : 'text';
}

export function isJsonType(mediaType: string): boolean {
  return /[/+]json\b|ndjson|jsonl/i.test(mediaType) || mediaType === '*/*';
}

export function isFormType(mediaType: string): boolean {
  return /form-data|x-www-form-urlencoded/i.test(mediaType);
}
