/**
 * A value passed to the script of a third-party service; `{field}` in a text is replaced by the
 * field's value.
 */
type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/**
 * The steps around the script, in order. The page has one small interpreter for all of them, so no
 * text becomes code.
 */
export type IntegrationStep =
  /**
   * A function stub of that name queues its arguments, in its own list (`q`) or in a global one,
   * until the script has loaded.
   */
  | { queue: string; list?: string }
  /** A global value, unless it is already set. */
  | { global: string; value: Value }
  /** Properties of a global object. */
  | { object: string; value: { readonly [name: string]: Value } }
  /** A call of a global function, or of a method: `posthog.init`. `$now` is the current time. */
  | { call: string; args: readonly Value[] };

/** A service whose script pages can load. */
export interface Integration {
  /**
   * `analytics` if absent. `chat` is not tracking, so it also loads for readers who opt out of tracking. `consent` asks readers
   * itself, and loads first.
   */
  kind?: 'analytics' | 'chat' | 'consent';
  /** The schema of each field; all but the first are optional. */
  fields: Readonly<Record<string, RegExp>>;
  defaults?: Readonly<Record<string, string>>;
  script: string;
  attributes?: Readonly<Record<string, string>>;
  /** The script sources in CSP syntax; that of `script` is included automatically. */
  sources?: readonly string[];
  before?: readonly IntegrationStep[];
  after?: readonly IntegrationStep[];
}

const WORD = /^[A-Za-z0-9_-]{1,100}$/;
const NUMBER = /^\d{1,20}$/;
/**
 * An https address that cannot end a text, a CSP directive or an element: no spaces, quotes,
 * semicolons or queries.
 */
const ADDRESS = /^https:\/\/[a-z0-9][a-z0-9.-]{1,200}(?:\/[\w./-]{0,200})?$/i;
const SCRIPT = /^https:\/\/[a-z0-9][a-z0-9.-]{1,200}\/[\w./-]{1,200}\.js$/i;
const DOMAINS = /^[A-Za-z0-9.,_/-]{1,253}$/;
const VERSION = /^\d{1,3}$/;

const tag = 'https://www.googletagmanager.com';

/**
 * The services of the format, and Crisp and HubSpot, with the loading snippets of their own
 * documentation (2026-11).
 */
