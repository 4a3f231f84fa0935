/** A value that may differ between the light and the dark appearance. */
export interface LightDark {
  light: string;
  dark: string;
}

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
