import { encodeUtf8 } from '../bytes.ts';
import type { ApiPageRef } from '../generated-page.ts';
import { listAt, objectAt, textAt } from '../json-value.ts';
import { withoutSlashes } from '../links.ts';
import type { ApiDocument, ApiOperation } from './api-document.ts';
import { channelProtocol } from './api-document.ts';

/** Where generated pages are placed in the site, and which description they come from. */
export interface ApiPagePlace {
  /** The description as named in the configuration. */
  source: string;
  /** Site folder without leading and trailing slashes; `api-reference` by default. */
  directory?: string;
}

/**
 * Returns one page for each operation (or channel) that is not excluded, in the document's order.
 * Hidden ones are included and marked. A path is `directory/tag/summary`, for channels
 * `directory/tag/title`; existing links depend on these names.
 * @param taken paths of other descriptions' pages; the paths of this one are added
 * @param root folder of all pages, also of those whose path the description says
 */
export function apiPages(
  document: ApiDocument,
  place: ApiPagePlace,
  taken = new Set<string>(),
  root = '',
): ApiPageRef[] {
  const directory = withoutSlashes(place.directory ?? 'api-reference');
  const places = tagPlaces(document);
  const pages: ApiPageRef[] = [];
  const add = (page: Omit<ApiPageRef, 'source'>, tag: string | undefined) => {
    const around = tag === undefined ? [] : (places.get(tag) ?? [tag]);
    const path = freePath(page.path, taken);
    pages.push({
      ...page,
      path,
      source: place.source,
      group: around[0],
      subgroup: around.slice(1).at(-1),
    });
  };
  for (const operation of document.operations) {
    if (operation.excluded) continue;
    const { method, route, metadata, tags } = operation;
    const path = pagePath(operation, directory, root);
    const hidden = operation.hidden || undefined;
    add(
      { path, method, route, title: operationTitle(operation), hidden, groups: metadata.groups },
      tags[0],
    );
  }
  for (const channel of document.channels) {
    const folder = channel.tag === undefined ? '' : fileSlug(channel.tag);
    const title = channel.title ?? channel.name;
    const path = joinPath(directory, folder, fileSlug(title));
    add({ path, method: channelProtocol(channel), route: channel.name, title }, channel.tag);
  }
  return pages;
}

/** The title of an operation's page if its author gave none. */
export function operationTitle(operation: ApiOperation): string {
  return textAt(operation.metadata, 'title') ?? operation.summary ?? defaultName(operation);
}

function pagePath(operation: ApiOperation, directory: string, root: string): string {
  const [, place = ''] = operation.href?.match(/^\/?([^:?#]+)/) ?? [];
  const customPath = withoutSlashes(place.replace(/\p{Cs}/gu, ''));
  if (customPath) return joinPath(root, customPath);
  const [tag] = operation.tags;
  const { summary, webhook, method, route } = operation;
  const name =
    summary !== undefined || webhook
      ? fileSlug(summary ?? route)
      : `${method.toLowerCase()}-${fileSlug(route)}`;
  return joinPath(directory, tag === undefined ? '' : fileSlug(tag), name);
}

function defaultName(operation: ApiOperation): string {
  return operation.webhook ? operation.route : `${operation.method} ${operation.route}`;
}

function joinPath(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

const MAX_SLUG_BYTES = 200;

/**
 * Returns a file name for a summary, a tag or a route as the hosted service makes it, so that
 * existing links lead to the page: spaces become hyphens, parameters (`{id}`) too, brackets, dots,
 * commas and slashes are removed, two hyphens become one. What a URL or a file name cannot have is
 * removed as well, and what nobody sees (control characters, halves of surrogate pairs).
 */
export function fileSlug(text: string): string {
  const slug = text
    .replaceAll(' ', '-')
    .replace(/\{[^{}\n]*\}/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/[{}(),.'/\s]/g, '')
    .replaceAll('--', '-')
    .replace(/[?#%:"*<>|\\^`[\]]|[^\P{C}\u200c\u200d]/gu, '')
    .toLowerCase();
  return shortened(slug) || 'untitled';
}

/** File names have at most 255 bytes; there must be room for a number and an extension. */
function shortened(slug: string): string {
  let bytes = 0;
  let end = 0;
  for (const letter of slug) {
    bytes += encodeUtf8(letter).length;
    if (bytes > MAX_SLUG_BYTES) break;
    end += letter.length;
  }
  return slug.slice(0, end);
}

/** Returns a path that no page has: with `-1`, `-2` … where another has the name. */
export function freePath(path: string, taken: Set<string>): string {
  let candidate = path;
  for (let number = 1; taken.has(candidate); number++) candidate = `${path}-${number}`;
  taken.add(candidate);
  return candidate;
}

/**
 * Returns where the operations of a tag appear in the menu: names of the surrounding groups,
 * outermost first.
 */
type TagPlaces = ReadonlyMap<string, readonly string[]>;

/**
 * Tags by name, with their groups: from `x-group`, otherwise from `summary` and `parent` of OpenAPI
 * 3.2.
 */
function tagPlaces(document: ApiDocument): TagPlaces {
  // AsyncAPI has them in `info`.
  const listed = [
    ...listAt(document.root, 'tags'),
    ...listAt(objectAt(document.root, 'info'), 'tags'),
  ];
  const tags = new Map(listed.map((tag) => [textAt(tag, 'name') ?? '', tag]));
  const places = new Map<string, string[]>();
  for (const name of tags.keys()) {
    const around: string[] = [];
    const seen = new Set<string>();
    for (
      let at: string | undefined = name;
      at !== undefined && !seen.has(at);
      at = textAt(tags.get(at), 'parent')
    ) {
      seen.add(at);
      around.unshift(textAt(tags.get(at), 'x-group') ?? textAt(tags.get(at), 'summary') ?? at);
    }
    places.set(name, around);
  }
  return places;
}
