import type { JsonObject, JsonValue } from '../json-document.ts';
import {
  asObject,
  LINK_NAMES,
  renamed,
  upgradeButton,
  upgradeFonts,
  upgradeFooterColumn,
  upgradeIntegrations,
  upgradeLink,
  upgradeMintNavigation,
  upgradePlayground,
  upgradeSocials,
} from './upgrade-mint-parts.ts';

/** The supported keys of the old file; others are reported as unknown settings. */
export const mintJsonKeys: ReadonlySet<string> = new Set(
  (
    '$schema name logo favicon colors theme layout background backgroundImage font modeToggle sidebar topbar search rounded ' +
    'codeBlock eyebrow navigation topbarLinks topbarCtaButton versions anchors topAnchor tabs primaryTab footer footerSocials ' +
    'feedback api openapi asyncapi integrations analytics redirects seo metadata isWhiteLabeled description banner variables'
  ).split(' '),
);

/** A setting with another name, place or form in the old file. */
interface Move {
  to: string;
  from: string;
  /** Members by their old and new names. */
  names?: Readonly<Record<string, string>>;
  /**
   * Returns undefined if the old value is the default of the new setting. By default, renames the
   * members.
   */
  upgrade?: (value: JsonValue) => JsonValue | undefined;
}

const whetherAll = (value: JsonValue) => (value === true ? 'all' : undefined);
const eachOf = (upgrade: (item: JsonValue) => JsonValue) => (value: JsonValue) =>
  Array.isArray(value) ? value.map(upgrade) : value;

/** Of two with the same place, the first one counts. Messages name what the author wrote. */
const MOVES: readonly Move[] = [
  { to: 'navbar.links', from: 'topbarLinks', names: LINK_NAMES, upgrade: eachOf(upgradeLink) },
  { to: 'navbar.primary', from: 'topbarCtaButton', names: LINK_NAMES, upgrade: upgradeButton },
  { to: 'footer.socials', from: 'footer.socials', upgrade: upgradeSocials },
  { to: 'footer.socials', from: 'footerSocials', upgrade: upgradeSocials },
  {
    to: 'footer.links',
    from: 'footer.links',
    names: { title: 'header', links: 'items', url: 'href' },
    upgrade: eachOf(upgradeFooterColumn),
  },
  { to: 'appearance', from: 'modeToggle', names: { isHidden: 'strict' } },
  { to: 'background.color', from: 'colors.background' },
  { to: 'background.image', from: 'backgroundImage' },
  { to: 'background.decoration', from: 'background.style' },
  {
    to: 'fonts',
    from: 'font',
    names: { headings: 'heading', url: 'source' },
    upgrade: upgradeFonts,
  },
  {
    to: 'styling.codeblocks',
    from: 'codeBlock.mode',
    upgrade: (mode) => (mode === 'auto' ? 'system' : mode),
  },
  { to: 'styling.eyebrows', from: 'eyebrow.display' },
  { to: 'api.openapi', from: 'openapi' },
  { to: 'api.asyncapi', from: 'asyncapi' },
  {
    to: 'api.playground',
    from: 'api.playground',
    names: { mode: 'display' },
    upgrade: upgradePlayground,
  },
  { to: 'api.mdx.server', from: 'api.baseUrl' },
  { to: 'api.mdx.auth', from: 'api.auth' },
  { to: 'api.examples.languages', from: 'api.request.example.languages' },
  {
    to: 'api.params.expanded',
    from: 'api.paramFields.expanded',
    upgrade: (value) => (value === 'all' || value === true ? 'all' : 'closed'),
  },
  { to: 'seo.metatags', from: 'metadata' },
  { to: 'seo.metatags', from: 'seo.metatags' },
  { to: 'seo.indexing', from: 'seo.indexHiddenPages', upgrade: whetherAll },
  { to: 'seo.indexing', from: 'seo.indexAllHiddenPages', upgrade: whetherAll },
];

