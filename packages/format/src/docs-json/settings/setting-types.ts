/** A value that may differ between the light and the dark appearance. */
export interface LightDark {
  light: string;
  dark: string;
}

export interface NavbarLink {
  label: string;
  href: string;
  icon?: string;
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
  /**
   * Overlays of the description: paths or HTTPS addresses, in order. Absent where files of the
   * source may extend it.
   */
  overlays?: string[];
}

/**
 * A reference that pages are generated from: a GraphQL schema, or the output of a documentation
 * tool for code.
 */
export interface SymbolSource {
  /** `graphql`, or the tool: `typedoc`. */
  format: string;
  /** Path inside the source tree or an HTTPS address. */
  source: string;
  /** Site folder of generated pages, without leading and trailing slashes. */
  directory: string;
}
