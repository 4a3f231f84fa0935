import {
  type LoadedIntegration,
  loadedIntegrations,
} from '@docent/format/docs-json/settings/integration-table.ts';
import type { BundleService } from '@docent/format/exports/bundle-services.ts';
import { type Html, inlineJson, trustedHtml } from '@docent/format/html.ts';
import {
  type DiagramMessages,
  diagramMessages,
  type Messages,
  TRANSLATIONS,
} from '../translations/translations.ts';
import { type Frame, oncePerScope } from '../view/frame.ts';
import { narrowJson } from '../view/narrow-signs.ts';
import type { ThemeAsset } from '../view/page-view.ts';
import { asksForFeedback } from './page-notes.ts';

/** The strings of the page's scripts. */
export const CLIENT_MESSAGES = [
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

/** A script with strings; addresses from this page. */
export interface LocalizedScript {
  script: string;
  /** Its strings, if not English: the code of the language, and their file. */
  texts?: { code: string; script: string };
}

/** The data that `elements/page-data.ts` reads. */
export interface ClientData {
  messages: Record<(typeof CLIENT_MESSAGES)[number], string>;
  /** The scripts that `elements/page-scripts.ts` loads; addresses from this page. */
  scripts: { navigation: string; later: string };
  /** Addresses from this page. `rules`: what the owners of the site steer its search by. */
  search: LocalizedScript & { index: string; rules?: string };
  /**
   * On pages with a diagram: its script and library, whose addresses are from this page, and its
   * strings.
   */
  diagrams?: { script: string; library: string; texts: DiagramMessages };
  /** The script of the API form, on pages with one. */
  playground?: LocalizedScript;
  /** Prefix of site paths without their leading slash. */
  root: string;
  links: 'clean' | 'html';
  prompt: string;
  version?: string;
  language?: string;
  /** The version that the search prefers on pages without one. */
  defaultVersion?: string | undefined;
  /** Site path of the page. */
  href: string;
  /**
   * If the site answers questions: the panel's script, the one that answers without a server, and
   * the address of the API from this page, if the server has it.
   */
  assistant?: LocalizedScript & { local: string; api?: string };
  /** URL for events, from this page or absolute. */
  analytics?: string;
  /** Which of these the server may lack, and the address of its list from this page. */
  services?: { list: string; names: readonly BundleService[] };
  /** Third-party scripts, and the consent question before they are loaded. */
  integrations?: {
    services: LoadedIntegration[];
    consent?: { key: string; value: string; text: string; allow: string; decline: string };
  };
  /** URL for feedback on pages, from this page or absolute. */
  feedback?: string;
  /** Identifies the build and the theme of the page. */
  build?: string;
}

const BUILD_FILES = [
  'site.css',
  'components.css',
  'site.js',
  'components.js',
  'navigation.js',
] as const satisfies readonly ThemeAsset[];

/**
 * The theme's style sheets and scripts have their hash in their names; with another theme, a page
 * belongs to another build.
 */
function buildName({ site, href }: Frame, build: string): string {
  const hashes = BUILD_FILES.map(
    (name) => /-(\w{6})\w*\.\w+$/.exec(site.themeAsset(name, { href }))?.[1],
  );
  return [build.slice(0, 16), ...hashes].join('.');
}

function diagramsData({ site, href, locale }: Frame): ClientData['diagrams'] {
  return {
    script: site.themeAsset('diagrams.js', { href }),
    library: site.themeAsset('mermaid.js', { href }),
    texts: diagramMessages(TRANSLATIONS[locale.code]),
  };
}

/**
 * Returns the address of a script, and that of its strings in the page's language; scripts contain
 * the English ones.
 */
function scriptOf(
  name: 'assistant' | 'playground' | 'search',
  { site, href, locale: { code } }: Frame,
): LocalizedScript {
  const script = site.themeAsset(`${name}.js`, { href });
  return code === 'en'
    ? { script }
    : { script, texts: { code, script: site.themeAsset(`${name}-${code}.js`, { href }) } };
}

function integrationData({ site, locale: { messages } }: Frame): ClientData['integrations'] {
  const { services, consent } = site.config.integrations ?? {};
  if (!services) return undefined;
  const { consentText: text, consentAllow: allow, consentDecline: decline } = messages;
  return {
    services: loadedIntegrations(services),
    ...(consent && { consent: { ...consent, text, allow, decline } }),
  };
}

/** Returns a path from the site's root as written on this page; absolute URLs stay. */
function fromPage({ site, href }: Frame, address: string): string {
  return address.startsWith('/')
    ? (site.rootPrefix?.({ href }) ?? '/') + address.slice(1)
    : address;
}

type Texts = Pick<ClientData, 'messages' | 'prompt'>;

/** Returns the data that all pages of a language share, as JSON. */
function textsJson({ site, locale }: Frame): string {
  const messages = Object.fromEntries(
    CLIENT_MESSAGES.map((name) => [name, locale.messages[name]]),
  ) as Texts['messages'];
  const texts: Texts = {
    messages,
    prompt: site.config.searchPrompt ?? locale.messages.searchPlaceholder,
  };
  return narrowJson(inlineJson(texts));
}

/**
 * The data block that the scripts of a page start from.
 * @param elements names of the custom elements in the page's content
 */
export function clientData(
  frame: Frame,
  {
    version,
    language,
    elements = [],
  }: { version?: string; language?: string; elements?: readonly string[] },
): Html {
  const { site, href } = frame;
  const texts = oncePerScope(frame, 'client-data', () => textsJson(frame));
  const data: Omit<ClientData, keyof Texts> = {
    scripts: {
      navigation: site.themeAsset('navigation.js', { href }),
      later: site.themeAsset('later.js', { href }),
    },
    search: {
      ...scriptOf('search', frame),
      index: site.searchIndex({ href }, language),
      ...(site.searchRulesUrl && { rules: fromPage(frame, site.searchRulesUrl) }),
    },
    diagrams: elements.includes('docent-mermaid') ? diagramsData(frame) : undefined,
    playground: elements.includes('docent-playground') ? scriptOf('playground', frame) : undefined,
    root: site.rootPrefix?.({ href }) ?? '/',
    links: site.linkStyle ?? 'clean',
    version,
    language,
    defaultVersion: version === undefined ? site.defaultVersion : undefined,
    href,
    assistant: site.hasAssistant
      ? {
          ...scriptOf('assistant', frame),
          local: site.themeAsset('answers.js', { href }),
          api: fromPage(frame, site.assistantUrl ?? '/_docent/assistant'),
        }
      : undefined,
    analytics: site.analyticsUrl === undefined ? undefined : fromPage(frame, site.analyticsUrl),
    services: site.services && {
      list: fromPage(frame, `/${site.services.path}`),
      names: site.services.names,
    },
    integrations: site.hasIntegrations ? integrationData(frame) : undefined,
    feedback:
      site.feedbackUrl !== undefined && asksForFeedback(frame)
        ? fromPage(frame, site.feedbackUrl)
        : undefined,
    build: site.build === undefined ? undefined : buildName(frame, site.build),
  };
  const json = `${texts.slice(0, -1)},${inlineJson(data).slice(1)}`;
  return trustedHtml(`<script type="application/json" id="docent-data">${json}</script>`);
}
