import { groupsOf } from '../access/public-page.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { ApiOperation } from './api-document.ts';
import { entriesOf, flagAt, isObject, type JsonObject, objectAt, textAt, textsAt } from './json-value.ts';
import { follow } from './references.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'];
const MAX_OPERATIONS = 5_000;

/** Every operation under `paths`, then every webhook, in the document's order. */
export function collectOperations(root: JsonObject, file: string, diagnostics: Diagnostic[]): ApiOperation[] {
  const operations = [...operationsOf(root, 'paths'), ...operationsOf(root, 'webhooks')];
  if (operations.length === 0) {
    warn('empty-api-document', 'The API description has no operations.', 'Add operations under `paths` or `webhooks`.');
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
    for (const method of METHODS) {
      const raw = objectAt(pathItem, method);
      if (raw) operations.push(readOperation(method, route, raw, pathItem, place === 'webhooks'));
    }
    // OpenAPI 3.2: methods without a field of their own.
    for (const [method, raw] of entriesOf(objectAt(pathItem, 'additionalOperations'))) {
      if (isObject(raw) && /^[\w-]{1,40}$/.test(method))
        operations.push(readOperation(method, route, raw, pathItem, place === 'webhooks'));
    }
  }
  return operations;
}

function readOperation(method: string, route: string, raw: JsonObject, pathItem: JsonObject, webhook: boolean): ApiOperation {
  const own = objectAt(raw, 'x-mint');
  const metadata = objectAt(own, 'metadata');
  const ofAll = objectAt(pathItem, 'x-mint');
  const groups = groupsOf(...[metadata, own, objectAt(ofAll, 'metadata'), ofAll].map((one) => Object.entries(one ?? {})));
  const operation: ApiOperation = {
    method: webhook ? 'WEBHOOK' : method.toUpperCase(),
    route,
    tags: textsAt(raw, 'tags'),
    deprecated: flagAt(raw, 'deprecated') || flagAt(metadata, 'deprecated'),
    hidden: flagAt(raw, 'x-hidden') || flagAt(pathItem, 'x-hidden') || flagAt(metadata, 'hidden'),
    excluded: flagAt(raw, 'x-excluded') || flagAt(pathItem, 'x-excluded'),
    webhook,
    metadata: { ...metadata, ...(groups !== undefined && { groups }) },
    raw,
    pathItem,
  };
  setText(operation, 'operationId', textAt(raw, 'operationId'));
  setText(operation, 'summary', textAt(raw, 'summary') ?? textAt(pathItem, 'summary'));
  setText(operation, 'description', textAt(raw, 'description') ?? textAt(pathItem, 'description'));
  setText(operation, 'content', textAt(own, 'content'));
  setText(operation, 'href', textAt(own, 'href'));
  return operation;
}

function setText(
  operation: ApiOperation,
  key: 'operationId' | 'summary' | 'description' | 'content' | 'href',
  text?: string,
): void {
  if (text !== undefined) operation[key] = text;
}
