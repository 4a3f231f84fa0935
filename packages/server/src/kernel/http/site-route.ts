/** Path prefix of all content of a site, at any address. */
export const SITE_ROUTE = '/sites/:slug';
