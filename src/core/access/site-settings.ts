/** General settings of a site, set by its owners. */
export interface SiteSettings {
  /** Asks search engines not to index the site. */
  noindex: boolean;
}

export const defaultSiteSettings: Readonly<SiteSettings> = { noindex: false };

/** Security settings of a site for browsers that show it. */
export interface SiteSecurity {
  /** What may run on its pages in addition to the site's own scripts, in CSP syntax: hosts, paths on them, hashes of scripts. */
  scriptSources: string[];
  /** Who may embed its pages in a frame: `'self'` and origins; empty for nobody, `null` for the platform's default. */
  frameAncestors: string[] | null;
}

export const defaultSiteSecurity: Readonly<SiteSecurity> = { scriptSources: [], frameAncestors: null };

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = `${LABEL}(?:\\.${LABEL})*(?::\\d{1,5})?`;

/**
 * A script source that a site may allow: an https host, a path on it, or a hash. No wildcard, no `'unsafe-…'`, and no character
 * that could end a directive or a header.
 */
export const SCRIPT_SOURCE = new RegExp(
  `^(?:https://${HOST}(?:/[\\w.~%/-]*)?|'sha256-[A-Za-z0-9+/]{43}='|'sha384-[A-Za-z0-9+/]{64}'|'sha512-[A-Za-z0-9+/]{86}==')$`,
);

/** A frame ancestor that a site may allow: an origin, or the site itself. */
export const FRAME_ANCESTOR = new RegExp(`^(?:'self'|https?://${HOST})$`);
