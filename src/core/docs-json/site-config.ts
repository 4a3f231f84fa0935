import type { NavigationSource } from '../navigation/navigation.ts';
import type { SettingValues } from './json-schema.ts';
import type { readIntegrations } from './settings/integrations.ts';

/** A value that may differ between the light and the dark appearance. */
export interface LightDark {
  light: string;
  dark: string;
}

export type Appearance = SettingValues['appearance']['default'];

export interface LabelledLink {
  label: string;
  href: string;
  icon?: string;
}

export interface NavbarLink extends LabelledLink {
  /** A platform whose icon and count are shown: stars, or members online. */
  type?: 'github' | 'discord';
  /** Fetched at build time. */
  count?: number;
}

export interface OpenApiSource {
  /** Path inside the source tree or an HTTPS address. */
  source: string;
  /** Site folder of generated pages, without leading and trailing slashes. */
  directory?: string;
  /** Overlays of the description: paths or HTTPS addresses, in order. Absent where files of the source may extend it. */
  overlays?: string[];
}

/** A reference that pages are generated from: a GraphQL schema, or the output of a documentation tool for code. */
export interface SymbolSource {
  /** `graphql`, or the tool: `typedoc`. */
  format: string;
  /** Path inside the source tree or an HTTPS address. */
  source: string;
  /** Site folder of generated pages, without leading and trailing slashes. */
  directory: string;
}

type Optional = 'description' | 'logo' | 'favicon' | 'fonts' | 'banner' | 'contextual' | 'thumbnails' | 'feedback';
/** Those of which the configuration has parts. */
type Divided =
  | 'icons'
  | 'styling'
  | 'navbar'
  | 'interaction'
  | 'search'
  | 'redirects'
  | 'metadata'
  | 'errors'
  | 'markdown'
  | 'variations'
  | 'integrations';

/**
 * The parsed `docs.json`: checked, with defaults, `$ref`s resolved, `mint.json` upgraded. The fields are those of the format's
 * own documentation, except those that neither a theme nor the content compiler uses; the checks of the settings describe them.
 */
export interface SiteConfig
  extends Omit<SettingValues, Optional | Divided>,
    Partial<Pick<SettingValues, Optional>>,
    Pick<SettingValues['styling'], 'eyebrows' | 'codeblocks' | 'latex'> {
  iconLibrary: SettingValues['icons']['library'];
  navbar: { links: NavbarLink[]; primary?: Omit<NavbarLink, 'type'> & { type: 'button' | 'github' | 'discord' } };
  /** Overrides for readers of one language, by its code as written. */
  byLanguage?: { language: string; parts: LanguageParts }[];
  drilldown?: boolean;
  /** Whether pages show their last change, if known. */
  timestamp?: boolean;
  /** Those of the author, then those of `addedRedirects`. */
  redirects: (SettingValues['redirects'][number] & { isAdded?: true })[];
  errors404: SettingValues['errors']['404'];
  searchPrompt?: string;
  /** Scripts of third-party services, if the operator allows them. */
  integrations?: Pick<ReturnType<typeof readIntegrations>, 'services' | 'consent'>;
  /** `false`: pages report no activity or feedback of readers. */
  telemetry?: boolean;
  /** Information for programs that read the documentation; included in `llms.txt`. */
  agentInstructions?: string[];
  /** Whether the Markdown of API pages includes the operation's description. Absent: yes. */
  markdownSchema?: boolean;
  /** The checked raw navigation; `core/navigation` builds its tree. */
  navigation: NavigationSource;
}

/** What a language of the navigation may override. */
export type LanguageParts = Partial<Pick<SiteConfig, 'navbar' | 'footer' | 'banner'>>;

/** How API pages show a request: a form that sends it, the request alone, or neither. */
export type PlaygroundDisplay = 'interactive' | 'simple' | 'none' | 'auth';

/** The API that the documentation describes. */
export interface ApiSetting {
  openapi: OpenApiSource[];
  asyncapi: OpenApiSource[];
  playground: PlaygroundDisplay;
  baseUrls: string[];
  authMethod?: 'bearer' | 'basic' | 'key' | 'none';
  authName?: string;
  /** The prefix of the key. */
  authPrefix?: string;
  /** Whether the browser sends its cookies for the API. */
  withCookies?: boolean;
  /** Whether the site's server proxies readers' calls. */
  isProxied?: boolean;
  /** Whether nested fields are expanded initially. */
  expandParams?: boolean;
  /** Keywords of a description's fields that are shown as pills after their names. */
  paramPills?: string[];
  examples?: ApiExamples;
}

/** The request examples that are generated for operations. */
export interface ApiExamples {
  /** Languages in tab order; absent: the default. */
  languages?: string[];
  /** Whether examples contain only required fields. */
  requiredOnly: boolean;
  /** `false`: only the description's own examples. */
  autogenerate: boolean;
  /** Whether the fields of a form are prefilled with the examples. */
  prefill?: boolean;
}

export type { FontConfig } from './settings/appearance.ts';
export type { ContextualOption, Organization } from './settings/content.ts';
