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
  'searchSuggestions',
  'searchSelect',
  'searchMove',
  'searchClose',
  'copyPage',
  'copied',
  'copyFailed',
  'copy',
  'download',
  'showAllLines',
  'showFewerLines',
  'view',
  'filterByTag',
  'enlarge',
  'close',
  'openInCursor',
  'askAssistant',
] as const satisfies readonly (keyof Messages)[];

/** What `elements/page-data.ts` reads. */
export interface ClientData {
  messages: Record<(typeof CLIENT_MESSAGES)[number], string>;
  /** Addresses from this page. */
  search: { script: string; index: string };
  /** Addresses from this page of what draws diagrams. */
  diagrams: { script: string; library: string };
  /** What to write before a site path without its slash. */
  root: string;
  links: 'clean' | 'html';
  prompt: string;
  version?: string;
  language?: string;
  /** Site path of the page. */
  href: string;
  api?: string;
  /** Where the site answers questions: the script of the panel, and what it asks; addresses from this page. */
  assistant?: { script: string; api: string };
  /** Where events go, from this page or whole. */
  analytics?: string;
  /** Names the build and the theme that the page came from. */
  build?: string;
}

/** Style sheet and scripts of the theme have their hash in their name; with another theme, a page is of another build. */
function buildName({ site, href }: Frame, build: string): string {
  const hashes = (['site.css', 'site.js'] as const).map((name) => /-(\w+)\.\w+$/.exec(site.themeAsset(name, { href }))?.[1]);
  return [build.slice(0, 16), ...hashes].join('.');
}

function assistantData({ site, href }: Frame): ClientData['assistant'] {
  const api = site.assistantUrl ?? '/_docent/assistant';
  return { script: site.themeAsset('assistant.js', { href }), api: fromPage({ site, href }, api) };
}

/** A path from the root of the site as this page writes it; whole addresses stay. */
function fromPage({ site, href }: Pick<Frame, 'site' | 'href'>, address: string): string {
  return address.startsWith('/') ? (site.rootPrefix?.({ href }) ?? '/') + address.slice(1) : address;
}

/** The block of data that the scripts of a page start from. */
export function clientData(frame: Frame, menu: { version?: string; language?: string }): Html {
  const { site, locale, href } = frame;
  const messages = Object.fromEntries(CLIENT_MESSAGES.map((name) => [name, locale.messages[name]])) as ClientData['messages'];
  const data: ClientData = {
    messages,
    search: { script: site.themeAsset('search.js', { href }), index: site.themeAsset('search-index.js', { href }) },
    diagrams: { script: site.themeAsset('diagrams.js', { href }), library: site.themeAsset('mermaid.js', { href }) },
    root: site.rootPrefix?.({ href }) ?? '/',
    links: site.linkStyle ?? 'clean',
    prompt: site.config.searchPrompt ?? locale.messages.searchPlaceholder,
    version: menu.version,
    language: menu.language,
    href,
    api: site.apiUrl,
    assistant: site.hasAssistant ? assistantData(frame) : undefined,
    analytics: site.analyticsUrl === undefined ? undefined : fromPage(frame, site.analyticsUrl),
    build: site.build === undefined ? undefined : buildName(frame, site.build),
  };
  return inlineData('docent-data', data);
}
