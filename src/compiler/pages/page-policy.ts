import { hash } from 'node:crypto';
import type { SiteSecurity } from '../../core/access/site-security.ts';
import type { SiteBuild } from '../../core/site-build.ts';
import { inlineScripts } from '../../theme/inline-script-texts.ts';

const inlineHashes = Object.values(inlineScripts).map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);

/** What differs from site to site, as CSP writes it. */
export interface PolicySources {
  /** What may run on pages besides the site's own scripts. */
  scriptSources: readonly string[];
  /** Who may show a page in a frame. */
  frameAncestors: string;
}

/**
 * The `Content-Security-Policy` of the pages of a site (CSP Level 3). Scripts are files of the site, the few of ours that stand inside
 * pages, and what the site allows besides; never text that somebody got into a page. Pictures, videos, fonts and frames come from
 * wherever authors take them, and pages call the APIs that they document, on the reader's own machine too.
 *
 * All pages of a site have the same policy, because with instant navigation the one of the first page stays in force.
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
    "base-uri 'self'",
    "form-action 'self' https:",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');
}

/**
 * What the policy of a site takes from its build and from what its owners allow.
 * @param platform who may frame a site that has decided nothing, as CSP writes it
 */
export function policySources(
  { scriptHosts = [] }: Pick<SiteBuild, 'scriptHosts'>,
  { scriptSources, frameAncestors }: SiteSecurity,
  platform: string,
): PolicySources {
  return {
    scriptSources: [...scriptHosts, ...scriptSources],
    frameAncestors: frameAncestors === null ? platform : frameAncestors.join(' ') || "'none'",
  };
}
