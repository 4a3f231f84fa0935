const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SLUG = new RegExp(`^${LABEL}$`);
const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);
const PROJECT_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether `text` can be a site's identifier: one label of a host name, lower case. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** Whether a new site may have the identifier: the name of a preview of another site must never be one. */
export function isNewSlug(text: string): boolean {
  return isSlug(text) && !text.includes('--');
}

/** Whether `text` is a host name (RFC 1123), lower case, without port or trailing dot; an IPv4 address is none. */
export function isHostname(text: string): boolean {
  return HOSTNAME.test(text) && !/(?:^|\.)\d+$/.test(text);
}

/** Whether `text` can name a site in an address: its identifier, one of its host names, or its project id. */
export function isSiteName(text: string): boolean {
  return PROJECT_ID.test(text) || isSlug(text) || isHostname(text.toLowerCase());
}
