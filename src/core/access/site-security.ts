/** What the owners of a site decide about browsers that show it. */
export interface SiteSecurity {
  /** What may run on its pages beside the scripts of the site itself: hosts, paths on them, hashes of scripts; as CSP writes them. */
  scriptSources: string[];
  /** Who may show its pages in a frame: `'self'` and origins; empty for nobody, `null` for what the platform says. */
  frameAncestors: string[] | null;
}

/** What holds for a site that has decided nothing. */
export const defaultSiteSecurity: Readonly<SiteSecurity> = { scriptSources: [], frameAncestors: null };

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = `${LABEL}(?:\\.${LABEL})*(?::\\d{1,5})?`;

/**
 * A source of scripts that a site may allow: an https host, a path on it, or a hash. No wildcard, no `'unsafe-…'`, nothing that could
 * end a directive or a header.
 */
export const SCRIPT_SOURCE = new RegExp(
  `^(?:https://${HOST}(?:/[\\w.~%/-]*)?|'sha256-[A-Za-z0-9+/]{43}='|'sha384-[A-Za-z0-9+/]{64}'|'sha512-[A-Za-z0-9+/]{86}==')$`,
);

/** A place that a site may let frame it: an origin, or the site itself. */
export const FRAME_ANCESTOR = new RegExp(`^(?:'self'|https?://${HOST})$`);
