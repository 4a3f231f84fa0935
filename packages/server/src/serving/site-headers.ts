import { type PolicySources, pagePolicy } from '@docent/compiler/pages/page-policy.ts';
import { agentLinks } from '@docent/compiler/site/agent-files.ts';
import { oncePerObject } from '@docent/format/once.ts';

/**
 * Returns the headers that tell a browser what it may do with a response of a site, by media type.
 * The only place that decides it, for hosted sites and for bundles.
 * @param type media type of the body; absent for a redirect or an answer without one
 */
export function siteHeaders(
  type: string | undefined,
  rules: PolicySources,
): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    // Scripts of one site cannot reach another below the same domain through `document.domain`.
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'content-security-policy': contentPolicy(type, rules),
    // For clients without `frame-ancestors`, which takes precedence elsewhere.
    ...(rules.frameAncestors === "'self'" && { 'x-frame-options': 'SAMEORIGIN' }),
  };
}

const pagePolicyOf = oncePerObject(pagePolicy);

/**
 * Not our pages: an SVG or XML file of the repository that is opened directly must not run scripts
 * on this origin.
 */
const FOREIGN_DOCUMENT = /^[\w.-]+\/(?:[\w.-]+\+)?xml(?:;|$)/i;

/** Returns the `Content-Security-Policy` of a body of that type. */
export function contentPolicy(type: string | undefined, rules: PolicySources): string {
  if (type?.startsWith('text/html')) return pagePolicyOf(rules);
  if (type && FOREIGN_DOCUMENT.test(type))
    return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
  return `frame-ancestors ${withSelf(rules.frameAncestors)}`;
}

/**
 * Pages of the site show its own files in frames, such as PDFs, regardless of the frame ancestors.
 */
function withSelf(ancestors: string): string {
  if (ancestors === "'none'") return "'self'";
  return ancestors.split(' ').includes("'self'") ? ancestors : `'self' ${ancestors}`;
}

/** Lists what programs can read in place of a page (RFC 8288). */
export function pageLinks(
  basePath: string,
  { page, hasMcp }: { page: string; hasMcp: boolean },
): Record<string, string> {
  const markdown = encodeURI(`${basePath}${page === '/' ? '/index' : page}.md`);
  const links = [
    ...agentLinks(basePath, hasMcp),
    `<${markdown}>; rel="alternate"; type="text/markdown"`,
  ];
  return { link: links.join(', '), 'x-llms-txt': `${basePath}/llms.txt` };
}
