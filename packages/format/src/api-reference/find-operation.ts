import { objectAt, valueAt } from '../json-value.ts';
import { withoutSlashes } from '../links.ts';
import { oncePerObject } from '../once.ts';
import type { ApiChannel, ApiDocument, ApiOperation } from './api-document.ts';

/** Parsed frontmatter `openapi` (or an entry of the navigation). */
export interface OperationReference {
  /** The description as written; absent if the author leaves the choice to the site. */
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

const REFERENCE =
  /^(?:(\S(?:.*?\S)?)\s+)?(get|post|put|patch|delete|head|options|trace|query|webhook)\s+(\S.*)$/i;
/**
 * Custom methods (`additionalOperations`) are distinguished from words of a file name by their
 * form.
 */
const OTHER_METHOD = /^(?:(\S(?:.*?\S)?)\s+)?([A-Z]{3,20})\s+(\/\S*)$/;

/**
 * Parses `"[file] METHOD /path"` or `"[file] webhook name"`. Returns undefined if the text is
 * neither.
 */
export function parseOperationReference(reference: string): OperationReference | undefined {
  const text = reference.slice(0, 2_000).trim();
  const match = REFERENCE.exec(text) ?? OTHER_METHOD.exec(text);
  return match
    ? { file: match[1], method: (match[2] as string).toUpperCase(), route: match[3] as string }
    : undefined;
}

/**
 * Returns whether a reference names a file and nothing in it: such a page has no operation of its
 * own.
 */
export function namesOnlyFile(reference: string): boolean {
  return /^\S+\.(?:json|ya?ml)$/i.test(reference.trim());
}

/** Parses `"[file] Name"`: of two or more words, the first is the file. */
export function parseNameReference(reference: string): NameReference | undefined {
  const text = reference.slice(0, 2_000).trim();
  if (text === '') return undefined;
  const space = text.search(/\s/);
  return space < 0
    ? { name: text }
    : { file: text.slice(0, space), name: text.slice(space).trim() };
}

/**
 * Finds the operation with that method and path. Prefers the exact path, then one that differs in
 * leading or trailing slashes, case, or names of parameters, then one that differs by the path of a
 * server; each in the first document that has it. Stops at the first document with the exact path.
 */
export function findOperation(
  documents: Iterable<ApiDocument>,
  { method, route }: Pick<OperationReference, 'method' | 'route'>,
): FoundOperation | undefined {
  const path = method === 'WEBHOOK' ? route : route.replace(/^https?:\/\/[^/?#]*/i, '');
  let loose: FoundOperation | undefined;
  let served: FoundOperation | undefined;
  for (const document of documents) {
    const index = indexOf(document);
    const exact = index.get(`${method} ${path}`);
    if (exact) return { document, operation: exact };
    if (loose) continue;
    const similar = index.get(looseKey(method, path));
    if (similar) loose = { document, operation: similar };
    else served ??= findServed(document, index, method, path);
  }
  return loose ?? served;
}

/**
 * Finds the operation at that path on one of the document's servers, or, conversely, without the
 * server's own path.
 */
function findServed(
  document: ApiDocument,
  index: OperationIndex,
  method: string,
  path: string,
): FoundOperation | undefined {
  const targetKey = looseKey(method, path);
  for (const prefix of serverPaths(document)) {
    const start = looseKey(method, prefix);
    const inside = targetKey.startsWith(`${start}/`)
      ? looseKey(method, targetKey.slice(start.length))
      : undefined;
    const operation =
      (inside && index.get(inside)) ??
      index.get(looseKey(method, `${prefix}/${path.replace(/^\/+/, '')}`));
    if (operation) return { document, operation: operation };
  }
  return undefined;
}

const MAX_SERVERS = 10;

function serverPaths({ servers }: ApiDocument): string[] {
  const paths = servers
    .slice(0, MAX_SERVERS)
    .map(({ url }) => url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#][\s\S]*/, ''));
  return [...new Set(paths.map((path) => withoutSlashes(path)))].filter((path) => path !== '');
}

/** Returns whether the document has a schema of that name (`components.schemas`). */
export function hasSchema(document: ApiDocument, name: string): boolean {
  return valueAt(objectAt(objectAt(document.root, 'components'), 'schemas'), name) !== undefined;
}

/** Finds the AsyncAPI channel with that name or title. */
export function channelOf(document: ApiDocument, name: string): ApiChannel | undefined {
  return (
    document.channels.find((channel) => channel.name === name) ??
    document.channels.find((channel) => channel.title === name || channel.address === name)
  );
}

type OperationIndex = ReadonlyMap<string, ApiOperation>;

// Sites with one document and thousands of pages look up one operation per page: scanning each time
// would be quadratic.
const indexOf = oncePerObject((document: ApiDocument): OperationIndex => {
  const index = new Map<string, ApiOperation>();
  for (const operation of document.operations) {
    for (const key of [
      `${operation.method} ${operation.route}`,
      looseKey(operation.method, operation.route),
    ]) {
      if (!index.has(key)) index.set(key, operation);
    }
  }
  return index;
});

function looseKey(method: string, route: string): string {
  const path = withoutSlashes(
    route
      .trim()
      .toLowerCase()
      .replace(/\{[^{}/]*\}/g, '{}')
      .replace(/\/:[\w-]+/g, '/{}'),
  );
  // The leading space keeps loose keys apart from exact ones.
  return ` ${method} ${path}`;
}
