import type { PlaygroundMessages } from '../translations/translations.ts';
import { pageData } from './page-data.ts';
import { loadScript } from './search/search-opener.ts';

/** The global API of `playground.js`. */
export interface PlaygroundEntry {
  open(opener: HTMLElement): void;
}

declare global {
  var __docentPlayground: PlaygroundEntry | undefined;
  /** UI strings of the form by language code, registered by their files. */
  var __docentPlaygroundTexts: Record<string, PlaygroundMessages> | undefined;
}

/** Loads the API form when its button is pressed, with the strings of the page's language. */
async function openPlayground(opener: HTMLElement): Promise<void> {
  const { script, texts } = pageData().playground ?? {};
  const missing = [
    globalThis.__docentPlayground ? undefined : script,
    texts && globalThis.__docentPlaygroundTexts?.[texts.code] ? undefined : texts?.script,
  ];
  await Promise.all(missing.map((address) => address && loadScript(address).catch(reportError)));
  globalThis.__docentPlayground?.open(opener);
}

export function startPlaygroundOpener(): void {
  document.addEventListener('click', (event) => {
    const opener = (event.target as Element).closest<HTMLElement>('[data-playground-open]');
    if (opener) void openPlayground(opener);
  });
}
