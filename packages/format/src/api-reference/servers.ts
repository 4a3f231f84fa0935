import { entriesOf, type JsonObject, listAt, objectAt, textAt, textsAt } from '../json-value.ts';
import type { ApiDocument, ApiOperation, ApiServer } from './api-document.ts';
import type { ServerInput, ServerVariable } from './request-inputs.ts';
import { follow } from './schemas/references.ts';

const MAX_SERVERS = 20;
const MAX_VARIABLES = 100;
const MAX_VALUES = 50;
const MAX_LABEL_CHARACTERS = 80;

/**
 * Returns the server objects of the first holder that names any (an operation, its path item, the
 * document), in its order. OpenAPI and channels list them, AsyncAPI documents name them.
 */
export function serverObjects(root: JsonObject, ...holders: readonly JsonObject[]): JsonObject[] {
  const lists = holders.map((holder) => [
    ...listAt(holder, 'servers'),
    ...Object.values(objectAt(holder, 'servers') ?? {}),
  ]);
  return (lists.find((list) => list.length > 0) ?? [])
    .slice(0, MAX_SERVERS)
    .map((server) => follow(root, server)?.value)
    .filter((server) => server !== undefined);
}

/** Returns the same servers with their variables replaced by their defaults. */
export function readServers(root: JsonObject, ...holders: readonly JsonObject[]): ApiServer[] {
  return serverObjects(root, ...holders).flatMap((server): ApiServer[] => {
    const url = addressOf(server)?.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
      const variable = objectAt(objectAt(server, 'variables'), name);
      return textAt(variable, 'default') ?? textsAt(variable, 'enum')[0] ?? whole;
    });
    return url === undefined
      ? []
      : [{ url: withoutSlash(url), description: textAt(server, 'description') }];
  });
}

/** Servers of an operation: its own, its path's, the document's. */
export function operationServers(
  { root }: ApiDocument,
  { raw, pathItem }: ApiOperation,
): ApiServer[] {
  return readServers(root, raw, pathItem, root);
}

/** Returns servers for a form, with unresolved variables. */
export function serverInputs(root: JsonObject, servers: readonly JsonObject[]): ServerInput[] {
  return servers.flatMap((server): ServerInput[] => {
    const url = addressOf(server);
    if (url === undefined) return [];
    const variables = entriesOf(objectAt(server, 'variables'))
      .slice(0, MAX_VARIABLES)
      .filter(([name]) => url.includes(`{${name}}`))
      .map(([name, variable]) => variableInput(name, follow(root, variable)?.value));
    const description = textAt(server, 'description')?.slice(0, MAX_LABEL_CHARACTERS);
    return [{ url, description, variables: variables.length > 0 ? variables : undefined }];
  });
}

/** A variable of a server with its default. */
function variableInput(name: string, variable: unknown): ServerVariable {
  const values = textsAt(variable, 'enum').slice(0, MAX_VALUES);
  const value = textAt(variable, 'default') ?? values[0] ?? '';
  return values.length > 0 ? { name, value, values } : { name, value };
}

/**
 * The address as written, with `{name}` for variables. OpenAPI has it as `url`, AsyncAPI in parts.
 */
function addressOf(server: JsonObject): string | undefined {
  const host = textAt(server, 'host');
  const parts =
    host && `${textAt(server, 'protocol') ?? 'https'}://${host}${textAt(server, 'pathname') ?? ''}`;
  const url = textAt(server, 'url') ?? parts;
  return url && withoutSlash(url);
}

/** Returns an address without slashes at its end. */
export function withoutSlash(url: string): string {
  return url.trim().replace(/(?<!\/)\/+$/, '');
}

/**
 * The address that relative addresses of a description are relative to: that of the description, or
 * the site's setting.
 */
export function baseOf({ file }: ApiDocument, baseUrls: readonly string[]): string | undefined {
  return /^https?:\/\/[^/]+/i.exec(file)?.[0] ?? baseUrls[0];
}

/** Completes a relative address; one that begins with a variable may be whole. */
export function wholeAddress(url: string, base: string | undefined): string {
  if (base === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url.startsWith('{')) return url;
  return url === '' ? withoutSlash(base) : `${withoutSlash(base)}/${url.replace(/^\/+/, '')}`;
}
