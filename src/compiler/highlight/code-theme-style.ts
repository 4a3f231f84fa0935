import { bundledThemesInfo } from 'shiki/themes';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { LightDark } from '../../core/docs-json/site-config.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { codeThemeVariables } from './code-theme.ts';

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
