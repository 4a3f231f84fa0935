import type { SettingValues } from './json-schema.ts';
import type { readIntegrations } from './settings/integrations.ts';
import type { NavbarLink } from './settings/setting-types.ts';
import type { ConfiguredSource } from './site-sources.ts';

/** The `navigation` object of docs.json after its shape was checked, in the author's nesting. */
export type NavigationSource = Record<string, unknown>;

type Optional =
  | 'description'
  | 'logo'
  | 'favicon'
  | 'fonts'
  | 'banner'
  | 'contextual'
  | 'thumbnails'
  | 'feedback'
  | 'checks';
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
 * The parsed `docs.json`: checked, with defaults, `$ref`s resolved, `mint.json` upgraded. The
 * fields are those of the format's own documentation, except those that neither a theme nor the
 * content compiler uses; the checks of the settings describe them.
 */
export interface SiteConfig
  extends Omit<SettingValues, Optional | Divided>,
    Partial<Pick<SettingValues, Optional>>,
    Pick<SettingValues['styling'], 'eyebrows' | 'codeblocks' | 'latex'> {
  iconLibrary: SettingValues['icons']['library'];
  navbar: {
    links: NavbarLink[];
    primary?: Omit<NavbarLink, 'type'> & { type: 'button' | 'github' | 'discord' };
  };
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
  /** The further sources of the site, each in a folder of its own. */
  sources?: ConfiguredSource[];
  /** The checked raw navigation; `format/navigation` builds its tree. */
  navigation: NavigationSource;
}

/** What a language of the navigation may override. */
export type LanguageParts = Partial<Pick<SiteConfig, 'navbar' | 'footer' | 'banner'>>;

export type { ApiExamples, PlaygroundDisplay } from './settings/api.ts';
export type { FontConfig } from './settings/appearance.ts';
export type { ContextualOption, Organization } from './settings/content.ts';
export type {
  LightDark,
  NavbarLink,
  OpenApiSource,
  SymbolSource,
} from './settings/setting-types.ts';
