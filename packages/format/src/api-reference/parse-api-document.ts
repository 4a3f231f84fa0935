import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import { groupsOf } from '../access/public-page.ts';
import type { Diagnostic } from '../diagnostics.ts';
import {
  entriesOf,
  flagAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  textsAt,
} from '../json-value.ts';
import type { ApiChannel, ApiDocument, ApiOperation } from './api-document.ts';
import { joinFiles } from './join-files.ts';
import { descriptionFault, MAX_JSON_CHARACTERS, parseTree } from './parse-tree.ts';
import { hasRestrictedParts, removeRestrictedParts } from './restricted-parts.ts';
import { follow } from './schemas/references.ts';
import { readServers } from './servers.ts';
import { upgradeAsyncApi } from './upgrade-async-api.ts';

/**
 * The result of reading an API description. `document` is absent if the diagnostics contain an
 * `error`.
 */
export interface ParsedApiDocument {
  document?: ApiDocument;
  diagnostics: Diagnostic[];
}

/**
 * Reads an OpenAPI 3.x, Swagger 2.0, AsyncAPI 2.x or 3.x description, JSON or YAML, with the files
 * that it refers to. Never throws: problems are reported in the diagnostics.
 * @param text the whole file
 * @param file its path in the source tree, or its address; also how pages refer to it
 * @param readText reads another file by its path or address; without it, no other files are read
 */
