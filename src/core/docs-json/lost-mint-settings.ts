import type { JsonObject, JsonValue } from './json-document.ts';

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
export function lostSettings(old: JsonObject): { path: PropertyKey[]; instead: string }[] {
  return LOST.map(([path, instead]) => ({ path: path.split('.'), instead })).filter(({ path }) => isSet(old, path));
}

function isSet(value: JsonValue | undefined, path: readonly string[]): boolean {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, key)) return false;
    found = found[key];
  }
  return found !== undefined && found !== false;
}
