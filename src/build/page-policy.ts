import { hash } from 'node:crypto';
import type { SiteSecurity } from '../core/access/site-security.ts';
import { inlineScripts } from '../theme/inline-script-texts.ts';

const inlineHashes = Object.values(inlineScripts).map((text) => `'sha256-${hash('sha256', text, 'base64')}'`);

/**
 * The `Content-Security-Policy` of the pages of a site (CSP Level 3). Scripts are files of the site, the few of ours that stand inside
 * pages, and what the site allows besides; never text that somebody got into a page. Pictures, videos, fonts and frames come from
 * wherever authors take them, and pages call the APIs that they document, on the reader's own machine too.
 *
 * All pages of a site have the same policy, because with instant navigation the one of the first page stays in force.
 * @param frameAncestors as CSP writes it
 */
export function pagePolicy({
  scriptSources,
  frameAncestors,
}: {
  scriptSources: readonly string[];
  frameAncestors: string;
}): string {
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

/** Who may frame a site, as CSP writes it. @param platform what holds where the site has decided nothing */
export function frameAncestorsOf({ frameAncestors }: Pick<SiteSecurity, 'frameAncestors'>, platform: string): string {
  if (frameAncestors === null) return platform;
  return frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ');
}
