import { parseDocument } from 'yaml';
import type { Diagnostic } from '../diagnostics.ts';
import type { ApiDocument } from './api-document.ts';
import { collectChannels } from './collect-channels.ts';
import { collectOperations } from './collect-operations.ts';
import { isObject, type JsonObject, objectAt, textAt } from './json-value.ts';
import { readServers } from './servers.ts';

const MAX_JSON_CHARACTERS = 25_000_000;
// Reading YAML costs some fifty times as much as reading JSON.
const MAX_YAML_CHARACTERS = 5_000_000;

/** What reading an API description gives. `document` is absent where an `error` stands among the diagnostics. */
export interface ParsedApiDocument {
  document?: ApiDocument;
  diagnostics: Diagnostic[];
}

/**
 * Reads an OpenAPI 3.x or AsyncAPI 3.x description, JSON or YAML. Never throws: what is wrong is in the diagnostics.
 * @param text the whole file
 * @param file its path in the source tree, or its address; also how pages refer to it
 */
export function parseApiDocument(text: string, file: string): ParsedApiDocument {
  const diagnostics: Diagnostic[] = [];
  try {
    const document = read(text, file.replace(/^\.?\//, ''), diagnostics);
    return document ? { document, diagnostics } : { diagnostics };
  } catch (error) {
    diagnostics.push(fault(file, 'invalid-api-document', `The API description cannot be read: ${reason(error)}.`));
    return { diagnostics };
  }
}

function read(text: string, file: string, diagnostics: Diagnostic[]): ApiDocument | undefined {
  const root = parseTree(text, file, diagnostics);
  if (root === undefined) return undefined;
  const kind = detectKind(root, file, diagnostics);
  if (kind === undefined) return undefined;
  const document: ApiDocument = {
    kind,
    file,
    formatVersion: textAt(root, kind) ?? '',
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

function parseTree(text: string, file: string, diagnostics: Diagnostic[]): JsonObject | undefined {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const isJson = /^\s*[{[]/.test(content) && !/\.ya?ml$/i.test(file);
  const limit = isJson ? MAX_JSON_CHARACTERS : MAX_YAML_CHARACTERS;
  if (content.length > limit) {
    const message = `The API description has ${content.length} characters; at most ${limit} are read.`;
    diagnostics.push(fault(file, 'api-document-too-large', message, 'Split it into several files, or convert YAML to JSON.'));
    return undefined;
  }
  const tree: unknown = isJson ? JSON.parse(content) : parseYaml(content, file, diagnostics);
  if (isObject(tree)) return tree;
  if (diagnostics.length === 0) diagnostics.push(fault(file, 'invalid-api-document', 'The API description is not an object.'));
  return undefined;
}

function parseYaml(text: string, file: string, diagnostics: Diagnostic[]): unknown {
  // Repeated keys are common in hand-written files and harmless; checking for them is quadratic, and so are pretty messages.
  const document = parseDocument(text, {
    uniqueKeys: false,
    strict: false,
    merge: true,
    logLevel: 'silent',
    prettyErrors: false,
  });
  const [first] = document.errors;
  if (first) {
    const before = text.slice(0, first.pos[0]);
    const problem = /call stack/.test(first.message) ? 'It is nested too deeply' : first.message.slice(0, 200);
    const message = `The API description is not valid YAML: ${problem}.`;
    const place = { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
    diagnostics.push({ ...fault(file, 'invalid-api-document', message, 'Correct the YAML at that line.'), ...place });
    return undefined;
  }
  return document.toJS({ maxAliasCount: 200 });
}

function detectKind(root: JsonObject, file: string, diagnostics: Diagnostic[]): 'openapi' | 'asyncapi' | undefined {
  const openapi = textAt(root, 'openapi');
  if (openapi?.startsWith('3')) return 'openapi';
  const asyncapi = textAt(root, 'asyncapi');
  if (asyncapi !== undefined) return 'asyncapi';
  const swagger = textAt(root, 'swagger');
  const found = swagger ? `Swagger ${swagger}` : openapi ? `OpenAPI ${openapi}` : 'neither OpenAPI nor AsyncAPI';
  const remedy = swagger
    ? 'Convert the file to OpenAPI 3.0 or 3.1; converters for Swagger 2.0 are widely available.'
    : 'Set `openapi: 3.1.0` (or `asyncapi: 3.0.0`) at the top of the file.';
  diagnostics.push({
    severity: 'warning',
    code: 'unsupported-api-document',
    message: `The API description is ${found}; OpenAPI 3.0, OpenAPI 3.1 and AsyncAPI 3.0 are supported.`,
    remedy,
    file,
  });
  return undefined;
}

function fault(
  file: string,
  code: string,
  message: string,
  remedy = 'Check the file with a JSON or YAML validator.',
): Diagnostic {
  return { severity: 'error', code, message, remedy, file };
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  return error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : 'unknown reason';
}
