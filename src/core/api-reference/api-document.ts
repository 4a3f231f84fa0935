import type { JsonObject } from './json-value.ts';

/** One OpenAPI or AsyncAPI file after reading. Plain data: it can be handed to another thread. */
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
  /** The parsed tree, for references. */
  root: JsonObject;
}

export interface ApiServer {
  /** Variables filled in with their defaults; without a slash at the end. May be relative. */
  url: string;
  description?: string;
}

export interface ApiOperation {
  /** Upper case; `WEBHOOK` for a webhook. */
  method: string;
  /** The path as the document writes it, or the webhook's name. */
  route: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tags: string[];
  deprecated: boolean;
  /** `x-hidden`: has a page, but no place in the navigation. */
  hidden: boolean;
  /** `x-excluded`: has no page. */
  excluded: boolean;
  webhook: boolean;
  /** Frontmatter for the generated page (`x-mint.metadata`), as written, with the `groups` of the operation or of its path. */
  metadata: JsonObject;
  /** MDX to stand before the generated part (`x-mint.content`). */
  content?: string;
  /** Site path that the author wants for the page (`x-mint.href`). */
  href?: string;
  /** The operation object. */
  raw: JsonObject;
  /** The path item that holds it. */
  pathItem: JsonObject;
}

export interface ApiChannel {
  /** Key under `channels`. */
  name: string;
  title?: string;
  description?: string;
  address?: string;
  raw: JsonObject;
}
