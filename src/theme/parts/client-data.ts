import { type LoadedIntegration, loadedIntegrations } from '../../core/docs-json/integration-table.ts';
import type { Html } from '../../core/html.ts';
import { inlineJson } from '../../core/inline-json.ts';
import type { Frame } from '../frame.ts';
import { narrowJson } from '../narrow-signs.ts';
import { oncePerScope } from '../once.ts';
import type { Messages } from '../translations/translations.ts';
import { inlineData } from './inline-data.ts';
import { asksForFeedback } from './page-notes.ts';

/** The texts that the page's scripts show. */
export const CLIENT_MESSAGES = [
  'search',
  'searchPlaceholder',
  'searchLoading',
  'searchNothing',
  'searchFailed',
  'searchHint',
  'searchRecent',
  'searchVisited',
  'searchAsk',
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
  /** On pages that have one: the form that calls an API, and its texts if not English; addresses from this page. */
  playground?: { script: string; texts?: { code: string; script: string } };
  /** What to write before a site path without its slash. */
  root: string;
  links: 'clean' | 'html';
  prompt: string;
  version?: string;
  language?: string;
  /** Site path of the page. */
  href: string;
  api?: string;
  /** Where the site answers questions: the script of the panel, what it asks, and its texts if not English; addresses from this page. */
  assistant?: { script: string; api: string; texts?: { code: string; script: string } };
  /** Where events go, from this page or whole. */
  analytics?: string;
  /** Scripts of other services, and what readers are asked before they are loaded. */
  integrations?: {
    services: LoadedIntegration[];
    consent?: { key: string; value: string; text: string; allow: string; decline: string };
  };
  /** Where what readers say of pages goes, from this page or whole. */
  feedback?: string;
  /** Names the build and the theme that the page came from. */
  build?: string;
}

/** Style sheet and scripts of the theme have their hash in their name; with another theme, a page is of another build. */
function buildName({ site, href }: Frame, build: string): string {
  const hashes = (['site.css', 'site.js'] as const).map((name) => /-(\w+)\.\w+$/.exec(site.themeAsset(name, { href }))?.[1]);
  return [build.slice(0, 16), ...hashes].join('.');
}

function assistantData({ site, href, locale }: Frame): ClientData['assistant'] {
  const api = site.assistantUrl ?? '/_docent/assistant';
  const script = site.themeAsset('assistant.js', { href });
  return { script, api: fromPage({ site, href }, api), ...textsOf('assistant', { site, href, locale }) };
}

function playgroundData({ site, href, locale }: Frame): ClientData['playground'] {
  const script = site.themeAsset('playground.js', { href });
  return { script, ...textsOf('playground', { site, href, locale }) };
}

/** Where the texts of a script are in the page's language; scripts hold the English ones. */
function textsOf(name: 'assistant' | 'playground', { site, href, locale: { code } }: Pick<Frame, 'site' | 'href' | 'locale'>) {
  return code === 'en' ? {} : { texts: { code, script: site.themeAsset(`${name}-${code}.js`, { href }) } };
}

function integrationData({ site, locale: { messages } }: Frame): ClientData['integrations'] {
  const { services, consent } = site.config.integrations ?? {};
  if (!services) return undefined;
  const { consentText: text, consentAllow: allow, consentDecline: decline } = messages;
  return { services: loadedIntegrations(services), ...(consent && { consent: { ...consent, text, allow, decline } }) };
}

/** A path from the root of the site as this page writes it; whole addresses stay. */
function fromPage({ site, href }: Pick<Frame, 'site' | 'href'>, address: string): string {
  return address.startsWith('/') ? (site.rootPrefix?.({ href }) ?? '/') + address.slice(1) : address;
}

type Texts = Pick<ClientData, 'messages' | 'prompt'>;

/** What is the same on all pages of a language, as JSON. */
function textsJson({ site, locale }: Frame): string {
  const messages = Object.fromEntries(CLIENT_MESSAGES.map((name) => [name, locale.messages[name]])) as Texts['messages'];
  const texts: Texts = { messages, prompt: site.config.searchPrompt ?? locale.messages.searchPlaceholder };
  return narrowJson(inlineJson(texts));
}

/** The block of data that the scripts of a page start from. */
export function clientData(frame: Frame, menu: { version?: string; language?: string; hasPlayground?: boolean }): Html {
  const { site, href } = frame;
  const texts = oncePerScope(frame, 'client-data', () => textsJson(frame));
  const data: Omit<ClientData, keyof Texts> = {
    search: { script: site.themeAsset('search.js', { href }), index: site.searchIndex({ href }, menu.language) },
    diagrams: { script: site.themeAsset('diagrams.js', { href }), library: site.themeAsset('mermaid.js', { href }) },
    playground: menu.hasPlayground ? playgroundData(frame) : undefined,
    root: site.rootPrefix?.({ href }) ?? '/',
    links: site.linkStyle ?? 'clean',
    version: menu.version,
    language: menu.language,
    href,
    api: site.apiUrl,
    assistant: site.hasAssistant ? assistantData(frame) : undefined,
    analytics: site.analyticsUrl === undefined ? undefined : fromPage(frame, site.analyticsUrl),
    integrations: site.hasIntegrations ? integrationData(frame) : undefined,
    feedback: site.feedbackUrl !== undefined && asksForFeedback(frame) ? fromPage(frame, site.feedbackUrl) : undefined,
    build: site.build === undefined ? undefined : buildName(frame, site.build),
  };
  return inlineData('docent-data', `${texts.slice(0, -1)},${inlineJson(data).slice(1)}`);
}
