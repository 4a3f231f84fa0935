import type { Html } from '../../core/html.ts';
import type { Frame } from '../frame.ts';
import type { Messages } from '../translations/messages.ts';
import { inlineData } from './inline-data.ts';

/** The texts that the page's scripts show. */
export const CLIENT_MESSAGES = [
  'search',
  'searchPlaceholder',
  'searchLoading',
  'searchNothing',
  'searchFailed',
  'searchHint',
  'searchRecent',
  'searchClear',
  'searchResultCount',
  'searchSelect',
  'searchMove',
  'searchClose',
  'copyPage',
  'copied',
  'copyFailed',
  'closeMenu',
] as const satisfies readonly (keyof Messages)[];

/** What `elements/page-data.ts` reads. */
export interface ClientData {
  messages: Record<(typeof CLIENT_MESSAGES)[number], string>;
  /** Addresses from this page. */
  search: { script: string; index: string };
  /** What to write before a site path without its slash. */
  root: string;
  links: 'clean' | 'html';
  prompt: string;
  version?: string;
  language?: string;
  /** Site path of the page. */
  href: string;
  api?: string;
}

/** The block of data that the scripts of a page start from. */
export function clientData(frame: Frame, menu: { version?: string; language?: string }): Html {
  const { site, locale, href } = frame;
  const messages = Object.fromEntries(CLIENT_MESSAGES.map((name) => [name, locale.messages[name]])) as ClientData['messages'];
  const data: ClientData = {
    messages,
    search: { script: site.themeAsset('search.js', { href }), index: site.themeAsset('search-index.js', { href }) },
    root: site.rootPrefix?.({ href }) ?? '/',
    links: site.linkStyle ?? 'clean',
    prompt: site.config.searchPrompt ?? locale.messages.searchPlaceholder,
    version: menu.version,
    language: menu.language,
    href,
    api: site.apiUrl,
  };
  return inlineData('docent-data', data);
}
