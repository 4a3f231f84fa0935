import { isSlug } from './site-name.ts';

/** Parts of addresses of the dashboard, where the identifier of an organisation stands otherwise. */
const RESERVED = new Set(['account', 'accounts', 'assets', 'invite', 'reset', 'setup', 'sign-in', 'sign-out', 'sign-up', 'new']);

/** Whether an organisation can have the identifier: one label of a host name that is no page of the dashboard. */
export function isOrganisationSlug(text: string): boolean {
  return isSlug(text) && !RESERVED.has(text);
}

/** An identifier for an organisation of that name; `undefined` where the name has no letter or digit to make one of. */
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
