import type { JsonObject, JsonValue } from './json-document.ts';
import { banner, footer, navbar } from './settings/header-footer.ts';
import type { SettingsReader } from './settings-reader.ts';
import type { LanguageParts, SiteConfig } from './site-config.ts';

/** Languages are at the top or inside products and the like, never deep. */
const DEEPEST = 12;

/** Reads the header, the footer and the banner that languages of the navigation override. */
export function readLanguageParts(navigation: JsonValue, reader: SettingsReader): NonNullable<SiteConfig['byLanguage']> {
  const found: NonNullable<SiteConfig['byLanguage']> = [];
  const names = new Set<string>();
  for (const { item, path } of languagesIn(navigation, ['navigation'], 0)) {
    const { language } = item;
    if (typeof language !== 'string' || names.has(language)) continue;
    const parts = partsOf(item, path, reader);
    if (Object.keys(parts).length === 0) continue;
    names.add(language);
    found.push({ language: language.trim(), parts });
  }
  return found;
}

function partsOf(item: JsonObject, path: PropertyKey[], reader: SettingsReader): LanguageParts {
  const parts: LanguageParts = {};
  if (item.navbar !== undefined) parts.navbar = reader.readPart([...path, 'navbar'], item.navbar, navbar);
  if (item.footer !== undefined) parts.footer = reader.readPart([...path, 'footer'], item.footer, footer);
  if (item.banner !== undefined) parts.banner = reader.readPart([...path, 'banner'], item.banner, banner);
  // An invalid part was reported; the site's own applies instead.
  for (const key of ['navbar', 'footer', 'banner'] as const) if (parts[key] === undefined) delete parts[key];
  return parts;
}

function* languagesIn(
  value: JsonValue,
  path: PropertyKey[],
  depth: number,
): Generator<{ item: JsonObject; path: PropertyKey[] }> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* languagesIn(item, [...path, index], depth + 1);
    return;
  }
  if (typeof value.language === 'string') yield { item: value, path };
  for (const key of ['languages', 'versions', 'products', 'dropdowns', 'anchors', 'tabs']) {
    if (Array.isArray(value[key])) yield* languagesIn(value[key], [...path, key], depth + 1);
  }
}
