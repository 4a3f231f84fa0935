import { type PolicySources, pagePolicy } from '../../../compiler/pages/page-policy.ts';

/** What differs from site to site in what a browser may do. */
export interface BrowserRules extends PolicySources {
  /** The site is read over https alone, so browsers must never ask for it in the clear. */
  isHttps: boolean;
}

/**
 * What a reader's browser may do with an answer of a site, by its media type. The one place that decides it, for hosted sites and
 * for bundles.
 * @param type media type of the body; absent for a redirect or an answer without one
 */
export function siteHeaders(type: string | undefined, rules: BrowserRules): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    // Scripts of one site cannot reach another below the same domain by `document.domain`.
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'content-security-policy': contentPolicy(type, rules),
    // For what knows no `frame-ancestors`, which wins elsewhere.
    ...(rules.frameAncestors === "'self'" && { 'x-frame-options': 'SAMEORIGIN' }),
    ...(rules.isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** The `Content-Security-Policy` of a body of that type. */
export function contentPolicy(type: string | undefined, rules: PolicySources): string {
  if (type?.startsWith('text/html')) return pagePolicy(rules);
  return (type && documentPolicy(type)) ?? `frame-ancestors ${rules.frameAncestors}`;
}

/**
 * The policy where the body is a document that is none of our pages: an SVG or XML file of the repository that is opened on its own
 * must not run scripts on this origin.
 */
function documentPolicy(type: string): string | undefined {
  const isForeignDocument = /^[\w.-]+\/(?:[\w.-]+\+)?xml(?:;|$)/i.test(type);
  return isForeignDocument ? "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" : undefined;
}
