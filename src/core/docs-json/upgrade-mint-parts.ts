import type { JsonObject, JsonValue } from './json-document.ts';

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Returns the members that are present. */
export function defined(values: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** `font` of the old file: `url` is now `source`, and `headings` is `heading`. */
export function upgradeFonts(value: JsonValue | undefined): JsonValue | undefined {
  const font = asObject(value);
  if (!font) return value;
  const { headings, body, url, ...rest } = font;
  return defined({ ...rest, source: url, heading: renameUrl(headings), body: renameUrl(body) });
}

function renameUrl(value: JsonValue | undefined): JsonValue | undefined {
  const font = asObject(value);
  if (!font) return value;
  const { url, ...rest } = font;
  return defined({ ...rest, source: url });
}

/** The old names of the playground modes. */
const DISPLAYS = new Map<JsonValue | undefined, JsonValue>([
  ['show', 'interactive'],
  ['simple', 'simple'],
  ['hide', 'none'],
]);

/** `api`, and the descriptions at the root of the old file. */
export function upgradeApi(old: JsonObject): JsonObject {
  const { baseUrl, auth, playground, request, paramFields, ...rest } = asObject(old.api) ?? {};
  const { inputPrefix, ...method } = asObject(auth) ?? {};
  return defined({
    openapi: old.openapi,
    asyncapi: old.asyncapi,
    ...withoutMembers(rest, ['maintainOrder']),
    playground: upgradePlayground(playground),
    params: filled({ expanded: upgradeExpanded(asObject(paramFields)?.expanded) }),
    examples: filled({ languages: asObject(asObject(request)?.example)?.languages }),
    mdx: filled({ server: baseUrl, auth: asObject(auth) ? method : auth }),
  });
}

function upgradePlayground(value: JsonValue | undefined): JsonValue | undefined {
  const playground = asObject(value);
  if (!playground) return value;
  const { mode, disableProxy, ...rest } = playground;
  return filled({ ...rest, display: DISPLAYS.get(mode) ?? mode, proxy: disableProxy === true ? false : undefined });
}

function upgradeExpanded(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  return value === 'all' || value === true ? 'all' : 'closed';
}

function filled(values: Record<string, JsonValue | undefined>): JsonObject | undefined {
  const object = defined(values);
  return Object.keys(object).length > 0 ? object : undefined;
}

function withoutMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** `seo`, and the tags that the old file had in `metadata`. */
export function upgradeSeo(old: JsonObject): JsonObject {
  const { indexHiddenPages, indexAllHiddenPages, ...rest } = asObject(old.seo) ?? {};
  const indexing = indexHiddenPages === true || indexAllHiddenPages === true ? 'all' : undefined;
  return defined({ ...rest, indexing, metatags: old.metadata });
}
