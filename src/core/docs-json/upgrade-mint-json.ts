import type { JsonObject, JsonValue } from './json-document.ts';
import {
  asObject,
  defined,
  LINK_NAMES,
  renamed,
  upgradeApi,
  upgradeFonts,
  upgradeFooter,
  upgradeIntegrations,
  upgradeMintNavigation,
  upgradeSeo,
} from './upgrade-mint-parts.ts';

/** The supported keys of the old file; others are reported as unknown settings. */
export const mintJsonKeys: ReadonlySet<string> = new Set(
  (
    '$schema name logo favicon colors theme layout background backgroundImage font modeToggle sidebar topbar search rounded ' +
    'codeBlock eyebrow navigation topbarLinks topbarCtaButton versions anchors topAnchor tabs primaryTab footer footerSocials ' +
    'feedback api openapi asyncapi integrations analytics redirects seo metadata isWhiteLabeled description banner variables'
  ).split(' '),
);

/** Settings of the upgraded file and their origin, so that messages can name what the author wrote. */
const ORIGINS = [
  ['navbar.links', 'topbarLinks'],
  ['navbar.primary', 'topbarCtaButton'],
  ['footer.socials', 'footerSocials'],
  ['appearance', 'modeToggle'],
  ['background.color', 'colors.background'],
  ['background.image', 'backgroundImage'],
  ['background.decoration', 'background.style'],
  ['fonts', 'font'],
  ['styling.codeblocks', 'codeBlock.mode'],
  ['styling.eyebrows', 'eyebrow.display'],
  ['api.openapi', 'openapi'],
  ['api.mdx.server', 'api.baseUrl'],
  ['api.mdx.auth', 'api.auth'],
  ['api.examples.languages', 'api.request.example.languages'],
  ['api.params.expanded', 'api.paramFields.expanded'],
  ['seo.metatags', 'metadata'],
  ['seo.indexing', 'seo.indexHiddenPages'],
] as const;

/** Lists and objects of the old file that became part of another setting as a whole. */
const MOVED_INTO = [
  ...['tabs', 'anchors', 'versions', 'topAnchor', 'primaryTab'].map((key) => ['navigation', key] as const),
  ['integrations', 'analytics'],
] as const;

/** The settings of an old file with a new name or place. */
export function movedSettings(old: JsonObject): { from: string; to: string }[] {
  return [...ORIGINS, ...MOVED_INTO]
    .filter(([, from]) => valueAt(old, from.split('.')) !== undefined)
    .map(([to, from]) => ({ from, to }));
}

function valueAt(old: JsonObject, path: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = old;
  for (const key of path) {
    const object = asObject(found);
    found = object && Object.hasOwn(object, key) ? object[key] : undefined;
  }
  return found;
}

/** What columns of links and their links are called in the old file. */
const FOOTER_NAMES = new Map<PropertyKey, PropertyKey>([
  ['header', 'title'],
  ['items', 'links'],
  ['href', 'url'],
]);

/** Returns the path in the old file of the value at `path` in the upgraded one. */
export function mintJsonPath(path: readonly PropertyKey[], old: JsonObject): PropertyKey[] {
  if (path[0] === 'integrations' && asObject(old.analytics)?.[String(path[1])] !== undefined)
    return ['analytics', ...path.slice(1)];
  if (path[0] === 'footer' && path[1] === 'links')
    return path.map((key, depth) => (depth > 2 ? (FOOTER_NAMES.get(key) ?? key) : key));
  for (const [upgraded, original] of ORIGINS) {
    const keys = upgraded.split('.');
    if (!keys.every((key, index) => path[index] === key)) continue;
    const rest = path.slice(keys.length);
    const isLink = original === 'topbarLinks' || original === 'topbarCtaButton';
    return [
      ...original.split('.'),
      ...rest.map((key) => (isLink && key === 'href' ? 'url' : isLink && key === 'label' ? 'name' : key)),
    ];
  }
  return [...path];
}

/** The themes of the old file by their new names. */
const THEMES = new Map<JsonValue | undefined, string>([
  ['venus', 'mint'],
  ['quill', 'maple'],
  ['prism', 'palm'],
]);

/** An older configuration in the form of docs.json. */
export interface UpgradedConfig {
  settings: JsonObject;
  /** What has no counterpart, by its path in the old file, and what applies instead. */
  lost: { path: PropertyKey[]; instead: string }[];
}

