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

/** `footer`, and the accounts that the oldest files list beside it. */
export function upgradeFooter(old: JsonObject): JsonObject {
  const { socials, links, ...rest } = asObject(old.footer) ?? {};
  return defined({
    ...rest,
    socials: upgradeSocials(socials ?? old.footerSocials),
    links: Array.isArray(links) ? links.map(upgradeFooterColumn) : links,
  });
}

function upgradeFooterColumn(value: JsonValue): JsonValue {
  const column = asObject(value);
  if (!column) return value;
  const { title, links, ...rest } = column;
  const items = Array.isArray(links) ? links.map(upgradeFooterLink) : links;
  return defined({ ...rest, header: title ?? rest.header, items: items ?? rest.items });
}

function upgradeFooterLink(value: JsonValue): JsonValue {
  const link = asObject(value);
  if (!link) return value;
  const { name, url, ...rest } = link;
  return defined({ ...rest, label: rest.label ?? name, href: url ?? rest.href });
}

/** The oldest files list accounts as `[{type, url}]`. */
function upgradeSocials(socials: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(socials)) return socials;
  return Object.fromEntries(
    socials.flatMap((value): [string, JsonValue][] => {
      const { type, url } = asObject(value) ?? {};
      return typeof type === 'string' && url !== undefined ? [[type, url]] : [];
    }),
  );
}

/** The member that now has the value which the old file gave alone. */
const ONLY_MEMBERS = new Map([
  ['intercom', 'appId'],
  ['frontchat', 'snippetId'],
  ['osano', 'scriptSource'],
]);

/** `analytics` and `integrations` of the old file are now one. */
export function upgradeIntegrations(old: JsonObject): JsonValue | undefined {
  const integrations = asObject(old.integrations);
  if (!integrations) return old.integrations ?? old.analytics;
  const upgraded = Object.entries(integrations).map(([name, value]): [string, JsonValue] => {
    const member = ONLY_MEMBERS.get(name);
    return [name, member !== undefined && typeof value === 'string' ? { [member]: value } : value];
  });
  return { ...asObject(old.analytics), ...Object.fromEntries(upgraded) };
}
