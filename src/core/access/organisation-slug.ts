import { isSlug } from './site-name.ts';

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
