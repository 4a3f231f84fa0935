import type { Diagnostic } from '@docent/format/diagnostics.ts';
import type { LightDark } from '@docent/format/docs-json/site-config.ts';
import { nearestName } from '@docent/format/nearest-name.ts';
import { createHighlighterCore, type LanguageRegistration } from 'shiki/core';
import { bundledThemes, bundledThemesInfo } from 'shiki/themes';
import { openOniguruma } from './oniguruma.ts';

/**
 * The kinds of tokens that the stylesheet colors. The index in the list is a token's class (`.k1`
 * is a comment). `scopes` are TextMate scopes, as in any theme; the most specific match wins.
 * `sample` is the scope that represents the kind when a site's own theme sets the colors.
 */
interface TokenKind {
  /** Part of the CSS variable's name, `--d-token-<name>`. */
  name: string;
  scopes: string;
  sample: string;
  /** Declarations besides the color. */
  extra?: string;
}

export const plainScopes = `variable.other.readwrite, variable.other.object, variable.other.constant, meta.embedded,
  source.embedded, string.unquoted.argument.shell, string.unquoted.plain.out.yaml.plain, string meta.image.inline.markdown,
  keyword.operator.accessor, punctuation.section.embedded source, markup.raw.block punctuation, storage.type.java,
  storage.modifier.import.java, storage.modifier.package.java`;

export const tokenKinds: readonly TokenKind[] = [
  {
    name: 'comment',
    sample: 'comment.line',
    scopes: 'comment, punctuation.definition.comment, string.quoted.docstring, markup.quote',
  },
  {
    name: 'keyword',
    sample: 'keyword.control',
    scopes: `keyword, storage, storage.type, storage.modifier, keyword.operator.new, keyword.operator.expression,
      keyword.operator.logical.python, keyword.operator.word, variable.language.this, variable.language.self,
      variable.language.special.self, variable.parameter.function.language.special, support.type.primitive,
      support.type.builtin, keyword.other.unit, entity.name.directive`,
  },
  {
    name: 'string',
    sample: 'string.quoted.double',
    scopes: `string, punctuation.definition.string, string.template, markup.inline.raw, markup.raw, constant.other.symbol,
      meta.attribute-selector string, property.value.dotenv`,
  },
  {
    name: 'escape',
    sample: 'constant.character.escape',
    scopes: `constant.character.escape, string.regexp, constant.other.placeholder, constant.character.format.placeholder,
      punctuation.definition.template-expression, punctuation.section.embedded, constant.character.entity,
      keyword.operator.quantifier.regexp`,
  },
  {
    name: 'constant',
    sample: 'constant.numeric',
    scopes: `constant, constant.numeric, constant.language, support.constant, variable.other.enummember,
      keyword.other.unit.css, constant.other.color`,
  },
  {
    name: 'function',
    sample: 'entity.name.function',
    scopes: `entity.name.function, support.function, meta.function-call.generic, variable.function, entity.name.command,
      support.macro, entity.name.function.macro`,
  },
  {
    name: 'type',
    sample: 'entity.name.type',
    scopes: `entity.name.type, entity.name.class, entity.name.namespace, entity.other.inherited-class, support.class,
      support.type, storage.type.cs, storage.type.generic.java, storage.type.object.array.java, entity.name.section.group-title`,
  },
  {
    name: 'variable',
    sample: 'variable.parameter',
    scopes: `variable.parameter, variable.language, variable.other.normal.shell, variable.other.assignment.shell,
      variable.other.bracket.shell, punctuation.definition.variable, variable.other.php, variable.other.readwrite.powershell,
      variable.css, variable.scss, variable.argument.css, variable.other.dotenv`,
  },
  {
    name: 'property',
    sample: 'support.type.property-name',
    scopes: `variable.key.dotenv, support.type.property-name, entity.name.tag.yaml, entity.other.attribute-name,
      meta.object-literal.key, variable.object.property, support.type.vendored.property-name, keyword.other.definition.ini,
      variable.other.key.toml, keyword.key.toml, meta.key.toml, constant.other.option,
      string.unquoted.argument constant.other.option.dash`,
  },
  {
    name: 'tag',
    sample: 'entity.name.tag',
    scopes: `entity.name.tag, support.class.component, entity.name.tag.css, meta.selector entity.name.tag,
      entity.other.attribute-name.class.css, entity.other.attribute-name.id.css`,
  },
  {
    name: 'operator',
    sample: 'keyword.operator',
    scopes: `keyword.operator, punctuation.definition.tag, punctuation.separator.key-value.html, storage.type.function.arrow,
      punctuation.definition.list.begin.markdown, beginning.punctuation.definition.list.markdown`,
  },
  {
    name: 'inserted',
    sample: 'markup.inserted',
    scopes: 'markup.inserted, meta.diff.header.to-file, punctuation.definition.inserted',
  },
  {
    name: 'deleted',
    sample: 'markup.deleted',
    scopes:
      'markup.deleted, meta.diff.header.from-file, punctuation.definition.deleted, invalid.deprecated',
  },
  {
    name: 'heading',
    sample: 'markup.heading',
    extra: 'font-weight: 600',
    scopes: `markup.heading, entity.name.section, punctuation.definition.heading, meta.diff.range, meta.diff.header,
      markup.bold, entity.name.section.group-title.ini`,
  },
];

