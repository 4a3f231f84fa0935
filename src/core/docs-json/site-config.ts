import type { NavigationSource } from '../navigation/navigation.ts';

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

export interface OpenApiSource {
  /** Path inside the source tree or an HTTPS address. */
  source: string;
  /** Site folder under which generated pages live, without slashes at the ends. */
  directory?: string;
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
  codeblocks: { mode: 'system' | 'dark'; theme?: LightDark };
  latex?: boolean;
  navbar: { links: LabelledLink[]; primary?: LabelledLink & { type: 'button' | 'github' | 'discord' } };
  footer: { socials: { platform: string; href: string }[]; links: { header?: string; items: LabelledLink[] }[] };
  banner?: { content: string; dismissible: boolean; type: 'info' | 'warning' | 'critical' };
  redirects: { source: string; destination: string; permanent: boolean }[];
  variables: Record<string, string>;
  errors404: { redirect: boolean; title?: string; description?: string };
  api: {
    openapi: OpenApiSource[];
    asyncapi: OpenApiSource[];
    playground: 'interactive' | 'simple' | 'none' | 'auth';
    baseUrls: string[];
    authMethod?: 'bearer' | 'basic' | 'key' | 'none';
    authName?: string;
  };
  seo: { indexing: 'navigable' | 'all'; metatags: Record<string, string> };
  searchPrompt?: string;
  /** What programs that read the documentation should know; stands in `llms.txt`. */
  agentInstructions?: string[];
  /** The raw navigation, checked; `core/navigation` makes the tree of it. */
  navigation: NavigationSource;
}

export interface FontConfig {
  family: string;
  weight?: number;
  source?: string;
  format?: 'woff' | 'woff2';
}
