import type { PlaygroundMessages } from '../translations/translations.ts';
import { pageData } from './page-data.ts';
import { loadScript } from './search/search-opener.ts';

/** What `playground.js` leaves behind when it has run. */
export interface PlaygroundEntry {
  open(opener: HTMLElement): void;
}

declare global {
  var __docentPlayground: PlaygroundEntry | undefined;
  /** Texts of the form by the code of their language, as their files bring them. */
  var __docentPlaygroundTexts: Record<string, PlaygroundMessages> | undefined;
}

/** The form that calls an API is fetched when its button is pressed, with the texts of the page's language. */
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
