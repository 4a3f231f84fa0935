import { hash } from 'node:crypto';
import type { SiteSecurity } from '@docent/format/access/site-settings.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { inlineScripts } from '@docent/theme/view/inline-script.ts';

const inlineHashes = Object.values(inlineScripts).map(
  (text) => `'sha256-${hash('sha256', text, 'base64')}'`,
);

/** What differs from site to site, in CSP syntax. */
export interface PolicySources {
  /** What may run on pages besides the site's own scripts. */
  scriptSources: readonly string[];
  /** Who may show a page in a frame. */
  frameAncestors: string;
}

/**
 * Returns the `Content-Security-Policy` of the pages of a site (CSP Level 3). Allowed scripts are
 * files of the site, our few inline scripts, and what the site additionally allows; never text
 * injected into a page. Images, videos, fonts and frames may come from anywhere, and pages call the
 * APIs that they document, including on the reader's own machine.
 *
 * All pages of a site have the same policy, because instant navigation keeps the policy of the
 * first page in force.
 */
export function pagePolicy({ scriptSources, frameAncestors }: PolicySources): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inlineHashes, ...scriptSources].join(' '),
    "style-src 'self' 'unsafe-inline' https:",
    'img-src * data: blob:',
    'media-src * data: blob:',
    'font-src * data:',
    'connect-src * ws: wss: data: blob:',
    'frame-src * data: blob:',
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https:",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

/**
 * Derives the policy of a site from its build and from what its owners allow, by default nothing.
 * @param platform who may frame a site without a setting of its own, in CSP syntax
 */
export function policySources(
  { scriptHosts = [] }: Pick<SiteBuild, 'scriptHosts'>,
  { scriptSources, frameAncestors }: SiteSecurity = { scriptSources: [], frameAncestors: null },
  platform: string,
): PolicySources {
  return {
    scriptSources: [...scriptHosts, ...scriptSources],
    frameAncestors: frameAncestors === null ? platform : frameAncestors.join(' ') || "'none'",
  };
}
