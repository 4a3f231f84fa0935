import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';
import type { Diagnostic } from '../diagnostics.ts';
import type { ApiDocument } from './api-document.ts';
import { collectChannels } from './collect-channels.ts';
import { collectOperations } from './collect-operations.ts';
import { joinFiles } from './join-files.ts';
import { type JsonObject, objectAt, textAt } from './json-value.ts';
import { descriptionFault, MAX_JSON_CHARACTERS, parseTree } from './parse-tree.ts';
import { hasRestrictedParts, removeRestrictedParts } from './restricted-parts.ts';
import { readServers } from './servers.ts';
import { upgradeAsyncApi } from './upgrade-async-api.ts';

/** The result of reading an API description. `document` is absent if the diagnostics contain an `error`. */
export interface ParsedApiDocument {
  document?: ApiDocument;
  diagnostics: Diagnostic[];
}

/**
 * Reads an OpenAPI 3.x, Swagger 2.0, AsyncAPI 2.x or 3.x description, JSON or YAML, with the files that it refers to. Never throws:
 * problems are reported in the diagnostics.
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
    diagnostics.push(descriptionFault(file, 'invalid-api-document', `The API description cannot be read: ${reason(error)}.`));
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
    return other === undefined || charactersLeft < 0 ? undefined : parseTree(other, path, diagnostics);
  });
  diagnostics.push(...faults);
  const root = upgraded(tree, format, formatVersion);
  const removed = mayRestrict ? removeRestrictedParts(root) : 0;
  if (removed > 0) diagnostics.push(restrictedParts(file, removed));
  const kind = format === 'asyncapi' ? format : 'openapi';
  const document: ApiDocument = {
    kind,
    file,
    formatVersion,
    servers: readServers(root),
    operations: kind === 'openapi' ? collectOperations(root, file, diagnostics) : [],
    channels: kind === 'asyncapi' ? collectChannels(root) : [],
    root,
  };
  const info = objectAt(root, 'info');
  const title = textAt(info, 'title');
  const description = textAt(info, 'description');
  if (title !== undefined) document.title = title;
  if (description !== undefined) document.description = description;
  return document;
}

/**
 * Returns whether a file describes an API and restricts an operation, a part or a value of it to groups of readers. Such a file is
 * not published, because everybody could read it; neither is one that mentions `x-mint` and cannot be read.
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
function upgraded(tree: JsonObject, format: 'openapi' | 'swagger' | 'asyncapi', version: string): JsonObject {
  if (format === 'swagger') return upgradeFromTwoToThree(tree) as unknown as JsonObject;
  return format === 'asyncapi' && version.startsWith('2') ? upgradeAsyncApi(tree) : tree;
}

function detectFormat(root: JsonObject, file: string, diagnostics: Diagnostic[]): 'openapi' | 'swagger' | 'asyncapi' | undefined {
  const openapi = textAt(root, 'openapi');
  if (openapi?.startsWith('3')) return 'openapi';
  const asyncapi = textAt(root, 'asyncapi');
  if (asyncapi !== undefined && /^[23]/.test(asyncapi)) return 'asyncapi';
  const swagger = textAt(root, 'swagger');
  if (swagger?.startsWith('2')) return 'swagger';
  const versions = Object.entries({ Swagger: swagger, OpenAPI: openapi, AsyncAPI: asyncapi });
  const found = versions.find(([, version]) => version !== undefined)?.join(' ') ?? 'neither OpenAPI nor AsyncAPI';
  diagnostics.push({
    severity: 'warning',
    code: 'unsupported-api-document',
    message: `The API description is ${found}; OpenAPI 3, Swagger 2.0, AsyncAPI 2 and 3 are supported.`,
    remedy: 'Set `openapi: 3.1.0` (or `asyncapi: 3.0.0`) at the top of the file.',
    file,
  });
  return undefined;
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : 'unknown reason';
}
