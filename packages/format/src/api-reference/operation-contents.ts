import {
  boundedCopy,
  CUT,
  entriesOf,
  flagAt,
  type JsonObject,
  textAt,
  valueAt,
} from '../json-value.ts';
import { contentOf, mediaSchema } from './media-examples.ts';
import { readDescribed } from './parameters.ts';
import { readSchema, type SchemaReader, takeText } from './schemas/read-schema.ts';
import { follow } from './schemas/references.ts';
import { codeSpan } from './schemas/schema-markdown.ts';
import { plainView, type SchemaField, type SchemaView } from './schemas/schema-view.ts';

/** A schema and the media types that share it. */
export interface ContentView {
  mediaTypes: string[];
  schema: SchemaView;
}

export interface ResponseView {
  /** `200`, `4XX`, `default`. */
  status: string;
  description?: string;
  headers: SchemaField[];
  contents: ContentView[];
}

const MAX_KEY_NODES = 200;
const MAX_MEDIA_TYPES = 10;
const MAX_RESPONSES = 40;
const MAX_HEADERS = 40;
const MAX_LINKS = 40;

/** Returns the request body of an operation, or undefined. */
export function readBody(reader: SchemaReader, raw: JsonObject) {
  const body = follow(reader.root, valueAt(raw, 'requestBody'))?.value;
  if (body === undefined) return undefined;
  const contents = readContents(reader, body);
  const description = textAt(body, 'description');
  if (contents.length === 0 && description === undefined) return undefined;
  return {
    required: flagAt(body, 'required'),
    contents,
    description: description && takeText(reader, description),
  };
}

/** Returns responses by status, successes first and `default` last. */
export function readResponses(reader: SchemaReader, raw: JsonObject): ResponseView[] {
  return responseObjects(reader.root, raw).map(([status, response]) => {
    const contents = readContents(reader, response);
    const ownText = textAt(response, 'description') ?? textAt(response, 'summary');
    const texts = [ownText, ...linkTexts(reader.root, response)].filter(
      (text) => text !== undefined,
    );
    const description = texts.length > 0 ? takeText(reader, texts.join('\n\n')) : undefined;
    const headers = entriesOf(valueAt(response, 'headers'))
      .slice(0, MAX_HEADERS)
      .flatMap(([name, header]) => {
        const holder = follow(reader.root, header)?.value;
        return holder ? [readDescribed(reader, name, holder)] : [];
      });
    return { status, description, headers, contents };
  });
}

/**
 * Identifies the responses of an operation among those of its document; undefined if they are too
 * large for that.
 */
export function responsesKey(raw: JsonObject): string | undefined {
  const key = JSON.stringify(boundedCopy(valueAt(raw, 'responses'), MAX_KEY_NODES)) ?? '';
  return key.includes(CUT) ? undefined : key;
}

/** What the links of a response say about the operations that its values lead to. */
function linkTexts(root: JsonObject, response: JsonObject): string[] {
  return entriesOf(valueAt(response, 'links'))
    .slice(0, MAX_LINKS)
    .flatMap(([name, reference]) => {
      const link = follow(root, reference)?.value;
      const description = textAt(link, 'description');
      const operation = textAt(link, 'operationId');
      if (description === undefined) return [];
      return [
        `${codeSpan(name)}${operation === undefined ? '' : ` (${codeSpan(operation)})`}: ${description.trim()}`,
      ];
    });
}

/** Returns the response objects of an operation in display order. */
export function responseObjects(root: JsonObject, raw: JsonObject): [string, JsonObject][] {
  const responses: [string, JsonObject][] = [];
  for (const [status, item] of entriesOf(valueAt(raw, 'responses')).slice(0, MAX_RESPONSES)) {
    const response = follow(root, item)?.value;
    if (response && !status.startsWith('x-')) responses.push([status.slice(0, 40), response]);
  }
  return responses.sort(([a], [b]) => rank(a) - rank(b));
}

function rank(status: string): number {
  const number = Number(status.replace(/xx$/i, '99'));
  if (!Number.isFinite(number)) return 1_000;
  return number >= 200 && number < 300 ? number - 200 : number;
}

function readContents(reader: SchemaReader, holder: JsonObject): ContentView[] {
  const contents: ContentView[] = [];
  const contentsBySchema = new Map<unknown, ContentView>();
  for (const [mediaType, media] of contentOf(reader.root, holder).slice(0, MAX_MEDIA_TYPES)) {
    const schema = mediaSchema(media);
    const identity = textAt(schema, '$ref') ?? schema ?? 'none';
    const same = contentsBySchema.get(identity);
    if (same) {
      same.mediaTypes.push(mediaType);
      continue;
    }
    const content: ContentView = {
      mediaTypes: [mediaType],
      schema: schema === undefined ? plainView('any') : readSchema(reader, schema),
    };
    contentsBySchema.set(identity, content);
    contents.push(content);
  }
  return contents;
}
