/** What the owners of a site decide about it as a whole. */
export interface SiteSettings {
  /** Search engines are asked to leave the site out. */
  noindex: boolean;
}

/** What holds for a site that has decided nothing. */
export const defaultSiteSettings: Readonly<SiteSettings> = { noindex: false };
