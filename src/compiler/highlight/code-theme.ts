import { createHighlighterCore, type LanguageRegistration } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledThemes, bundledThemesInfo } from 'shiki/themes';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { LightDark } from '../../core/docs-json/site-config.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { tokenKinds } from './code-token-kinds.ts';

/** A language with one word per kind of token, each with the scope that represents its kind. */
const sampleLanguage: LanguageRegistration = {
  name: 'kinds',
  scopeName: 'source.kinds',
  repository: {},
  patterns: tokenKinds.map((kind, index) => ({ match: `\\bkind${index}\\b`, name: `${kind.sample}.kinds` })),
};
const sampleCode = tokenKinds.map((_, index) => `kind${index}`).join('\n');

/** The variables by which the format configures a `css-variables` theme, for the kinds of tokens that it supports. */
const FORMAT_TOKENS: Readonly<Record<string, string>> = {
  comment: 'comment',
  keyword: 'keyword',
  string: 'string',
  escape: 'string-expression',
  constant: 'constant',
  function: 'function',
  type: 'function',
  variable: 'parameter',
  property: 'constant',
  tag: 'keyword',
  operator: 'punctuation',
  inserted: 'string',
  deleted: 'keyword',
  heading: 'link',
};

/**
 * Returns the colors of one of the highlighter's themes as values of the stylesheet's variables.
 * @param themeName as in docs.json, for example `github-dark`
 * @returns values by variable name; undefined if there is no such theme
 */
export async function codeThemeVariables(themeName: string): Promise<Record<string, string> | undefined> {
  if (themeName === 'css-variables') return formatVariables();
  if (!Object.hasOwn(bundledThemes, themeName)) return undefined;
  const theme = bundledThemes[themeName as keyof typeof bundledThemes];
  const core = await createHighlighterCore({
    langs: [sampleLanguage],
    themes: [theme],
    engine: createOnigurumaEngine(import('shiki/wasm')),
    warnings: false,
  });
  const { bg, fg } = core.getTheme(themeName);
  const lines = core.codeToTokensBase(sampleCode, { lang: 'kinds', theme: themeName });
  core.dispose();
  const variables: Record<string, string> = { '--d-code-bg': bg, '--d-code-fg': fg };
  tokenKinds.forEach((kind, index) => {
    variables[`--d-token-${kind.name}`] = lines[index]?.[0]?.color ?? fg;
  });
  return variables;
}

function formatVariables(): Record<string, string> {
  const variables: Record<string, string> = {
    '--d-code-bg': 'var(--mint-color-background, var(--d-bg-subtle))',
    '--d-code-fg': 'var(--mint-color-text, var(--d-fg))',
  };
  for (const { name } of tokenKinds)
    variables[`--d-token-${name}`] = `var(--mint-token-${FORMAT_TOKENS[name]}, var(--d-code-fg))`;
  return variables;
}

const FROM_VARIABLES = 'css-variables';

/**
 * Generates the CSS that applies the colors of a site's chosen themes to highlighted code.
 * @returns rules for `:root` and `html.dark`; empty for our own colors and for unknown theme names
 */
export async function codeThemeStyle(theme: LightDark | undefined): Promise<string> {
  if (!theme) return '';
  const [light, dark] = await Promise.all([codeThemeVariables(theme.light), codeThemeVariables(theme.dark)]);
  return rule(':root', light) + rule('html.dark', dark);
}

/** Warns about unknown themes and suggests the closest name. */
export function codeThemeDiagnostics(theme: LightDark | undefined, file: string): Diagnostic[] {
  if (!theme) return [];
  const known = new Set([FROM_VARIABLES, ...bundledThemesInfo.map(({ id }) => id)]);
  const unknown = [...new Set([theme.light, theme.dark])].filter((name) => !known.has(name));
  return unknown.map((name) => {
    const meant = nearestName(name, known);
    const remedy = `Use ${meant === undefined ? 'a theme such as "github-dark"' : `"${meant}"`}, or "system".`;
    const message = `There is no code block theme named "${name}"; the default colors are used.`;
    return { severity: 'warning', code: 'unknown-code-theme', message, remedy, file };
  });
}

function rule(selector: string, variables: Record<string, string> | undefined): string {
  if (!variables) return '';
  const declarations = Object.entries(variables).map(([name, value]) => `${name}:${value}`);
  return `${selector}{${declarations.join(';')}}`;
}
