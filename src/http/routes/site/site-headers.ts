/**
 * What a reader's browser may do with an answer of a site, by its media type. The one place that decides it, for hosted sites and
 * for bundles.
 * @param type media type of the body; absent for a redirect or an answer without one
 * @param options `isHttps`: the site is read over https alone, so browsers must never ask for it in the clear;
 *   `frameAncestors`: who may show a page in a frame, as CSP writes it
 */
export function siteHeaders(
  type: string | undefined,
  { isHttps, frameAncestors }: { isHttps: boolean; frameAncestors: string },
): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'content-security-policy': (type && documentPolicy(type)) ?? `frame-ancestors ${frameAncestors}`,
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/**
 * The `Content-Security-Policy` of a body of that type, where it needs one of its own: an SVG or XML file of the repository that is
 * opened on its own is a document, and must not run scripts on this origin.
 */
export function documentPolicy(type: string): string | undefined {
  const isForeignDocument = /^[\w.-]+\/(?:[\w.-]+\+)?xml(?:;|$)/i.test(type);
  return isForeignDocument ? "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox" : undefined;
}