export const INTEGRATIONS: Readonly<Record<string, Integration>> = {
  osano: {
    kind: 'consent',
    fields: { scriptSource: SCRIPT },
    script: '{scriptSource}',
    sources: ['https://*.osano.com'],
  },
  transcend: {
    kind: 'consent',
    fields: { bundleId: WORD },
    script: 'https://transcend-cdn.com/cm/{bundleId}/airgap.js',
    sources: ['https://*.transcend.io'],
  },
  adobe: { fields: { launchUrl: SCRIPT }, script: '{launchUrl}' },
  amplitude: {
    fields: { apiKey: WORD },
    script: 'https://cdn.amplitude.com/script/{apiKey}.js',
    after: [
      {
        call: 'amplitude.init',
        args: ['{apiKey}', { fetchRemoteConfig: true, autocapture: true }],
      },
    ],
  },
  clarity: {
    fields: { projectId: WORD },
    script: 'https://www.clarity.ms/tag/{projectId}',
    sources: ['https://*.clarity.ms'],
    before: [{ queue: 'clarity' }],
  },
  clearbit: {
    fields: { publicApiKey: WORD },
    script: 'https://tag.clearbitscripts.com/v1/{publicApiKey}/tags.js',
    attributes: { referrerpolicy: 'strict-origin-when-cross-origin' },
    sources: ['https://x.clearbitjs.com'],
  },
  fathom: {
    fields: { siteId: WORD },
    script: 'https://cdn.usefathom.com/script.js',
    attributes: { 'data-site': '{siteId}', 'data-spa': 'auto' },
  },
  ga4: {
    fields: { measurementId: WORD },
    script: `${tag}/gtag/js?id={measurementId}`,
    sources: ['https://*.googletagmanager.com'],
    before: [
      { queue: 'gtag', list: 'dataLayer' },
      { call: 'gtag', args: ['js', '$now'] },
      { call: 'gtag', args: ['config', '{measurementId}'] },
    ],
  },
  gtm: {
    fields: { tagId: WORD },
    script: `${tag}/gtm.js?id={tagId}`,
    sources: ['https://*.googletagmanager.com', 'https://*.google-analytics.com'],
    before: [
      { global: 'dataLayer', value: [] },
      { call: 'dataLayer.push', args: [{ 'gtm.start': '$now', event: 'gtm.js' }] },
    ],
  },
  heap: {
    fields: { appId: NUMBER },
    script: 'https://cdn.heapanalytics.com/js/heap-{appId}.js',
    sources: ['https://*.heapanalytics.com', 'https://*.heap-api.com'],
    before: [
      { global: 'heap', value: [] },
      { object: 'heap', value: { appid: '{appId}', config: {} } },
    ],
  },
  hightouch: {
    fields: { writeKey: WORD, apiHost: /^[a-z0-9.-]{1,253}$/i },
    defaults: { apiHost: 'us-east-1.hightouch-events.com' },
    script: 'https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js',
    before: [
      { global: 'htevents', value: [['page']] },
      {
        object: 'htevents',
        value: { _writeKey: '{writeKey}', _loadOptions: { apiHost: '{apiHost}' } },
      },
    ],
  },
  hotjar: {
    fields: { hjid: NUMBER, hjsv: VERSION },
    defaults: { hjsv: '6' },
    script: 'https://static.hotjar.com/c/hotjar-{hjid}.js?sv={hjsv}',
    sources: ['https://*.hotjar.com'],
    before: [{ queue: 'hj' }, { global: '_hjSettings', value: { hjid: '{hjid}', hjsv: '{hjsv}' } }],
  },
  hubspot: {
    fields: { portalId: NUMBER, region: /^[a-z]{2}\d$/ },
    defaults: { region: 'na1' },
    script: 'https://js-{region}.hs-scripts.com/{portalId}.js',
    attributes: { id: 'hs-script-loader' },
    sources: [
      'hs-scripts.com',
      'hs-analytics.net',
      'hs-banner.com',
      'hscollectedforms.net',
      'usemessages.com',
      'hubspot.com',
    ].map((host) => `https://*.${host}`),
  },
  koala: {
    fields: { publicApiKey: WORD },
    script: 'https://cdn.getkoala.com/v1/{publicApiKey}/sdk.js',
    before: [{ global: 'ko', value: [] }],
  },
  logrocket: {
    fields: { appId: /^[A-Za-z0-9_-]{1,60}\/[A-Za-z0-9_-]{1,60}$/ },
    script: 'https://cdn.logr-in.com/LogRocket.min.js',
    after: [{ call: 'LogRocket.init', args: ['{appId}'] }],
  },
  mixpanel: {
    fields: { projectToken: WORD },
    script: 'https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js',
    before: [
      { global: 'mixpanel', value: [] },
      {
        object: 'mixpanel',
        value: {
          __SV: 1.2,
          people: [],
          _i: [['{projectToken}', { track_pageview: 'url-with-path' }, 'mixpanel']],
        },
      },
    ],
  },
  pirsch: {
    fields: { id: WORD },
    script: 'https://api.pirsch.io/pa.js',
    attributes: { id: 'pianjs', 'data-code': '{id}' },
  },
  plausible: {
    fields: { domain: DOMAINS, server: /^[a-z0-9.-]{1,253}$/i },
    defaults: { server: 'plausible.io' },
    script: 'https://{server}/js/script.js',
    attributes: { 'data-domain': '{domain}' },
  },
  posthog: {
    fields: { apiKey: WORD, apiHost: ADDRESS, sessionRecording: /^(?:true|false)$/ },
    defaults: { apiHost: 'https://us.i.posthog.com', sessionRecording: 'false' },
    script: '{apiHost}/static/array.js',
    sources: ['https://*.posthog.com'],
    after: [
      {
        call: 'posthog.init',
        args: [
          '{apiKey}',
          {
            api_host: '{apiHost}',
            capture_pageview: 'history_change',
            disable_session_recording: '$not {sessionRecording}',
          },
        ],
      },
    ],
  },
  segment: {
    fields: { key: WORD },
    script: 'https://cdn.segment.com/analytics.js/v1/{key}/analytics.min.js',
    before: [
      { global: 'analytics', value: [['page']] },
      { object: 'analytics', value: { _writeKey: '{key}' } },
    ],
  },
  crisp: {
    kind: 'chat',
    fields: { websiteId: WORD },
    script: 'https://client.crisp.chat/l.js',
    sources: ['https://*.crisp.chat'],
    before: [
      { global: '$crisp', value: [] },
      { global: 'CRISP_WEBSITE_ID', value: '{websiteId}' },
    ],
  },
  frontchat: {
    kind: 'chat',
    fields: { snippetId: WORD },
    script: 'https://chat-assets.frontapp.com/v1/chat.bundle.js',
    after: [
      { call: 'FrontChat', args: ['init', { chatId: '{snippetId}', useDefaultLauncher: true }] },
    ],
  },
  intercom: {
    kind: 'chat',
    fields: { appId: WORD },
    script: 'https://widget.intercom.io/widget/{appId}',
    sources: ['https://js.intercomcdn.com'],
    before: [{ queue: 'Intercom' }, { global: 'intercomSettings', value: { app_id: '{appId}' } }],
  },
};

/** A site's settings for services: their fields, by name. */
export type ChosenIntegrations = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A service as loaded by a page. */
export interface LoadedIntegration {
  kind: NonNullable<Integration['kind']>;
  script: string;
  attributes: Record<string, string>;
  before: readonly IntegrationStep[];
  after: readonly IntegrationStep[];
}

function fill<Part>(part: Part, values: Readonly<Record<string, string>>): Part {
  if (typeof part === 'string') {
    const text = part.replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
    );
    return (text.startsWith('$not ') ? text !== '$not true' : text) as Part;
  }
  if (Array.isArray(part)) return part.map((item) => fill(item, values)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, fill(value, values)]),
  ) as Part;
}

/** Returns what pages load for a site's services, consent managers first. */
export function loadedIntegrations(chosen: ChosenIntegrations): LoadedIntegration[] {
  return Object.entries(INTEGRATIONS).flatMap(
    ([
      name,
      { defaults, kind = 'analytics', script, attributes = {}, before = [], after = [] },
    ]) => {
      if (!Object.hasOwn(chosen, name)) return [];
      return [
        { kind, ...fill({ script, attributes, before, after }, { ...defaults, ...chosen[name] }) },
      ];
    },
  );
}

/** Returns the script sources in CSP syntax. */
export function integrationSources(chosen: ChosenIntegrations): string[] {
  const scriptOrigins = loadedIntegrations(chosen).map(
    ({ script }) => /^https:\/\/[^/]+/.exec(script)?.[0] ?? '',
  );
  const further = Object.keys(chosen).flatMap((name) => INTEGRATIONS[name]?.sources ?? []);
  return [...new Set([...scriptOrigins, ...further])];
}
