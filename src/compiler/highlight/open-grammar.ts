import { createHighlighterCoreSync, type LanguageRegistration, type RegexEngine, type ThemeRegistrationRaw } from 'shiki/core';
import { bundledLanguages } from 'shiki/langs';
import type { IGrammar } from 'shiki/textmate';
import { plainScopes, tokenKinds } from './code-token-kinds.ts';
import { createTokenizer, type Tokenizer } from './code-tokenizer.ts';

/**
 * A theme whose colors are numbers: `#00000c` is kind 12. So code is tokenized once for every appearance, and the stylesheet
 * colors the kinds.
 */
const kindTheme: ThemeRegistrationRaw = {
  name: 'kinds',
  settings: [
    { settings: { foreground: kindColor(0), background: '#ffffff' } },
    ...tokenKinds.map((kind, index) => ({ scope: [...kind.scopes], settings: { foreground: kindColor(index + 1) } })),
    { scope: [...plainScopes], settings: { foreground: kindColor(0) } },
  ],
};

function kindColor(kind: number): string {
  return `#${kind.toString(16).padStart(6, '0')}`;
}

/** JSON that a command sends, in quotes: highlighted as JSON, not as one long string. */
const jsonInShell: LanguageRegistration = {
  name: 'json-in-shell',
  scopeName: 'docent.json-in-shell',
  injectTo: ['source.shell'],
  injectionSelector: 'L:source.shell -string -comment',
  patterns: [
    {
      begin: "(?<=\\s(?:-d|--data|--data-raw|--data-binary|--json)[\\s=])'(?=\\s*[\\[{])",
      end: "'",
      beginCaptures: { '0': { name: 'punctuation.definition.string.begin.shell' } },
      endCaptures: { '0': { name: 'punctuation.definition.string.end.shell' } },
      patterns: [{ include: 'source.json' }],
    },
  ],
  repository: {},
};

/** What grammars need of others that they do not load themselves; without TSX, the components of MDX would be plain text. */
const COMPANIONS: ReadonlyMap<string, readonly ('json' | 'tsx' | 'yaml')[]> = new Map([
  ['shellscript', ['json']],
  ['mdx', ['tsx', 'yaml']],
  ['markdown', ['yaml']],
]);

/** What a grammar needs besides its own languages. */
export async function companionsOf(name: string): Promise<LanguageRegistration[]> {
  const loaded = await Promise.all((COMPANIONS.get(name) ?? []).map((other) => bundledLanguages[other]()));
  return [...loaded.flatMap((language) => language.default), ...(name === 'shellscript' ? [jsonInShell] : [])];
}

/** Creates the tokenizer of one grammar; `languages` contains it and those that it builds on, in a separate registry. */
export function openGrammar(name: string, languages: LanguageRegistration[], engine: RegexEngine): Tokenizer {
  const core = createHighlighterCoreSync({ langs: languages, themes: [kindTheme], engine, warnings: false });
  const { colorMap } = core.setTheme('kinds');
  const kinds = Uint8Array.from(colorMap, (color) =>
    color === undefined || color.length !== 7 ? 0 : Number.parseInt(color.slice(1), 16) & 0xff,
  );
  return createTokenizer(name, core.getLanguage(name) as unknown as IGrammar, kinds);
}
