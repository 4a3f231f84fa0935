import type { JsonObject, JsonValue } from '../json-document.ts';

/** A tab or an anchor of the old file that owns the pages below its path. */
interface Section {
  /** Prefix of its page paths; ends in a slash. */
  prefix: string;
  node: JsonObject;
  version: JsonValue | undefined;
  groups: JsonObject[];
}

/**
 * The old file has one flat list of groups and separate lists of tabs, anchors and versions; a
 * group belongs to the tab and the anchor whose path is a prefix of its first page. This builds one
 * tree from them.
 */
export function upgradeMintNavigation(old: JsonObject): JsonValue {
  if (!Array.isArray(old.navigation)) return old.navigation ?? {};
  const groups = old.navigation.filter(isObject);
  const versions = list(old.versions)
    .map(versionOf)
    .filter((version) => version !== undefined);
  const divided =
    versions.length === 0
      ? divide(old, groups, undefined)
      : {
          versions: versions.map((version) => ({
            ...version.node,
            ...divide(
              old,
              groups.filter((group) => belongsTo(group, version.name)),
              version.name,
            ),
          })),
        };
  const links = linksOf(old, old.anchors);
  if (links.length === 0) return divided;
  return {
    ...divided,
    global: {
      anchors: links.map((anchor) => ({
        ...divisionNode('anchor', anchor),
        href: anchor.url as JsonValue,
      })),
    },
  };
}

/** Tabs first, anchors inside them, then the groups. */
function divide(old: JsonObject, groups: JsonObject[], version: string | undefined): JsonObject {
  const tabs = sectionsOf('tab', old.tabs, version);
  const links = linksOf(old, old.tabs)
    .filter((tab) => isOfVersion(tab, version))
    .map((tab): JsonObject => ({ ...divisionNode('tab', tab), href: tab.url as JsonValue }));
  if (tabs.length + links.length === 0) return divideByAnchors(old, groups, version);
  const rest = assign(groups, tabs);
  const first = {
    tab: nameOf(old.primaryTab, 'Documentation'),
    ...divideByAnchors(old, rest, version),
  };
  const others = tabs
    .filter(hasContent)
    .map((tab) => ({ ...tab.node, ...divideByAnchors(old, tab.groups, version) }));
  return { tabs: [...(rest.length > 0 ? [first] : []), ...others, ...links] };
}

function divideByAnchors(
  old: JsonObject,
  groups: JsonObject[],
  version: string | undefined,
): JsonObject {
  const anchors = sectionsOf('anchor', old.anchors, version);
  const rest = assign(groups, anchors);
  const used = anchors.filter(hasContent);
  if (used.length === 0) return groups.length > 0 ? { groups } : {};
  const top = isObject(old.topAnchor) ? old.topAnchor : {};
  const first: JsonObject = {
    anchor: nameOf(top, 'Documentation'),
    icon: top.icon ?? 'book-open',
    groups: rest,
  };
  const others = used.map((anchor) => ({
    ...anchor.node,
    ...(anchor.groups.length > 0 ? { groups: anchor.groups } : {}),
  }));
  return { anchors: rest.length > 0 ? [first, ...others] : others };
}

/**
 * Returns the tabs or anchors that only link: to another site, or to a path that no group belongs
 * to.
 */
function linksOf(old: JsonObject, divisions: JsonValue | undefined): JsonObject[] {
  const pages = list(old.navigation)
    .filter(isObject)
    .map((group) => `${firstPage(group, 0)}/`);
  return list(divisions)
    .filter(isObject)
    .filter(({ url, openapi }) => {
      if (typeof url !== 'string') return false;
      return (
        isExternal({ url }) ||
        (openapi === undefined && !pages.some((page) => page.startsWith(prefixOf(url))))
      );
    });
}

function isOfVersion(division: JsonObject, version: string | undefined): boolean {
  return division.version === undefined || version === undefined || division.version === version;
}

function hasContent(section: Section): boolean {
  return section.groups.length > 0 || section.node.openapi !== undefined;
}

/**
 * Assigns each group to the section with the longest path that its first page starts with; returns
 * the remaining groups.
 */
function assign(groups: JsonObject[], sections: Section[]): JsonObject[] {
  return groups.filter((group) => {
    const page = `${firstPage(group, 0)}/`;
    const owner = sections
      .filter((section) => page.startsWith(section.prefix))
      .reduce<Section | undefined>(
        (best, candidate) =>
          best && best.prefix.length >= candidate.prefix.length ? best : candidate,
        undefined,
      );
    owner?.groups.push(group);
    return owner === undefined;
  });
}

