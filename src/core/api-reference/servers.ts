import type { ApiServer } from './api-document.ts';
import { entriesOf, isObject, type JsonObject, listAt, objectAt, textAt, textsAt } from './json-value.ts';

export const MAX_SERVERS = 20;

/**
 * Returns the servers of a document, a path item or an operation, in the document's order. OpenAPI lists them with a `url`,
 * AsyncAPI names them with a `host` and a `protocol`.
 */
export function readServers(holder: JsonObject): ApiServer[] {
  const listed = listAt(holder, 'servers').filter(isObject);
  const named = entriesOf(objectAt(holder, 'servers')).map(([, server]) => server);
  const servers: ApiServer[] = [];
  for (const server of [...listed, ...named].slice(0, MAX_SERVERS)) {
    const url = serverUrl(server);
    if (url === undefined) continue;
    const description = textAt(server, 'description');
    servers.push(description === undefined ? { url } : { url, description });
  }
  return servers;
}

function serverUrl(server: unknown): string | undefined {
  const template = textAt(server, 'url') ?? hostUrl(server);
  if (template === undefined) return undefined;
  const variables = objectAt(server, 'variables');
  const url = template.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    const variable = objectAt(variables, name);
    return textAt(variable, 'default') ?? textsAt(variable, 'enum')[0] ?? whole;
  });
  return url.trim().replace(/(?<!\/)\/+$/, '');
}

function hostUrl(server: unknown): string | undefined {
  const host = textAt(server, 'host');
  if (host === undefined) return undefined;
  return `${textAt(server, 'protocol') ?? 'https'}://${host}${textAt(server, 'pathname') ?? ''}`;
}
