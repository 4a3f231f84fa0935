import * as z from 'zod';
import { about, orShort, SHORT_TEXT } from './annotations.ts';
import type { LightDark, OpenApiSource, SymbolSource } from './setting-types.ts';

// Without flags, so that the JSON Schema for editors can use the same pattern.
const HEX_COLOR = /^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const LINK_SCHEMES = new Set([
  'http',
  'https',
  'mailto',
  'tel',
  'sms',
  'slack',
  'vscode',
  'cursor',
]);
const COLOR_TEXT = 'a hex color such as "#0D9373"';
const HREF_TEXT = 'a site path such as "/quickstart" or an https, mailto or tel URL';
const ASSET_TEXT = 'the path of a file such as "/images/logo.svg" or an https URL';

/** A text that is not empty. */
export const filledText = z
  .string({ error: 'a text' })
  .trim()
  .min(1, { error: 'a non-empty string' });

/** Colors end up in style sheets, so only hex digits are allowed. */
export const hexColor = z
  .string({ error: COLOR_TEXT })
  .trim()
  .regex(HEX_COLOR, { error: COLOR_TEXT });

/**
 * Returns an allowed link address, or undefined if its scheme could run code or start programs.
 * Browsers ignore control characters and blanks in schemes, so they are removed first.
 */
export function safeHref(text: string): string | undefined {
  const href = text.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase();
  return href === '' || (scheme !== undefined && !LINK_SCHEMES.has(scheme)) ? undefined : href;
}

/**
 * A text in the form that `read` returns.
 * @param expected what it should be, if `read` returns undefined
 */
export function readableText<T>(expected: string, read: (text: string) => T | undefined) {
  return z.string({ error: expected }).transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: expected, input: text });
    return z.NEVER;
  });
}

/** A link: adds the leading slash of a site path. */
export const href = readableText(HREF_TEXT, (text) => {
  const safe = safeHref(text);
  return safe === undefined ? undefined : withLeadingSlash(safe);
});

/** Adds the slash to `guides/start`; absolute URLs, anchors and queries stay. */
export function withLeadingSlash(target: string): string {
  return SCHEME.test(target) || /^[/#?]/.test(target)
    ? target
    : `/${target.replace(/^(?:\.\/)+/, '')}`;
}

/** A file of the site as `/path`, or an http(s) address. */
export const assetPath = readableText(ASSET_TEXT, (text) => {
  const path = normalizeSpecPath(text);
  return path === undefined || /^https?:\/\//i.test(path) ? path : `/${path}`;
});

/** The names in a relative path; undefined if it leaves the folder that it starts in. */
export function pathParts(path: string): string[] | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts;
}

/** An icon: its name, or `{name, style, library}`. */
export const icon = about(
  z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null && 'name' in value ? value.name : value,
    z.string({ error: 'the name of an icon' }),
  ),
  'The name of an icon, the path of an image, or a URL.',
);

/** The style of an icon; libraries with only one style have none. */
export const iconType = about(
  z.string({ error: 'the style of an icon' }),
  'The style of the icon, if its library has several.',
);

/** An absolute URL. */
export const httpAddress = filledText.regex(/^[hH][tT][tT][pP][sS]?:\/\//, {
  error: 'an http or https URL',
});

/** A list whose invalid items can be dropped: `parseLeniently` leaves holes. */
export function listOf<T>(item: z.ZodType<T>) {
  return z
    .array(item.optional())
    .transform((items) =>
      items.filter((entry): entry is Exclude<typeof entry, undefined> => entry !== undefined),
    );
}

/** The two members of `{light, dark}`. */
export function lightDarkFields(item: z.ZodType<string>, what: string) {
  return {
    light: about(item, `${what} in light mode.`).optional(),
    dark: about(item, `${what} in dark mode.`).optional(),
  };
}

