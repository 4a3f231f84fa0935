const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SLUG = new RegExp(`^${LABEL}$`);
const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);
const PROJECT_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Returns whether `text` can be a site's identifier: one host name label, lower case. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** Returns whether a new site may have the identifier: it must never be the name of a preview of another site. */
export function isNewSlug(text: string): boolean {
  return isSlug(text) && !text.includes('--');
}

/** Returns whether `text` is a host name (RFC 1123), lower case, without port or trailing dot. IPv4 addresses do not count. */
export function isHostname(text: string): boolean {
  return HOSTNAME.test(text) && !/(?:^|\.)\d+$/.test(text);
}

/** Returns whether `text` can name a site in a URL: its identifier, one of its host names, or its project id. */
export function isSiteName(text: string): boolean {
  return PROJECT_ID.test(text) || isSlug(text) || isHostname(text.toLowerCase());
}

/** Path segments of the dashboard that would clash with the identifier of an organization. */
const RESERVED = new Set(['account', 'accounts', 'assets', 'invite', 'reset', 'setup', 'sign-in', 'sign-out', 'sign-up', 'new']);

/** Returns whether an organization can have the identifier: one host name label that is not a page of the dashboard. */
export function isOrganisationSlug(text: string): boolean {
  return isSlug(text) && !RESERVED.has(text);
}

/** Returns an identifier for an organization of that name; `undefined` if the name has no letter or digit. */
export function organisationSlugFrom(name: string): string | undefined {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, 50).replace(/-$/, '');
  if (slug === '') return undefined;
  return isOrganisationSlug(slug) ? slug : `${slug}-docs`;
}
