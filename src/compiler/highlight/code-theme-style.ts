import { bundledThemesInfo } from 'shiki/themes';
import type { Diagnostic } from '../../core/diagnostics.ts';
import type { LightDark } from '../../core/docs-json/site-config.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { codeThemeVariables } from './code-theme.ts';

const FROM_VARIABLES = 'css-variables';

/**
 * CSS that gives highlighted code the colors of the themes that a site chose.
 * @returns rules for `:root` and `html.dark`; empty for our own colors, and where there is no theme of that name
 */
export async function codeThemeStyle(theme: LightDark | undefined): Promise<string> {
  if (!theme) return '';
  const [light, dark] = await Promise.all([codeThemeVariables(theme.light), codeThemeVariables(theme.dark)]);
  return rule(':root', light) + rule('html.dark', dark);
}

/** Warns of themes that nobody knows, with the name that was probably meant. */
export function codeThemeDiagnostics(theme: LightDark | undefined, file: string): Diagnostic[] {
  if (!theme) return [];
  const known = new Set([FROM_VARIABLES, ...bundledThemesInfo.map(({ id }) => id)]);
  const unknown = [...new Set([theme.light, theme.dark])].filter((name) => !known.has(name));
  return unknown.map((name) => {
    const meant = nearestName(name, known);
    const remedy = `Use ${meant === undefined ? 'a theme such as "github-dark"' : `"${meant}"`}, or "system".`;
    const message = `There is no theme for code blocks named "${name}"; the usual colors are used.`;
    return { severity: 'warning', code: 'unknown-code-theme', message, remedy, file };
  });
}

function rule(selector: string, variables: Record<string, string> | undefined): string {
  if (!variables) return '';
  const declarations = Object.entries(variables).map(([name, value]) => `${name}:${value}`);
  return `${selector}{${declarations.join(';')}}`;
}