/** Copies the given half to the missing one; a fault if both are missing. */
export function requireOneOfBoth(
  both: { light?: string; dark?: string },
  context: z.RefinementCtx,
): LightDark {
  const fallback = both.light ?? both.dark;
  if (fallback !== undefined) return { light: both.light ?? fallback, dark: both.dark ?? fallback };
  context.issues.push({
    code: 'custom',
    message: 'a string or an object with "light" and "dark"',
    input: undefined,
  });
  return z.NEVER;
}

/** One value for both appearances, or `{light, dark}`; a missing half equals the other. */
export function lightDark(item: z.ZodType<string>, what: string): z.ZodType<LightDark> {
  const both = z.preprocess(
    (value) => (typeof value === 'string' ? { light: value, dark: value } : value),
    z.object(lightDarkFields(item, what)).transform(requireOneOfBoth),
  );
  return orShort(both, SHORT_TEXT);
}

const SPEC_TEXT = 'the path of a JSON or YAML file in the documentation, or an https URL';

const specPath = readableText(SPEC_TEXT, normalizeSpecPath);

/**
 * The location of an API description without leading slash or `./`; undefined if it leaves the
 * tree. URLs stay.
 */
export function normalizeSpecPath(text: string): string | undefined {
  const path = text.trim();
  if (/^https?:\/\//i.test(path)) return path;
  if (/^\/\/[^/]/.test(path)) return `https:${path}`;
  const parts = pathParts(path);
  return parts === undefined || parts.length === 0 || SCHEME.test(path)
    ? undefined
    : parts.join('/');
}

/** `a/b` for `/a/./b/`: a folder of the site without leading and trailing slashes. */
const directory = readableText('a site folder such as "api-reference"', (text) =>
  pathParts(text)?.join('/'),
);

const sources = orShort(
  about(
    z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(specPath)),
    'The file, or several.',
  ),
  SHORT_TEXT,
);

const specObject = z
  .object({
    source: sources,
    directory: about(directory, 'The site folder of the generated pages.').optional(),
    overlays: about(
      listOf(specPath),
      'OpenAPI overlays that change the description, in order. Without it, those that name the description in "extends".',
    ).optional(),
  })
  .transform(({ source, directory, overlays }): OpenApiSource[] =>
    source.map((specSource) => ({
      source: specSource,
      ...(directory ? { directory } : {}),
      ...(overlays ? { overlays } : {}),
    })),
  );

const specEntry = orShort(
  z.preprocess((value) => (typeof value === 'string' ? { source: value } : value), specObject),
  SHORT_TEXT,
);

const SPEC_SHORT = { anyOf: [SHORT_TEXT, { type: 'object', required: ['source'] }] };

/**
 * `openapi` and `asyncapi` everywhere: a path, a list of paths, or `{source, directory, overlays}`.
 */
export const openApiSources = orShort(
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), listOf(specEntry)),
  SPEC_SHORT,
).transform((lists): OpenApiSource[] => lists.flat());

const symbolDirectory = about(directory, 'The site folder of the generated pages.').optional();

/** `graphql` of the navigation: a path, or `{source, directory}`. */
export const graphqlSource = orShort(
  z.preprocess(
    (value) => (typeof value === 'string' ? { source: value } : value),
    z
      .object({
        source: about(
          specPath,
          'The schema: SDL, or the result of an introspection query as JSON.',
        ),
        directory: symbolDirectory,
      })
      .transform(
        ({ source, directory }): SymbolSource => ({
          format: 'graphql',
          source,
          directory: directory || 'graphql-reference',
        }),
      ),
  ),
  SHORT_TEXT,
);

/** `sdk` of the navigation. */
export const sdkSource = z
  .object({
    format: about(filledText, 'The tool that wrote the file: "typedoc".'),
    source: about(specPath, 'The output file of the tool.'),
    directory: symbolDirectory,
  })
  .transform(
    ({ format, source, directory }): SymbolSource => ({
      format: format.toLowerCase(),
      source,
      directory: directory || 'sdk-reference',
    }),
  );
