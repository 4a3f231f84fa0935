import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { OutsideCall, OutsideCalls } from '../../packages/server/src/ports/outside-calls.ts';

interface Schema {
  type?: string;
  enum?: string[];
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Api {
  base: string;
  operations: Record<string, { query: string[]; body: Schema | null }>;
}

/**
 * That of GitHub is from its OpenAPI description (@octokit/openapi 23.0.2), which is too large to
 * install; the others are from documentation.
 */
const apis = JSON.parse(
  readFileSync(new URL('git-host-apis.json', import.meta.url), 'utf8'),
) as Record<string, Api>;
export type HostName = 'github' | 'gitea' | 'gitlab' | 'bitbucket' | 'bitbucket-server' | 'azure';

export interface StandInHost extends OutsideCalls {
  comments: { id: number; text: string; version: number }[];
  /** States of commits, as the server names them, in order. */
  statuses: { sha: string; state: string; description: string }[];
  /** The operations that were asked for. */
  requests: string[];
  /** Answers everything with this status, and these headers, while it is set. */
  down: number | undefined;
  downHeaders: [string, string][];
  /** What the server does besides comments and statuses; undefined for those. */
  respond?: (
    operation: string,
    path: string,
    sent: Record<string, unknown>,
    authorization: string,
  ) => [number, unknown] | undefined | Promise<[number, unknown] | undefined>;
}

/**
 * A server of repositories that answers only what the description of its API allows: an unknown
 * path, query or property fails the test.
 */
export function standInHost(
  name: HostName,
  { origin, authorization, base: path }: { origin: string; authorization: string; base?: string },
): StandInHost {
  const api = apis[name] as Api;
  const base =
    path === undefined && api.base.startsWith('https:') ? api.base : origin + (path ?? api.base);
  const host: StandInHost = {
    comments: [],
    statuses: [],
    requests: [],
    down: undefined,
    downHeaders: [],
    call,
  };
  return host;

  async function call(request: OutsideCall) {
    const [status, body] = host.down === undefined ? await answer(request) : [host.down, {}];
    const content = Readable.from([Buffer.from(JSON.stringify(body))]);
    return {
      status,
      statusText: '',
      headers: host.down === undefined ? [] : host.downHeaders,
      body: content,
    };
  }

  async function answer({ method, url, headers, body }: OutsideCall): Promise<[number, unknown]> {
    if (!url.startsWith(base)) throw new Error(`${url} is not below ${base}`);
    const { pathname, searchParams } = new URL(url.slice(base.length), 'https://x');
    const [operation, description] =
      Object.entries(api.operations).find(([key]) => isOf(key, `${method} ${pathname}`)) ??
      ([undefined, undefined] as const);
    if (operation === undefined || !description)
      throw new Error(`${method} ${pathname} is no operation of ${name}`);
    for (const key of searchParams.keys())
      if (!description.query.includes(key)) throw new Error(`${operation} has no query ${key}`);
    const sent =
      body && (JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>);
    if (description.body) check(description.body, sent, operation);
    host.requests.push(operation);
    const { authorization: sentAuthorization = '' } = Object.fromEntries(headers);
    const response = await host.respond?.(operation, pathname, sent ?? {}, sentAuthorization);
    if (response) return response;
    if (authorization !== '' && sentAuthorization !== authorization)
      return [401, { message: 'Bad credentials' }];
    return respond(method, pathname, sent ?? {});
  }

  function respond(method: string, path: string, sent: Record<string, unknown>): [number, unknown] {
    const viewOf = (comment: (typeof host.comments)[number]) => ({
      ...comment,
      body: comment.text,
      content: { raw: comment.text },
      comments: [{ id: 1, content: comment.text }],
    });
    if (path.includes('status')) {
      const sha = /\/([0-9a-f]{40})(?:\/|$)/.exec(path)?.[1] ?? '';
      host.statuses.push({ sha, state: String(sent.state), description: String(sent.description) });
      return [201, {}];
    }
    const [first] = (sent.comments ?? []) as { content: string }[];
    const text = String(
      first?.content ??
        sent.body ??
        sent.text ??
        (typeof sent.content === 'string'
          ? sent.content
          : (sent.content as { raw?: string } | undefined)?.raw),
    );
    if (method === 'GET' && !/\/comments\/\d+$/.test(path)) {
      const page = host.comments.slice(0, 100);
      if (name === 'azure') return [200, { value: page.map(viewOf) }];
      if (name === 'bitbucket') return [200, { values: page.map(viewOf) }];
      const activities = page.map((comment) => ({ action: 'COMMENTED', comment: viewOf(comment) }));
      if (name === 'bitbucket-server')
        return [200, { values: [{ action: 'OPENED' }, ...activities] }];
      return [200, page.map(viewOf)];
    }
    if (method === 'POST') {
      host.comments.push({ id: host.comments.length + 100, text, version: 0 });
      return [201, viewOf(host.comments.at(-1) as (typeof host.comments)[number])];
    }
    const comment = host.comments.find(({ id }) =>
      path.replace(/\/comments\/1$/, '').endsWith(`/${id}`),
    );
    if (!comment) return [404, {}];
    if (method === 'GET') return [200, viewOf(comment)];
    if (name === 'bitbucket-server' && sent.version !== comment.version) return [409, {}];
    Object.assign(comment, { text, version: comment.version + 1 });
    return [200, viewOf(comment)];
  }
}

function isOf(template: string, request: string): boolean {
  const parts = template
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(request);
}

function check(schema: Schema, value: unknown, place: string): void {
  const fail = (reason: string) => {
    throw new Error(`${place}: ${reason}`);
  };
  if (value === null && schema.nullable) return;
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  if (schema.type !== undefined && schema.type !== type) fail(`${type} instead of ${schema.type}`);
  if (schema.enum && !schema.enum.includes(String(value)))
    fail(`${value} is none of ${schema.enum}`);
  if (schema.maxLength !== undefined && String(value).length > schema.maxLength) fail('too long');
  if (Array.isArray(value)) {
    if (schema.maxItems !== undefined && value.length > schema.maxItems) fail('too many');
    for (const [at, item] of value.entries()) check(schema.items ?? {}, item, `${place}/${at}`);
  }
  if (schema.type !== 'object') return;
  const members = value as Record<string, unknown>;
  for (const key of schema.required ?? [])
    if (members[key] === undefined) fail(`${key} is missing`);
  for (const [key, member] of Object.entries(members)) {
    const property = schema.properties?.[key];
    if (!property) throw new Error(`${place}: unknown property ${key}`);
    check(property, member, `${place}/${key}`);
  }
}
