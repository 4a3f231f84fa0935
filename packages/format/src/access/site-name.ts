/** A label of a host name, lower case. */
export const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SLUG = new RegExp(`^${LABEL}$`);
const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);
const PROJECT_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Returns whether `text` can be a site's identifier: one host name label, lower case. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/**
 * Returns whether a new site may have the identifier: it must never be the name of a preview of
 * another site.
 */
export function isNewSlug(text: string): boolean {
  return isSlug(text) && !text.includes('--');
}

/**
 * Returns whether `text` is a host name (RFC 1123), lower case, without port or trailing dot. IPv4
 * addresses do not count.
 */
export function isHostname(text: string): boolean {
  return HOSTNAME.test(text) && !/(?:^|\.)\d+$/.test(text);
}

/**
 * Returns whether `text` can name a site in a URL: its identifier, one of its host names, or its
 * project id.
 */
export function isSiteName(text: string): boolean {
  return PROJECT_ID.test(text) || isSlug(text) || isHostname(text.toLowerCase());
}

/** Path segments of the dashboard that would clash with the identifier of an organization. */
const RESERVED = new Set([
  'account',
  'accounts',
  'assets',
  'invite',
  'reset',
  'setup',
  'sign-in',
  'sign-out',
  'sign-up',
  'new',
]);

/**
 * Returns whether an organization can have the identifier: one host name label that is not a page
 * of the dashboard.
 */
export function isOrganizationSlug(text: string): boolean {
  return isSlug(text) && !RESERVED.has(text);
}

/**
 * Returns an identifier for an organization of that name; `undefined` if the name has no letter or
 * digit.
 */
export function organizationSlugFrom(name: string): string | undefined {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, 50).replace(/-$/, '');
  if (slug === '') return undefined;
  return isOrganizationSlug(slug) ? slug : `${slug}-docs`;
}

/** Separates the two parts of a preview's name, `<preview>--<identifier>`. */
export const PREVIEW_SEPARATOR = '--';
const MAX_LABEL_CHARACTERS = 63;

/**
 * Returns the maximum length of a preview name of a site, so that both fit into one host name
 * label.
 */
export function maxPreviewName(slug: string): number {
  return MAX_LABEL_CHARACTERS - PREVIEW_SEPARATOR.length - slug.length;
}

/** Returns the host name label of a preview, `new-start--acme`. */
export function previewLabelOf(name: string, slug: string): string {
  return `${name}${PREVIEW_SEPARATOR}${slug}`;
}

/** Parses the label of a preview. */
export function readPreviewLabel(label: string): { name: string; slug: string } | undefined {
  const at = label.indexOf(PREVIEW_SEPARATOR);
  if (at < 1) return undefined;
  const [name, slug] = [label.slice(0, at), label.slice(at + PREVIEW_SEPARATOR.length)];
  return isSlug(name) && isSlug(slug) ? { name, slug } : undefined;
}

/**
 * Returns the name of a preview for a branch: `feature/New start` → `feature-new-start`.
 * @param maxCharacters at least 1
 * @returns `undefined` if no character of the branch is allowed in a host name
 */
export function previewNameOf(branch: string, maxCharacters: number): string | undefined {
  const words = branch.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, maxCharacters).replace(/-$/, '');
  return name === '' ? undefined : name;
}