/** The colors of terminals: the name in the format, and our nearest color, normal and bright. */
const TERMINAL_COLORS: readonly (readonly [name: string, own: string, ownBright?: string])[] = [
  ['black', 'code-fg', 'token-comment'],
  ['red', 'token-deleted'],
  ['green', 'token-inserted'],
  ['yellow', 'token-escape'],
  ['blue', 'token-function'],
  ['magenta', 'token-keyword'],
  ['cyan', 'token-type'],
  ['white', 'token-comment', 'code-fg'],
];

/** Returns the rules of the stylesheet for the classes of tokens: `.k1` and so on. */
export function tokenStyles(): string {
  const kinds = tokenKinds.map(
    ({ name, extra = '' }, index) => `.k${index + 1} { color: var(--d-token-${name}); ${extra} }`,
  );
  return `@layer base { ${kinds.join('\n')} }`;
}

/** Returns the rules for the colors of a terminal: `.ka1` to `.ka16`. */
export function terminalStyles(): string {
  const colors = TERMINAL_COLORS.flatMap(([name, own, ownBright = own], index) => [
    `.ka${index + 1} { color: var(--mint-ansi-${name}, var(--d-${own})) }`,
    `.ka${index + 9} { color: var(--mint-ansi-bright-${name}, var(--d-${ownBright})) }`,
  ]);
  return `@layer base { ${colors.join('\n')} }`;
}

/** A language with one word per kind of token, each with the scope that represents its kind. */
const sampleLanguage: LanguageRegistration = {
  name: 'kinds',
  scopeName: 'source.kinds',
  repository: {},
  patterns: tokenKinds.map((kind, index) => ({
    match: `\\bkind${index}\\b`,
    name: `${kind.sample}.kinds`,
  })),
};
const sampleCode = tokenKinds.map((_, index) => `kind${index}`).join('\n');

/**
 * The variables by which the format configures a `css-variables` theme, for the kinds of tokens
 * that it does not name as we do.
 */
const FORMAT_TOKENS: Readonly<Record<string, string>> = {
  escape: 'string-expression',
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
export async function codeThemeVariables(
  themeName: string,
): Promise<Record<string, string> | undefined> {
  if (themeName === 'css-variables') return formatVariables();
  if (!Object.hasOwn(bundledThemes, themeName)) return undefined;
  const theme = bundledThemes[themeName as keyof typeof bundledThemes];
  const core = await createHighlighterCore({
    langs: [sampleLanguage],
    themes: [theme],
    engine: openOniguruma(),
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
    variables[`--d-token-${name}`] =
      `var(--mint-token-${FORMAT_TOKENS[name] ?? name}, var(--d-code-fg))`;
  return variables;
}

/**
 * Generates the CSS that applies the colors of a site's chosen themes to highlighted code.
 * @returns rules for `:root` and `html.dark`; empty for our own colors and for unknown theme names
 */
export async function codeThemeStyle(theme: LightDark | undefined): Promise<string> {
  if (!theme) return '';
  const [light, dark] = await Promise.all([
    codeThemeVariables(theme.light),
    codeThemeVariables(theme.dark),
  ]);
  return rule(':root', light) + rule('html.dark', dark);
}

/** Warns about unknown themes and suggests the closest name. */
export function codeThemeDiagnostics(theme: LightDark | undefined, file: string): Diagnostic[] {
  if (!theme) return [];
  const themeNames = new Set(['css-variables', ...bundledThemesInfo.map(({ id }) => id)]);
  const unknown = [...new Set([theme.light, theme.dark])].filter((name) => !themeNames.has(name));
  return unknown.map((name) => {
    const meant = nearestName(name, themeNames);
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