export function parseApiDocument(
  text: string,
  file: string,
  readText: (path: string) => string | undefined = () => undefined,
): ParsedApiDocument {
  const diagnostics: Diagnostic[] = [];
  try {
    const document = read(text, file.replace(/^\.?\//, ''), readText, diagnostics);
    return document ? { document, diagnostics } : { diagnostics };
  } catch (error) {
    diagnostics.push(
      descriptionFault(
        file,
        'invalid-api-document',
        `The API description cannot be read: ${reason(error)}.`,
      ),
    );
    return { diagnostics };
  }
}

function read(
  text: string,
  file: string,
  readText: (path: string) => string | undefined,
  diagnostics: Diagnostic[],
): ApiDocument | undefined {
  const tree = parseTree(text, file, diagnostics);
  if (tree === undefined) return undefined;
  const format = detectFormat(tree, file, diagnostics);
  if (format === undefined) return undefined;
  const formatVersion = textAt(tree, format) ?? '';
  let charactersLeft = MAX_JSON_CHARACTERS;
  let mayRestrict = text.includes('x-mint');
  const faults = joinFiles(tree, file, (path) => {
    const other = readText(path);
    charactersLeft -= other?.length ?? 0;
    mayRestrict ||= other?.includes('x-mint') ?? false;
    return other === undefined || charactersLeft < 0
      ? undefined
      : parseTree(other, path, diagnostics);
  });
  diagnostics.push(...faults);
  const root = upgraded(tree, format, formatVersion);
  const removed = mayRestrict ? removeRestrictedParts(root) : 0;
  if (removed > 0) diagnostics.push(restrictedParts(file, removed));
  const kind = format === 'asyncapi' ? format : 'openapi';
  const info = objectAt(root, 'info');
  return {
    kind,
    file,
    formatVersion,
    title: textAt(info, 'title'),
    description: textAt(info, 'description'),
    servers: readServers(root, root),
    operations: kind === 'openapi' ? collectOperations(root, file, diagnostics) : [],
    channels: kind === 'asyncapi' ? collectChannels(root) : [],
    root,
  };
}

/**
 * Returns whether a file describes an API and restricts an operation, a part or a value of it to
 * groups of readers. Such a file is not published, because everybody could read it; neither is one
 * that mentions `x-mint` and cannot be read.
 */
export function isRestrictedDescription(text: string, file: string): boolean {
  if (!text.includes('x-mint')) return false;
  try {
    const tree = parseTree(text, file, []);
    return tree === undefined || hasRestrictedParts(tree);
  } catch {
    return true;
  }
}

function restrictedParts(file: string, count: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'restricted-api-parts',
    message: `"x-mint" restricts ${count} part${count === 1 ? '' : 's'} of the API description to some readers. Readers cannot sign in to this site, so nobody sees that.`,
    remedy: 'Remove "groups" and "x-mint-enum" to publish them for everybody.',
    file,
  };
}

/** Older formats in the form of the newer ones: again plain, untrusted trees. */
function upgraded(
  tree: JsonObject,
  format: 'openapi' | 'swagger' | 'asyncapi',
  version: string,
): JsonObject {
  if (format === 'swagger') return upgradeFromTwoToThree(tree) as unknown as JsonObject;
  return format === 'asyncapi' && version.startsWith('2') ? upgradeAsyncApi(tree) : tree;
}

function detectFormat(
  root: JsonObject,
  file: string,
  diagnostics: Diagnostic[],
): 'openapi' | 'swagger' | 'asyncapi' | undefined {
  const openapi = textAt(root, 'openapi');
  if (openapi?.startsWith('3')) return 'openapi';
  const asyncapi = textAt(root, 'asyncapi');
  if (asyncapi !== undefined && /^[23]/.test(asyncapi)) return 'asyncapi';
  const swagger = textAt(root, 'swagger');
  if (swagger?.startsWith('2')) return 'swagger';
  const versions = Object.entries({ Swagger: swagger, OpenAPI: openapi, AsyncAPI: asyncapi });
  const declaredFormat =
    versions.find(([, version]) => version !== undefined)?.join(' ') ??
    'neither OpenAPI nor AsyncAPI';
  diagnostics.push({
    severity: 'warning',
    code: 'unsupported-api-document',
    message: `The API description is ${declaredFormat}; OpenAPI 3, Swagger 2.0, AsyncAPI 2 and 3 are supported.`,
    remedy: 'Set `openapi: 3.1.0` (or `asyncapi: 3.0.0`) at the top of the file.',
    file,
  });
  return undefined;
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof Error
    ? error.message.replace(/\s+/g, ' ').slice(0, 200)
    : 'unknown reason';
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'];
const MAX_OPERATIONS = 5_000;

/** Every operation under `paths`, then every webhook, in the document's order. */
function collectOperations(
  root: JsonObject,
  file: string,
  diagnostics: Diagnostic[],
): ApiOperation[] {
  const operations = [...operationsOf(root, 'paths'), ...operationsOf(root, 'webhooks')];
  if (operations.length === 0) {
    warn(
      'empty-api-document',
      'The API description has no operations.',
      'Add operations under `paths` or `webhooks`.',
    );
  }
  if (operations.length > MAX_OPERATIONS) {
    const message = `The API description has ${operations.length} operations; the first ${MAX_OPERATIONS} are used.`;
    warn('too-many-operations', message, 'Split the description into several files.');
  }
  return operations.slice(0, MAX_OPERATIONS);

  function warn(code: string, message: string, remedy: string): void {
    diagnostics.push({ severity: 'warning', code, message, remedy, file });
  }
}

function operationsOf(root: JsonObject, place: 'paths' | 'webhooks'): ApiOperation[] {
  const operations: ApiOperation[] = [];
  for (const [route, item] of entriesOf(objectAt(root, place))) {
    const pathItem = follow(root, item)?.value;
    if (pathItem === undefined || route.startsWith('x-')) continue;
    const standardMethods = METHODS.map((method): [string, unknown] => [
      method,
      objectAt(pathItem, method),
    ]);
    // OpenAPI 3.2: methods without a field of their own.
    const others = entriesOf(objectAt(pathItem, 'additionalOperations')).filter(([method]) =>
      /^[\w-]{1,40}$/.test(method),
    );
    for (const [method, raw] of [...standardMethods, ...others])
      if (isObject(raw))
        operations.push(readOperation(method, route, raw, pathItem, place === 'webhooks'));
  }
  return operations;
}

function readOperation(
  method: string,
  route: string,
  raw: JsonObject,
  pathItem: JsonObject,
  webhook: boolean,
): ApiOperation {
  const mintExtension = objectAt(raw, 'x-mint');
  const metadata = objectAt(mintExtension, 'metadata');
  const ofAll = objectAt(pathItem, 'x-mint');
  const groups = groupsOf(
    ...[metadata, mintExtension, objectAt(ofAll, 'metadata'), ofAll].map((layer) =>
      Object.entries(layer ?? {}),
    ),
  );
  return {
    method: webhook ? 'WEBHOOK' : method.toUpperCase(),
    route,
    operationId: textAt(raw, 'operationId'),
    summary: textAt(raw, 'summary') ?? textAt(pathItem, 'summary'),
    description: textAt(raw, 'description') ?? textAt(pathItem, 'description'),
    tags: textsAt(raw, 'tags'),
    deprecated: flagAt(raw, 'deprecated') || flagAt(metadata, 'deprecated'),
    hidden: flagAt(raw, 'x-hidden') || flagAt(pathItem, 'x-hidden') || flagAt(metadata, 'hidden'),
    excluded: flagAt(raw, 'x-excluded') || flagAt(pathItem, 'x-excluded'),
    webhook,
    metadata: { ...metadata, ...(groups !== undefined && { groups }) },
    content: textAt(mintExtension, 'content'),
    href: textAt(mintExtension, 'href'),
    raw,
    pathItem,
  };
}

const MAX_CHANNELS = 5_000;

/** Every channel of an AsyncAPI document, in its order. */
function collectChannels(root: JsonObject): ApiChannel[] {
  return entriesOf(objectAt(root, 'channels'))
    .slice(0, MAX_CHANNELS)
    .flatMap(([name, item]): ApiChannel[] => {
      const raw = follow(root, item)?.value;
      if (raw === undefined) return [];
      const servers = readServers(root, raw, root);
      const tag = textAt(follow(root, listAt(raw, 'tags')[0])?.value, 'name');
      const description = textAt(raw, 'description') ?? textAt(raw, 'summary');
      return [
        {
          name,
          tag,
          title: textAt(raw, 'title'),
          description,
          address: textAt(raw, 'address'),
          servers,
          raw,
        },
      ];
    });
}