/** Lists and objects of the old file that became part of another setting as a whole. */
const MOVED_INTO = [
  ...['tabs', 'anchors', 'versions', 'topAnchor', 'primaryTab'].map((from) => ({
    to: 'navigation',
    from,
  })),
  { to: 'integrations', from: 'analytics' },
];

/** The new places of settings of the old file, for authors who mix the two. */
export const newPlaces: ReadonlyMap<string | undefined, string> = new Map([
  ...[...MOVES, ...MOVED_INTO].map(({ to, from }) => [from.split('.')[0], to] as const),
  ...['tabs', 'anchors', 'versions'].map((name) => [name, `navigation.${name}`] as const),
]);

/** The settings of an old file with a new name or place. */
export function movedSettings(old: JsonObject): { from: string; to: string }[] {
  return [...MOVES, ...MOVED_INTO]
    .filter(({ to, from }) => to !== from && valueAt(old, from.split('.')) !== undefined)
    .map(({ to, from }) => ({ from, to }));
}

function valueAt(old: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, key) => {
    const object = asObject(value);
    return object && Object.hasOwn(object, key) ? object[key] : undefined;
  }, old);
}

/** Returns the path in the old file of the value at `path` in the upgraded one. */
export function mintJsonPath(path: readonly PropertyKey[], old: JsonObject): PropertyKey[] {
  if (path[0] === 'integrations' && asObject(old.analytics)?.[String(path[1])] !== undefined)
    return ['analytics', ...path.slice(1)];
  for (const { to, from, names = {} } of MOVES) {
    const [keys, original] = [to.split('.'), from.split('.')];
    if (!keys.every((key, index) => path[index] === key) || valueAt(old, original) === undefined)
      continue;
    const written = new Map<PropertyKey, string>(
      Object.entries(names).map(([name, renamed]) => [renamed, name]),
    );
    return [...original, ...path.slice(keys.length).map((key) => written.get(key) ?? key)];
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
 * Converts the content of the older `mint.json` to that of `docs.json`. Values are moved unchanged,
 * so that the checks of docs.json find their faults; objects of the navigation keep their identity
 * if possible.
 */
export function upgradeMintJson(old: JsonObject): UpgradedConfig {
  const settings: JsonObject = { theme: THEMES.get(old.theme) ?? 'mint' };
  const rest = JSON.parse(JSON.stringify(old)) as JsonObject;
  const lost = LOST.map(([path, instead]) => ({ path: path.split('.'), instead })).filter(
    ({ path }) => {
      const value = take(rest, path);
      return value !== undefined && value !== false;
    },
  );
  const moved = MOVES.map((move) => ({ ...move, value: take(rest, move.from.split('.')) }));
  for (const path of DROPPED) take(rest, path.split('.'));
  for (const key of KEPT) if (rest[key] !== undefined) settings[key] = rest[key];
  for (const {
    to,
    value,
    names = {},
    upgrade = (value: JsonValue) => renamed(value, names),
  } of moved) {
    const upgraded = value === undefined ? undefined : upgrade(value);
    if (upgraded !== undefined) put(settings, to.split('.'), upgraded);
  }
  const integrations = upgradeIntegrations(old);
  if (integrations !== undefined) settings.integrations = integrations;
  settings.navigation = upgradeMintNavigation(old);
  return { settings, lost };
}

/** Removes the value at the path, and returns it. */
function take(object: JsonObject, [key = '', ...inner]: readonly string[]): JsonValue | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  const part = asObject(value);
  if (inner.length > 0) return part && take(part, inner);
  delete object[key];
  return value;
}

/** Adds a value at the path, unless there is one. */
function put(object: JsonObject, [key = '', ...inner]: readonly string[], value: JsonValue): void {
  if (inner.length === 0) object[key] ??= value;
  else {
    const part = asObject(object[key]) ?? {};
    object[key] = part;
    put(part, inner, value);
  }
}

/** Settings with the same name and place. */
const KEPT =
  'name description logo favicon redirects banner variables feedback colors footer api seo search'.split(
    ' ',
  );
/** What contained a moved setting, and nothing else that still exists. */
const DROPPED = ['api.request', 'api.paramFields'];

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
