/** General settings of a site, set by its owners. */
export interface SiteSettings {
  /** Asks search engines not to index the site. */
  noindex: boolean;
}

/** The defaults of a site. */
export const defaultSiteSettings: Readonly<SiteSettings> = { noindex: false };
