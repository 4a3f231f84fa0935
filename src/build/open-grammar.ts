import { createHighlighterCoreSync, type LanguageRegistration, type RegexEngine, type ThemeRegistrationRaw } from 'shiki/core';
import type { IGrammar } from 'shiki/textmate';
import { plainScopes, tokenKinds } from './code-token-kinds.ts';
import { createTokenizer, type Tokenizer } from './code-tokenizer.ts';

/**
 * A theme whose colours are numbers: `#00000c` is kind 12. Code is so cut into tokens once, for every appearance, and
 * the stylesheet colours the kinds.
 */
const kindTheme: ThemeRegistrationRaw = {
  name: 'kinds',
  settings: [
    { settings: { foreground: kindColour(0), background: '#ffffff' } },
    ...tokenKinds.map((kind, index) => ({ scope: [...kind.scopes], settings: { foreground: kindColour(index + 1) } })),
    { scope: [...plainScopes], settings: { foreground: kindColour(0) } },
  ],
};

function kindColour(kind: number): string {
  return `#${kind.toString(16).padStart(6, '0')}`;
}

/** Makes the tokenizer of one grammar; `languages` holds it and those that it builds on, which are in a registry of their own. */
export function openGrammar(name: string, languages: LanguageRegistration[], engine: RegexEngine): Tokenizer {
  const core = createHighlighterCoreSync({ langs: languages, themes: [kindTheme], engine, warnings: false });
  const { colorMap } = core.setTheme('kinds');
  const kinds = Uint8Array.from(colorMap, (colour) =>
    colour === undefined || colour.length !== 7 ? 0 : Number.parseInt(colour.slice(1), 16) & 0xff,
  );
  return createTokenizer(core.getLanguage(name) as unknown as IGrammar, kinds);
}