function firstPage(group: JsonObject, depth: number): string {
  for (const entry of list(group.pages)) {
    if (typeof entry === 'string') return trimSlashes(entry);
    const page = isObject(entry) && depth < 50 ? firstPage(entry, depth + 1) : '';
    if (page !== '') return page;
  }
  return '';
}

function sectionsOf(
  kind: 'tab' | 'anchor',
  value: JsonValue | undefined,
  version: string | undefined,
): Section[] {
  return list(value)
    .filter(isObject)
    .filter((division) => typeof division.url === 'string' && !isExternal(division))
    .filter((division) => isOfVersion(division, version))
    .map((division) => ({
      prefix: prefixOf(division.url as string),
      node: divisionNode(kind, division),
      version: division.version,
      groups: [],
    }));
}

function divisionNode(kind: 'tab' | 'anchor', old: JsonObject): JsonObject {
  const { name, url, version, isDefaultHidden, color, ...rest } = old;
  const node: JsonObject = { ...rest, [kind]: name ?? url ?? '' };
  if (isDefaultHidden === true) node.hidden = true;
  if (typeof color === 'string') node.color = { light: color, dark: color };
  return node;
}

function versionOf(value: JsonValue): { name: string; node: JsonObject } | undefined {
  if (typeof value === 'string') return { name: value, node: { version: value } };
  if (!isObject(value) || typeof value.name !== 'string') return undefined;
  const node: JsonObject =
    typeof value.locale === 'string'
      ? { version: value.name, tag: value.locale }
      : { version: value.name };
  if (value.default === true) node.default = true;
  return { name: value.name, node };
}

/** A group without a version belongs to all of them. */
function belongsTo(group: JsonObject, version: string): boolean {
  return group.version === undefined || group.version === version;
}

function nameOf(value: JsonValue | undefined, fallback: string): string {
  return isObject(value) && typeof value.name === 'string' ? value.name : fallback;
}

function isExternal(anchor: JsonObject): boolean {
  return typeof anchor.url === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(anchor.url);
}

function prefixOf(url: string): string {
  return `${trimSlashes(url)}/`;
}

function trimSlashes(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns the members that are present. */
function defined(values: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Members of links by their old and new names. */
export const LINK_NAMES = { name: 'label', url: 'href' };

/** Returns an object with some members under their new names; other values stay. */
export function renamed(value: JsonValue, names: Readonly<Record<string, string>>): JsonValue {
  const object = asObject(value);
  if (!object) return value;
  const kept = Object.entries(object).filter(([name]) => !Object.hasOwn(names, name));
  const moved = Object.entries(names).map(([from, to]) => [to, object[from] ?? object[to]]);
  return defined(Object.fromEntries([...kept, ...moved]));
}

/** A link in the header. The old type `link` is the default, which now has no type. */
export function upgradeLink(value: JsonValue): JsonValue {
  const link = asObject(value);
  if (!link) return value;
  const { style, arrow, type, ...rest } = link;
  return renamed(type === undefined || type === 'link' ? rest : { ...rest, type }, LINK_NAMES);
}

export function upgradeButton(value: JsonValue): JsonValue {
  const link = asObject(upgradeLink(value));
  return link ? { ...link, type: link.type === 'github' ? 'github' : 'button' } : value;
}

/** `font` of the old file: `url` is now `source`, and `headings` is `heading`. */
export function upgradeFonts(value: JsonValue): JsonValue {
  const font = asObject(value);
  if (!font) return value;
  const { headings, body, url, ...rest } = font;
  return defined({ ...rest, source: url, heading: renameUrl(headings), body: renameUrl(body) });
}

function renameUrl(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? undefined : renamed(value, { url: 'source' });
}

/** The old names of the playground modes. */
const DISPLAYS = new Map<JsonValue | undefined, JsonValue>([
  ['show', 'interactive'],
  ['simple', 'simple'],
  ['hide', 'none'],
]);

/** `proxy` replaces its opposite, `disableProxy`. */
export function upgradePlayground(value: JsonValue): JsonValue {
  const playground = asObject(value);
  if (!playground) return value;
  const { mode, disableProxy, ...rest } = playground;
  return defined({
    ...rest,
    display: DISPLAYS.get(mode) ?? mode,
    proxy: disableProxy === true ? false : undefined,
  });
}

export function upgradeFooterColumn(value: JsonValue): JsonValue {
  const links = asObject(value)?.links;
  const column = Array.isArray(links)
    ? { ...asObject(value), links: links.map((link) => renamed(link, LINK_NAMES)) }
    : value;
  return renamed(column, { title: 'header', links: 'items' });
}

/** The oldest files list accounts as `[{type, url}]`. */
export function upgradeSocials(socials: JsonValue): JsonValue {
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
