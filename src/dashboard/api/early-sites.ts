import type { components } from '../../../dist/openapi.d.ts';

type Answer = { projects: components['schemas']['Project'][] } | undefined;

/** Shared by the script in the head of the document and the application, which are separate bundles. */
const shared = globalThis as { earlySites?: { org: string; answer: Promise<Answer> } | undefined };

/** Maximum number of sites that a list shows in its first row. */
export const FIRST_ROW = 3;

/** Address of the small preview image of a site's first page. */
export function pictureOf(slug: string): string {
  return `/sites/${slug}/_docent/og/index.webp`;
}

/**
 * Requests the sites of an organization, which every page of it shows, while the application is still being loaded.
 * @param withPictures whether the page shows the pictures of sites, which are then requested too
 */
export function requestSitesEarly(org: string, withPictures: boolean): void {
  const headers = { accept: 'application/json', 'docent-organisation': org };
  const answer = fetch('/v1/projects', { headers })
    .then((response) => (response.ok ? (response.json() as Promise<Answer>) : undefined))
    .catch(() => undefined);
  shared.earlySites = { org, answer };
  if (!withPictures) return;
  answer.then((found) => {
    for (const { slug, live } of found?.projects.slice(0, FIRST_ROW) ?? []) if (live) new Image().src = pictureOf(slug);
  });
}

/** Forgets what was requested early: it is about the page that was loaded, as the sites were then. */
export function dropEarlySites(): void {
  shared.earlySites = undefined;
}

/** Returns what was requested early, once; `undefined` if there is nothing, or the request failed. */
export async function takeEarlySites(org: string): Promise<Answer> {
  const early = shared.earlySites;
  shared.earlySites = undefined;
  return early?.org === org ? early.answer : undefined;
}
