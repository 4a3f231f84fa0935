import type { JsonObject } from '../json-value.ts';

/** A parsed OpenAPI or AsyncAPI file. Plain data that can be passed to another thread. */
export interface ApiDocument {
  kind: 'openapi' | 'asyncapi';
  /** Path in the source tree without a leading slash, or the address it came from. */
  file: string;
  /** `3.0.3`, `3.1.0` … */
  formatVersion: string;
  title?: string;
  description?: string;
  servers: ApiServer[];
  /** Empty for AsyncAPI. */
  operations: ApiOperation[];
  /** Empty for OpenAPI. */
  channels: ApiChannel[];
  /** The parsed tree, for resolving references. */
  root: JsonObject;
}

export interface ApiServer {
  /** With variables replaced by their defaults; without a trailing slash. May be relative. */
  url: string;
  description?: string;
}

export interface ApiOperation {
  /** Upper case; `WEBHOOK` for a webhook. */
  method: string;
  /** The path as written in the document, or the webhook's name. */
  route: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tags: string[];
  deprecated: boolean;
  /** `x-hidden`: has a page, but no entry in the navigation. */
  hidden: boolean;
  /** `x-excluded`: has no page. */
  excluded: boolean;
  webhook: boolean;
  /**
   * Frontmatter for the generated page (`x-mint.metadata`), as written, plus the `groups` of the
   * operation or of its path.
   */
  metadata: JsonObject;
  /** MDX to show before the generated part (`x-mint.content`). */
  content?: string;
  /** Site path that the author chose for the page (`x-mint.href`). */
  href?: string;
  /** The operation object. */
  raw: JsonObject;
  /** The path item that contains it. */
  pathItem: JsonObject;
}

export interface ApiChannel {
  /** Key under `channels`. */
  name: string;
  /** Of its tags, the first. */
  tag?: string;
  title?: string;
  description?: string;
  address?: string;
  /** Its own if it names some, otherwise those of the document. */
  servers: ApiServer[];
  raw: JsonObject;
}

/** `WSS`, `KAFKA` …: shown in place of the method for a channel. */
export function channelProtocol({ servers }: ApiChannel): string {
  return servers[0]?.url.match(/^([a-z][a-z0-9+.-]{0,15}):/i)?.[1]?.toUpperCase() ?? 'CHANNEL';
}

/**
 * Returns what follows the address of the server: a path, which descriptions also write without its
 * slash, or for a protocol whose addresses are not URLs the name of a topic or queue.
 */
export function channelRoute(channel: ApiChannel): string {
  const route = channel.address ?? channel.name;
  const isPath = /^(?:WSS?|HTTPS?)$/.test(channelProtocol(channel));
  return isPath && !route.startsWith('/') ? `/${route}` : route;
}
