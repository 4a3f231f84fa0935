import * as z from 'zod';
import { isBasePath } from '../base-path.ts';
import { LABEL } from './site-name.ts';

const HOST = `${LABEL}(?:\\.${LABEL})*(?::\\d{1,5})?`;

const PUBLIC_URL = new RegExp(`^https?://${HOST}(/.*)?$`);
const MAX_PUBLIC_URL_LENGTH = 300;
const PUBLIC_URL_RULE =
  'Must be an address such as https://acme.com/docs: http or https, a host in lower case, and a path of letters, digits and . _ ~ -, without query and fragment.';

/**
 * Returns whether a site may have an address: an origin, and a base path. Files of every site are
 * at `/_docent/`.
 */
function isPublicUrl(text: string): boolean {
  const [, basePath = ''] = PUBLIC_URL.exec(text) ?? [undefined, '/_docent'];
  return isBasePath(basePath) && !/^\/_docent(?:\/|$)/.test(basePath);
}

/** General settings of a site, set by its owners. */
export const siteSettings = z.object({
  noindex: z.boolean().describe('Whether search engines are asked not to index the site.'),
  publicUrl: z
    .url({ error: PUBLIC_URL_RULE, abort: true })
    .max(MAX_PUBLIC_URL_LENGTH)
    .overwrite((text) => text.replace(/(?<!\/)\/+$/, ''))
    .refine(isPublicUrl, PUBLIC_URL_RULE)
    .nullable()
    .describe(
      'Address at which readers open the site through a proxy, such as `https://acme.com/docs`. Links, redirects, `sitemap.xml` and canonical URLs use it, and its path is the base path of every page. `null`: the first verified hostname, or the default address.',
    ),
});
export type SiteSettings = z.infer<typeof siteSettings>;

export const defaultSiteSettings: Readonly<SiteSettings> = { noindex: false, publicUrl: null };

/**
 * A script source that a site may allow: an https host, a path on it, or a hash. No wildcard, no
 * `'unsafe-…'`, and no character that could end a directive or a header.
 */
export const SCRIPT_SOURCE = new RegExp(
  `^(?:https://${HOST}(?:/[\\w.~%/-]*)?|'sha256-[A-Za-z0-9+/]{43}='|'sha384-[A-Za-z0-9+/]{64}'|'sha512-[A-Za-z0-9+/]{86}==')$`,
);

/** A frame ancestor that a site may allow: an origin, or the site itself. */
export const FRAME_ANCESTOR = new RegExp(`^(?:'self'|https?://${HOST})$`);

/** Together with the rest of the policy, this fits into the header limit of common proxies. */
const MAX_SOURCES = 20;
const MAX_SOURCE_LENGTH = 150;

const scriptSource = z
  .string()
  .max(MAX_SOURCE_LENGTH)
  .regex(
    SCRIPT_SOURCE,
    "Must be an https host such as https://cdn.example.com, a path on it, or a hash such as 'sha256-…' in single quotes; no wildcard.",
  );
const frameAncestor = z
  .string()
  .max(MAX_SOURCE_LENGTH)
  .regex(
    FRAME_ANCESTOR,
    "Must be an origin such as https://app.example.com in lower case, or 'self' in single quotes; no wildcard.",
  );

/**
 * Security settings of a site for browsers that show it, in the syntax of its
 * Content-Security-Policy.
 */
export const siteSecurity = z.object({
  scriptSources: z
    .array(scriptSource)
    .max(MAX_SOURCES)
    .describe(
      'Additional script sources of pages: https hosts, paths on them, and hashes of inline scripts.',
    ),
  frameAncestors: z
    .array(frameAncestor)
    .max(MAX_SOURCES)
    .nullable()
    .describe(
      "Origins whose pages may embed the site in a frame; `'self'` is the site itself. Empty: none. `null`: the platform’s default (`DOCENT_FRAME_ANCESTORS`).",
    ),
});
export type SiteSecurity = z.infer<typeof siteSecurity>;

export const defaultSiteSecurity: Readonly<SiteSecurity> = {
  scriptSources: [],
  frameAncestors: null,
};
