import type { NavigationSource } from '../navigation/navigation.ts';
import type { ChosenIntegrations } from './integration-table.ts';
import type { Repository } from './repository.ts';

/** A value that may differ between the light and the dark appearance. */
export interface LightDark {
  light: string;
  dark: string;
}

export type Appearance = 'system' | 'light' | 'dark';
export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler';

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

/**
 * The parsed `docs.json`: checked, with defaults, `$ref`s resolved, `mint.json` upgraded. The fields are those of the format's
 * own documentation, except those that neither a theme nor the content compiler uses.
 */
export interface SiteConfig {
  theme: string;
  name: string;
  description?: string;
  colors: { primary: string; light: string; dark: string };
  logo?: LightDark & { href?: string };
  favicon?: LightDark;
  appearance: { default: Appearance; strict: boolean };
  fonts?: { heading?: FontConfig; body?: FontConfig };
  iconLibrary: IconLibrary;
  background: { decoration?: 'gradient' | 'grid' | 'windows'; color?: Partial<LightDark>; image?: LightDark };
  eyebrows: 'section' | 'breadcrumbs';
  codeblocks: {
    mode: 'system' | 'dark';
    theme?: LightDark;
    /** TextMate grammar files for custom languages, as site paths. */
    customLanguages?: string[];
  };
  latex?: boolean;
  navbar: { links: NavbarLink[]; primary?: Omit<NavbarLink, 'type'> & { type: 'button' | 'github' | 'discord' } };
  footer: { socials: { platform: string; href: string }[]; links: { header?: string; items: LabelledLink[] }[] };
  banner?: {
    content: string;
    dismissible: boolean;
    type: 'info' | 'warning' | 'critical';
    /** Instead of the color of the type. */
    color?: LightDark;
  };
  /** Overrides for readers of one language, by its code as written. */
  byLanguage?: { language: string; parts: LanguageParts }[];
  /** The menu of a page, with actions for readers. */
  contextual?: { display: 'header' | 'toc'; options: ContextualOption[] };
  /** The look of the preview images that other sites show for links to pages. */
  thumbnails?: { appearance?: 'light' | 'dark'; background?: string; fontFamily?: string };
  /** Whether a click on a group opens its first page (`true`) or only expands it. */
  drilldown?: boolean;
  /** Whether pages show their last change, if known. */
  timestamp?: boolean;
  /** Those of the author, then those of `addedRedirects`. */
  redirects: { source: string; destination: string; permanent: boolean; isAdded?: true }[];
  variables: Record<string, string>;
  errors404: { redirect: boolean; title?: string; description?: string };
  api: {
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
  };
  seo: {
    indexing: 'navigable' | 'all';
    metatags: Record<string, string>;
    organization?: Organization;
    /** Whether canonical URLs end in a slash. */
    trailingSlash?: boolean;
  };
  searchPrompt?: string;
  /** Scripts of third-party services, if the operator allows them. */
  integrations?: Pick<IntegrationsSetting, 'services' | 'consent'>;
  /** `false`: pages report no activity or feedback of readers. */
  telemetry?: boolean;
  /** The feedback form below a page, and the links to its source. */
  feedback?: FeedbackSetting;
  /** Information for programs that read the documentation; included in `llms.txt`. */
  agentInstructions?: string[];
  /** Whether the Markdown of API pages includes the operation's description. Absent: yes. */
  markdownSchema?: boolean;
  /** The checked raw navigation; `core/navigation` builds its tree. */
  navigation: NavigationSource;
}

export interface FontConfig {
  family: string;
  weight?: number;
  source?: string;
  format?: 'woff' | 'woff2';
}

/** What a language of the navigation may override. */
export type LanguageParts = Partial<Pick<SiteConfig, 'navbar' | 'footer' | 'banner'>>;

/** An entry of the page menu: a built-in one, or one of the author's. */
export type ContextualOption =
  | { kind: 'builtin'; name: string }
  | {
      kind: 'custom';
      title: string;
      description: string;
      icon?: string;
      /** May contain `$page`, `$path` and `$mcp`. */
      href: string | { base: string; query: { key: string; value: string }[] };
    };

/** How API pages show a request: a form that sends it, the request alone, or neither. */
export type PlaygroundDisplay = 'interactive' | 'simple' | 'none' | 'auth';

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

/** The publisher of the documentation, for search engines. */
export interface Organization {
  id?: string;
  name?: string;
  legalName?: string;
  url?: string;
  logo?: string;
  sameAs?: string[];
}

/** A site's settings for third-party services, and for asking readers before loading them. */
export interface IntegrationsSetting {
  services: ChosenIntegrations;
  /** The storage value that means the reader has agreed. */
  consent?: { key: string; value: string };
  telemetry?: boolean;
}

/** What pages offer for feedback. */
export interface FeedbackSetting {
  thumbsRating: boolean;
  suggestEdit: boolean;
  raiseIssue: boolean;
  repository?: Repository | undefined;
}
