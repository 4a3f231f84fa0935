import type { JsonObject, JsonValue } from './json-document.ts';
import { upgradeMintNavigation } from './upgrade-mint-navigation.ts';

/** The keys of the old file that mean something here; the others are reported like unknown settings. */
export const mintJsonKeys: ReadonlySet<string> = new Set(
  (
    '$schema name logo favicon colors theme layout background backgroundImage font modeToggle sidebar topbar search rounded ' +
    'codeBlock eyebrow navigation topbarLinks topbarCtaButton versions anchors topAnchor tabs primaryTab footer footerSocials ' +
    'feedback api openapi asyncapi integrations analytics redirects seo metadata isWhiteLabeled description banner variables'
  ).split(' '),
);

/** Where a setting of the upgraded file came from, so that messages can name what the author wrote. */
const ORIGINS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['navbar', 'links'], ['topbarLinks']],
  [['navbar', 'primary'], ['topbarCtaButton']],
  [['footer', 'socials'], ['footerSocials']],
  [['appearance'], ['modeToggle']],
  [
    ['background', 'color'],
    ['colors', 'background'],
  ],
  [['background', 'image'], ['backgroundImage']],
  [
    ['background', 'decoration'],
    ['background', 'style'],
  ],
  [['fonts'], ['font']],
  [
    ['styling', 'codeblocks'],
    ['codeBlock', 'mode'],
  ],
  [
    ['styling', 'eyebrows'],
    ['eyebrow', 'display'],
  ],
  [['api', 'openapi'], ['openapi']],
  [
    ['api', 'mdx', 'server'],
    ['api', 'baseUrl'],
  ],
  [
    ['api', 'mdx', 'auth'],
    ['api', 'auth'],
  ],
  [['seo', 'metatags'], ['metadata']],
];

/** The path in the old file of what stands at `path` in the upgraded one. */
export function mintJsonPath(path: readonly PropertyKey[]): PropertyKey[] {
  for (const [upgraded, original] of ORIGINS) {
    if (!upgraded.every((key, index) => path[index] === key)) continue;
    const rest = path.slice(upgraded.length);
    const isLink = original[0] === 'topbarLinks' || original[0] === 'topbarCtaButton';
    return [...original, ...rest.map((key) => (isLink && key === 'href' ? 'url' : isLink && key === 'label' ? 'name' : key))];
  }
  return [...path];
}

/**
 * Turns the content of the older `mint.json` into that of `docs.json`. Values are moved as they are, so that the checks of
 * docs.json find their faults; objects of the navigation keep their identity where they can.
 */
export function upgradeMintJson(old: JsonObject): JsonObject {
  const colors = asObject(old.colors);
  const upgraded: JsonObject = {
    theme: 'mint',
    navigation: upgradeMintNavigation(old),
    navbar: defined({ links: upgradeLinks(old.topbarLinks), primary: upgradeButton(old.topbarCtaButton) }),
    footer: defined({ ...asObject(old.footer), socials: asObject(old.footer)?.socials ?? upgradeSocials(old.footerSocials) }),
    background: defined({
      color: colors?.background,
      decoration: asObject(old.background)?.style,
      image: old.backgroundImage,
    }),
    styling: defined({ codeblocks: upgradeCodeBlock(old.codeBlock), eyebrows: asObject(old.eyebrow)?.display }),
    api: upgradeApi(old),
    seo: upgradeSeo(old),
  };
  for (const key of ['name', 'description', 'logo', 'favicon', 'colors', 'search', 'redirects', 'banner', 'variables']) {
    if (old[key] !== undefined) upgraded[key] = old[key];
  }
  const appearance = upgradeAppearance(old.modeToggle);
  if (appearance) upgraded.appearance = appearance;
  const fonts = upgradeFonts(old.font);
  if (fonts) upgraded.fonts = fonts;
  const scripts = old.integrations ?? old.analytics;
  if (scripts !== undefined) upgraded.integrations = scripts;
  return upgraded;
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function defined(values: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function upgradeLink(value: JsonValue): JsonValue {
  const link = asObject(value);
  if (!link) return value;
  const { name, url, ...rest } = link;
  return defined({ ...rest, label: name ?? rest.label, href: url ?? rest.href });
}

function upgradeLinks(links: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(links)) return links;
  return links.map((value) => {
    const link = upgradeLink(value);
    // The old type `link` is the plain one, which has no type now.
    if (asObject(link)?.type === 'link') delete (link as JsonObject).type;
    return link;
  });
}

function upgradeButton(button: JsonValue | undefined): JsonValue | undefined {
  const link = button === undefined ? undefined : asObject(upgradeLink(button));
  if (!link) return button;
  return { ...link, type: link.type === 'github' ? 'github' : 'button' };
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

function upgradeCodeBlock(value: JsonValue | undefined): JsonValue | undefined {
  const mode = asObject(value)?.mode;
  return mode === 'auto' ? 'system' : mode;
}

function upgradeAppearance(value: JsonValue | undefined): JsonValue | undefined {
  const toggle = asObject(value);
  return toggle ? defined({ default: toggle.default, strict: toggle.isHidden }) : value;
}

function upgradeFonts(value: JsonValue | undefined): JsonValue | undefined {
  const font = asObject(value);
  if (!font) return value;
  const { headings, url, ...rest } = font;
  return defined({ ...rest, heading: renameUrl(headings), body: renameUrl(font.body), source: url });
}

function renameUrl(value: JsonValue | undefined): JsonValue | undefined {
  const font = asObject(value);
  if (!font) return value;
  const { url, ...rest } = font;
  return defined({ ...rest, source: url });
}

function upgradeApi(old: JsonObject): JsonObject {
  const { baseUrl, auth, ...rest } = asObject(old.api) ?? {};
  return defined({ openapi: old.openapi, asyncapi: old.asyncapi, ...rest, mdx: defined({ server: baseUrl, auth }) });
}

function upgradeSeo(old: JsonObject): JsonObject {
  const indexing = asObject(old.seo)?.indexHiddenPages === true ? 'all' : undefined;
  return defined({ indexing, metatags: old.metadata });
}
