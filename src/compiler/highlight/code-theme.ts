import { createHighlighterCore, type LanguageRegistration } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledThemes } from 'shiki/themes';
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
