import type { NavigationSource } from '../navigation/navigation.ts';
import type { FeedbackSetting } from './settings/feedback.ts';
import type { IntegrationsSetting } from './settings/integrations.ts';

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

/** A link of the header. */
export interface NavbarLink extends LabelledLink {
  /** A platform whose mark it has, and whose count: stars, or members online. */
  type?: 'github' | 'discord';
  /** Asked for when the site was built. */
  count?: number;
}

export interface OpenApiSource {
  /** Path inside the source tree or an HTTPS address. */
  source: string;
  /** Site folder under which generated pages live, without slashes at the ends. */
  directory?: string;
}

/** A reference that pages are made from: a GraphQL schema, or what a documentation tool wrote about code. */
export interface SymbolSource {
  /** `graphql`, or the tool: `typedoc`. */
  format: string;
  /** Path inside the source tree or an HTTPS address. */
  source: string;
  /** Site folder under which generated pages live, without slashes at the ends. */
  directory: string;
}

/**
 * `docs.json` after reading: checked, defaults filled in, `$ref`s followed, `mint.json` upgraded. Field by field as in
 * the format's own documentation; what a theme or the content compiler does not use is not here.
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
    /** Files with TextMate grammars for languages of the author's own, as site paths. */
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
  /** What readers of one language get instead of the site's own, by the language's code as written. */
  byLanguage?: { language: string; parts: LanguageParts }[];
  /** The menu of a page: what readers can do with it. */
  contextual?: { display: 'header' | 'toc'; options: ContextualOption[] };
  /** How the preview images of pages look, which other sites show for a link. */
  thumbnails?: { appearance?: 'light' | 'dark'; background?: string; fontFamily?: string };
  /** Whether a click on a group leads to its first page (`true`) or only opens it. */
  drilldown?: boolean;
  /** Whether pages say when they were last changed, where that is known. */
  timestamp?: boolean;
  redirects: { source: string; destination: string; permanent: boolean }[];
  variables: Record<string, string>;
  errors404: { redirect: boolean; title?: string; description?: string };
  api: {
    openapi: OpenApiSource[];
    asyncapi: OpenApiSource[];
    playground: PlaygroundDisplay;
    baseUrls: string[];
    authMethod?: 'bearer' | 'basic' | 'key' | 'none';
    authName?: string;
    /** What is sent before the key. */
    authPrefix?: string;
    /** Whether the browser sends the cookies that it has for the API. */
    withCookies?: boolean;
    /** Whether the site's server makes the calls of readers. */
    isProxied?: boolean;
    /** Whether fields inside fields are open at first. */
    expandParams?: boolean;
    /** Keywords of a description's fields that are shown as pills behind their names. */
    paramPills?: string[];
    examples?: ApiExamples;
  };
  seo: {
    indexing: 'navigable' | 'all';
    metatags: Record<string, string>;
    organization?: Organization;
    /** Whether canonical addresses end in a slash. */
    trailingSlash?: boolean;
  };
  searchPrompt?: string;
  /** Scripts of other services, for where the operator allows them. */
  integrations?: Pick<IntegrationsSetting, 'services' | 'consent'>;
  /** `false`: pages send nothing of what readers do or say. */
  telemetry?: boolean;
  /** What readers are asked below a page, and the ways to its source. */
  feedback?: FeedbackSetting;
  /** What programs that read the documentation should know; stands in `llms.txt`. */
  agentInstructions?: string[];
  /** Whether the Markdown of API pages holds the description of the operation. Absent: yes. */
  markdownSchema?: boolean;
  /** The raw navigation, checked; `core/navigation` makes the tree of it. */
  navigation: NavigationSource;
}

export interface FontConfig {
  family: string;
  weight?: number;
  source?: string;
  format?: 'woff' | 'woff2';
}

/** What a language of the navigation may bring of its own. */
export type LanguageParts = Partial<Pick<SiteConfig, 'navbar' | 'footer' | 'banner'>>;

/** An entry of the menu of a page: one that the format names, or one of the author's. */
export type ContextualOption =
  | { kind: 'builtin'; name: string }
  | {
      kind: 'custom';
      title: string;
      description: string;
      icon?: string;
      /** May hold `$page`, `$path` and `$mcp`. */
      href: string | { base: string; query: { key: string; value: string }[] };
    };

/** What API pages show of a request: a form that sends it, the request alone, or neither. */
export type PlaygroundDisplay = 'interactive' | 'simple' | 'none' | 'auth';

/** The request examples that are made for operations. */
export interface ApiExamples {
  /** Languages in the order of the tabs; absent: our choice. */
  languages?: string[];
  /** Whether examples hold required fields only. */
  requiredOnly: boolean;
  /** `false`: only the examples that the description itself has. */
  autogenerate: boolean;
  /** Whether the fields of a form begin with the examples in them. */
  prefill?: boolean;
}

/** Who publishes the documentation, for search engines. */
export interface Organization {
  id?: string;
  name?: string;
  legalName?: string;
  url?: string;
  logo?: string;
  sameAs?: string[];
}
