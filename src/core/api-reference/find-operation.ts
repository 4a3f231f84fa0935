import type { ApiChannel, ApiDocument, ApiOperation } from './api-document.ts';
import { objectAt, valueAt } from './json-value.ts';

/** Frontmatter `openapi` (or an entry of the navigation) after reading. */
export interface OperationReference {
  /** The file as written; absent where the author leaves it to the site's default. */
  file?: string;
  /** Upper case; `WEBHOOK` for a webhook. */
  method: string;
  route: string;
}

/** `[file] name`, as in frontmatter `openapi-schema` and `asyncapi`. */
export interface NameReference {
  file?: string;
  name: string;
}

export interface FoundOperation {
  document: ApiDocument;
  operation: ApiOperation;
}

const REFERENCE = /^(?:(\S.*?)\s+)?(get|post|put|patch|delete|head|options|trace|query|webhook)\s+(\S.*)$/i;

/** Reads `"[file] METHOD /path"` or `"[file] webhook name"`. Undefined where the text is neither. */
export function parseOperationReference(reference: string): OperationReference | undefined {
  const match = REFERENCE.exec(reference.slice(0, 2_000).trim());
  if (!match) return undefined;
  const parsed: OperationReference = { method: (match[2] as string).toUpperCase(), route: match[3] as string };
  if (match[1] !== undefined) parsed.file = match[1];
  return parsed;
}

/** Reads `"[file] Name"`: where there are two words or more, the first is the file. */
export function parseNameReference(reference: string): NameReference | undefined {
  const text = reference.slice(0, 2_000).trim();
  if (text === '') return undefined;
  const space = text.search(/\s/);
  return space < 0 ? { name: text } : { file: text.slice(0, space), name: text.slice(space).trim() };
}

/**
 * The operation that a page names. Tolerant: methods in any case, slashes at the end, names of path parameters; a reference
 * without a file searches every document, in order.
 */
export function findOperation(documents: Iterable<ApiDocument>, reference: string): FoundOperation | undefined {
  const wanted = parseOperationReference(reference);
  if (!wanted) return undefined;
  let loose: FoundOperation | undefined;
  for (const document of documents) {
    if (wanted.file !== undefined && !isNamed(document, wanted.file)) continue;
    const index = indexOf(document);
    const exact = index.get(`${wanted.method} ${wanted.route}`);
    if (exact) return { document, operation: exact };
    const similar = index.get(looseKey(wanted.method, wanted.route));
    if (similar && !loose) loose = { document, operation: similar };
  }
  return loose;
}

/** The document that holds the schema of that name (`components.schemas`), and the name. */
export function findSchema(
  documents: Iterable<ApiDocument>,
  reference: string,
): { document: ApiDocument; name: string } | undefined {
  return findNamed(documents, reference, (document, name) => {
    const schemas = objectAt(objectAt(document.root, 'components'), 'schemas');
    return valueAt(schemas, name) === undefined ? undefined : { document, name };
  });
}

/** The AsyncAPI channel that a page names. */
export function findChannel(
  documents: Iterable<ApiDocument>,
  reference: string,
): { document: ApiDocument; channel: ApiChannel } | undefined {
  return findNamed(documents, reference, (document, name) => {
    const channel = document.channels.find((candidate) => candidate.name === name || candidate.title === name);
    return channel && { document, channel };
  });
}

function findNamed<T>(
  documents: Iterable<ApiDocument>,
  reference: string,
  find: (document: ApiDocument, name: string) => T | undefined,
) {
  const wanted = parseNameReference(reference);
  if (!wanted) return undefined;
  for (const document of documents) {
    if (wanted.file !== undefined && !isNamed(document, wanted.file)) continue;
    const found = find(document, wanted.name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether `name` means that document: its whole path, the end of it, or its name without the extension. */
function isNamed(document: ApiDocument, name: string): boolean {
  const file = document.file.toLowerCase();
  const wanted = name.replace(/^\.?\/+/, '').toLowerCase();
  if (file === wanted || file.endsWith(`/${wanted}`)) return true;
  const stem = file.replace(/\.(json|ya?ml)$/, '');
  return stem === wanted || stem.endsWith(`/${wanted}`);
}

// Sites with one document and thousands of pages look up one operation a page: a scan each time would be quadratic.
const indexes = new WeakMap<ApiDocument, Map<string, ApiOperation>>();

function indexOf(document: ApiDocument): Map<string, ApiOperation> {
  const known = indexes.get(document);
  if (known) return known;
  const index = new Map<string, ApiOperation>();
  for (const operation of document.operations) {
    for (const key of [`${operation.method} ${operation.route}`, looseKey(operation.method, operation.route)]) {
      if (!index.has(key)) index.set(key, operation);
    }
  }
  indexes.set(document, index);
  return index;
}

function looseKey(method: string, route: string): string {
  const path = route
    .trim()
    .toLowerCase()
    .replace(/\{[^{}/]*\}/g, '{}')
    .replace(/^\/+|\/+$/g, '');
  // The leading space keeps loose keys apart from exact ones.
  return ` ${method} ${path}`;
}
