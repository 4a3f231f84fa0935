import type { paths } from '../../../../dist/openapi.d.ts';

type Answers = {
  [Path in
    | '/v1/projects'
    | '/v1/projects/{projectId}']: paths[Path]['get']['responses'][200]['content']['application/json'];
};
type ListAnswer = Answers['/v1/projects'];

interface Early {
  org: string;
  address: string;
  answer: Promise<unknown>;
}

/**
 * Shared by the script in the head of the document and the application, which are separate bundles.
 */
const shared = globalThis as { earlyAnswer?: Early | undefined };

/** Maximum number of sites that a list shows in its first row. */
export const FIRST_ROW = 3;
/** With more sites, a list is easier to read than cards. */
export const MAX_CARDS = 12;

/** Address of the small preview image of a site's first page. */
export function pictureOf(slug: string): string {
  return `/sites/${slug}/_docent/og/index.webp`;
}

/** What the page of an organization asks for: its cards, and whether there are more sites. */
export const FIRST_SITES = { sort: 'deployed', limit: MAX_CARDS + 1 } as const;

/** Addresses of what is requested early. */
const addressOf = (domain: string | undefined) =>
  domain === undefined
    ? `/v1/projects?sort=${FIRST_SITES.sort}&limit=${FIRST_SITES.limit}`
    : `/v1/projects/${encodeURIComponent(domain)}`;

/**
 * Requests what a page needs first, while the application is still being loaded: the site that it
 * belongs to, or the first sites of the organization with their pictures.
 */
export function requestEarly(org: string, domain: string | undefined): void {
  const headers = { accept: 'application/json', 'docent-organization': org };
  const address = addressOf(domain);
  const answer = fetch(address, { headers })
    .then((response) => (response.ok ? (response.json() as Promise<unknown>) : undefined))
    .catch(() => undefined);
  shared.earlyAnswer = { org, address, answer };
  if (domain !== undefined) return;
  answer.then((list) => {
    for (const { slug, live } of (list as ListAnswer | undefined)?.projects.slice(0, FIRST_ROW) ??
      [])
      if (live) new Image().src = pictureOf(slug);
  });
}

/** Forgets what was requested early: it is about the page that was loaded, as it was then. */
export function dropEarlyAnswer(): void {
  shared.earlyAnswer = undefined;
}

async function takeEarly(org: string, domain: string | undefined): Promise<unknown> {
  const early = shared.earlyAnswer;
  if (early?.org !== org || early.address !== addressOf(domain)) return undefined;
  dropEarlyAnswer();
  return early.answer;
}

/**
 * Returns the site that was requested early, once; `undefined` if it was not, or the request
 * failed.
 */
export const takeEarlySite = (org: string, domain: string) =>
  takeEarly(org, domain) as Promise<Answers['/v1/projects/{projectId}'] | undefined>;

/** The same for the first sites of an organization. */
export const takeEarlySites = (org: string) =>
  takeEarly(org, undefined) as Promise<ListAnswer | undefined>;