/**
 * Converts the content of the older `mint.json` to that of `docs.json`. Values are moved unchanged, so that the checks of
 * docs.json find their faults; objects of the navigation keep their identity if possible.
 */
export function upgradeMintJson(old: JsonObject): UpgradedConfig {
  const settings: JsonObject = { theme: THEMES.get(old.theme) ?? 'mint' };
  const put = (key: string, value: JsonValue | undefined): void => {
    if (value !== undefined && !isEmptyObject(value)) settings[key] = value;
  };
  for (const key of ['name', 'description', 'logo', 'favicon', 'redirects', 'banner', 'variables', 'feedback'])
    put(key, old[key]);
  put('colors', upgradeColors(old.colors));
  put('appearance', upgradeAppearance(old.modeToggle));
  put('fonts', upgradeFonts(old.font));
  put('background', upgradeBackground(old));
  put('styling', defined({ eyebrows: asObject(old.eyebrow)?.display, codeblocks: upgradeCodeBlock(old.codeBlock) }));
  put('navbar', defined({ links: upgradeLinks(old.topbarLinks), primary: upgradeButton(old.topbarCtaButton) }));
  put('footer', upgradeFooter(old));
  put('api', upgradeApi(old));
  put('seo', upgradeSeo(old));
  put('search', upgradeSearch(old.search));
  put('integrations', upgradeIntegrations(old));
  settings.navigation = upgradeMintNavigation(old);
  return { settings, lost: lostSettings(old) };
}

function isEmptyObject(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** The background colors moved to "background"; those of anchors and the shades are now computed. */
function upgradeColors(value: JsonValue | undefined): JsonValue | undefined {
  const colors = asObject(value);
  if (!colors) return value;
  const { background, anchors, ultraLight, ultraDark, ...rest } = colors;
  return rest;
}

function upgradeBackground(old: JsonObject): JsonObject {
  return defined({
    decoration: asObject(old.background)?.style,
    color: asObject(old.colors)?.background,
    image: old.backgroundImage,
  });
}

function upgradeSearch(value: JsonValue | undefined): JsonValue | undefined {
  const search = asObject(value);
  return search ? defined({ prompt: search.prompt }) : value;
}

function upgradeLink(value: JsonValue): JsonValue {
  const link = asObject(value);
  if (!link) return value;
  const { style, arrow, ...rest } = link;
  return renamed(rest, LINK_NAMES);
}

function upgradeLinks(links: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(links)) return links;
  return links.map((value) => {
    const link = upgradeLink(value);
    // The old type `link` is the default, which now has no type.
    if (asObject(link)?.type === 'link') delete (link as JsonObject).type;
    return link;
  });
}

function upgradeButton(button: JsonValue | undefined): JsonValue | undefined {
  const link = button === undefined ? undefined : asObject(upgradeLink(button));
  if (!link) return button;
  return { ...link, type: link.type === 'github' ? 'github' : 'button' };
}

function upgradeCodeBlock(value: JsonValue | undefined): JsonValue | undefined {
  const mode = asObject(value)?.mode;
  return mode === 'auto' ? 'system' : mode;
}

function upgradeAppearance(value: JsonValue | undefined): JsonValue | undefined {
  const toggle = asObject(value);
  return toggle ? defined({ default: toggle.default, strict: toggle.isHidden }) : value;
}

const LAYOUT = 'the layout comes from "theme"';
const MADE = 'the colors derive from "primary", "light" and "dark"';

/** Settings of the old file without a counterpart, and what applies instead. */
const LOST: readonly (readonly [path: string, instead: string])[] = [
  ['layout', LAYOUT],
  ['topbar', LAYOUT],
  ['sidebar', LAYOUT],
  ['rounded', LAYOUT],
  ['search.location', LAYOUT],
  ['topbarCtaButton.style', LAYOUT],
  ['topbarCtaButton.arrow', LAYOUT],
  ['colors.anchors', MADE],
  ['colors.ultraLight', MADE],
  ['colors.ultraDark', MADE],
  ['isWhiteLabeled', 'pages do not mention the platform'],
  ['api.maintainOrder', 'operations keep the order of the file'],
  ['api.auth.inputPrefix', 'pages show the request with examples, but do not send it'],
];

/** Returns what of an old file cannot be migrated, by its path. */
function lostSettings(old: JsonObject): { path: PropertyKey[]; instead: string }[] {
  return LOST.map(([path, instead]) => ({ path: path.split('.'), instead })).filter(({ path }) => {
    const value = valueAt(old, path);
    return value !== undefined && value !== false;
  });
}
