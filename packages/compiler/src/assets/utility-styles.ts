import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { prepareStyleSheet } from '@docent/format/site-files/style-sheet.ts';
import { asSurface, formatColor, parseColor } from '@docent/theme/colors/color.ts';
import type { KeptValues } from '../source/kept-values.ts';

/** Sites use a few hundred; a source full of made-up names must not slow down a build. */
const MAX_NAMES = 20_000;
const HEX = /^#(?:[0-9a-f]{3}){1,2}$/i;
const LICENSE = /^\/\*!.*?\*\/\s*/s;

/**
 * Pages are written with the class names of version 3 of the utility language. If version 4 gave
 * such a name another meaning, the older meaning applies.
 */
const VERSION_3_THEME = `
@theme {
  --shadow-sm: 0 1px 2px 0 rgb(0 0 0 / 0.05);
  --drop-shadow-sm: 0 1px 1px rgb(0 0 0 / 0.05);
  --radius-sm: 0.125rem;
  --blur-sm: 4px;
  --default-ring-width: 3px;
  --default-ring-color: rgb(59 130 246 / 0.5);
}`;

let lastMade: { key: string; css: string } | undefined;

/**
 * Generates the CSS of only those utility classes that a site uses (Tailwind's language).
 * @param names class names of the site's pages, including any that are not utilities
 * @param kept those of the last build
 * @returns empty if none of the names is a utility. The rules are in the layer `utilities`, which
 *   overrides the theme and is overridden by the site's own CSS.
 */
export async function utilityStyles(
  names: Iterable<string>,
  config: Pick<SiteConfig, 'colors' | 'background'>,
  kept?: KeptValues,
): Promise<string> {
  const written = [...new Set(names)].sort().slice(0, MAX_NAMES);
  if (written.length === 0) return '';
  const prefixed = prefixedNames(written);
  const candidates = [...new Set([...written, ...prefixed.keys()])];
  const source = await engineSource(config);
  const key = JSON.stringify([source.variables, candidates]);
  if (lastMade?.key === key) return lastMade.css;
  const make = () => generate(source.text, candidates, prefixed);
  const css = await (kept ? kept.later('utilities', key, make) : make());
  lastMade = { key, css };
  return css;
}

async function generate(
  text: string,
  candidates: string[],
  prefixed: ReturnType<typeof prefixedNames>,
): Promise<string> {
  const { compile } = await import('tailwindcss');
  const engine = await compile(text);
  const css = withPrefixed(engine.build(candidates).replace(LICENSE, ''), prefixed);
  // The engine writes one declaration per line and no text with line breaks, so white space at line
  // starts is only formatting.
  return /@layer utilities\s*\{/.test(css) ? withoutOtherOrigins(css).replace(/\n\s*/g, '') : '';
}

/**
 * `md:mint-flex`, `!mint-mt-2`, `-mint-mt-2`: the hosted service accepts its own prefix before every utility.
 */
const PREFIXED = /^((?:[^\s:[\]]+:|\[[^\s[\]]+\]:)*!?-?)mint-(?=\S)/;

/** The names without the prefix, each with the names as written. */
function prefixedNames(names: readonly string[]): Map<string, string[]> {
  const namesByPlain = new Map<string, string[]>();
  for (const name of names) {
    const plain = name.replace(PREFIXED, '$1');
    if (plain !== name) namesByPlain.set(plain, [...(namesByPlain.get(plain) ?? []), name]);
  }
  return namesByPlain;
}

/** Applies the rules of the names without the prefix to those with it. */
function withPrefixed(css: string, prefixed: ReadonlyMap<string, readonly string[]>): string {
  if (prefixed.size === 0) return css;
  return css.replace(/\.((?:\\.|[\w-])+)/g, (selector, escaped: string) => {
    const names = prefixed.get(escaped.replace(/\\(.)/g, '$1'));
    return names
      ? `:is(${[selector, ...names.map((name) => `.${name.replace(/[^\w-]/g, '\\$&')}`)].join(',')})`
      : selector;
  });
}

/**
 * The color of buttons: authors put white text on it, so a color with slightly too little contrast
 * is darkened, as in the theme.
 */
function asButton(hex: string | undefined): string | undefined {
  const color = parseColor(hex);
  return color && formatColor(asSurface(color));
}

async function engineSource({ colors, background }: Pick<SiteConfig, 'colors' | 'background'>) {
  const named: [string, string | undefined][] = [
    ['primary', colors.primary],
    ['primary-light', colors.light],
    ['primary-dark', asButton(colors.dark ?? colors.primary)],
    ['background-light', background.color?.light ?? '#ffffff'],
    ['background-dark', background.color?.dark ?? '#0e0f12'],
  ];
  const variables = named
    .filter(([, value]) => HEX.test(value ?? ''))
    .map(([name, value]) => `--color-${name}:${value};`);
  const theme = readFileSync(fileURLToPath(import.meta.resolve('tailwindcss/theme.css')), 'utf8');
  const text = `@custom-variant dark (&:where(html.dark, html.dark *));
${theme}${VERSION_3_THEME}
@theme{${variables.join('')}}
@layer utilities{@tailwind utilities;}`;
  return { text, variables };
}

/** Where the style sheet is among the files of a site. */
const FILE = '_docent/utilities.css';

/**
 * Arbitrary values may contain any URL (`bg-[url(https://…)]`); those of the site's own files are
 * relative to the style sheet.
 */
function withoutOtherOrigins(css: string): string {
  return css.includes('url(')
    ? prepareStyleSheet(css, { file: FILE, hasFile: () => true }).text
    : css;
}
