import type { LightDark } from '../core/docs-json/site-config.ts';
import { codeThemeVariables } from './code-theme.ts';

/**
 * CSS that gives highlighted code the colours of the themes that a site chose.
 * @returns rules for `:root` and `html.dark`; empty for our own colours, and where there is no theme of that name
 */
export async function codeThemeStyle(theme: LightDark | undefined): Promise<string> {
  if (!theme) return '';
  const [light, dark] = await Promise.all([codeThemeVariables(theme.light), codeThemeVariables(theme.dark)]);
  return rule(':root', light) + rule('html.dark', dark);
}

function rule(selector: string, variables: Record<string, string> | undefined): string {
  if (!variables) return '';
  const declarations = Object.entries(variables).map(([name, value]) => `${name}:${value}`);
  return `${selector}{${declarations.join(';')}}`;
}
