/** The target of a safe link in an answer. */
export interface AnswerLink {
  /** Absolute URL to write. */
  href: string;
  /** Whether it is a page of this documentation. */
  isPage: boolean;
  /** Its path in the site: `guides/keys`; empty for other sites. */
  path: string;
}

/** Resolves an address written by a model; undefined for one that is invalid or could run code. */
export type ResolveAddress = (address: string) => AnswerLink | undefined;

const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);

function withSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`;
}

/**
 * Creates the link resolver. A site has one public URL, which answers cite, and may be read at another: links to the first are
 * mapped to the second, so that readers stay where they are.
 * @param publicUrl the site's URL in answers
 * @param readAt the absolute URL where its pages are read
 */
export function addressReader(publicUrl: string, readAt: string): ResolveAddress {
  const root = new URL(withSlash(publicUrl));
  const here = new URL(withSlash(readAt));
  return (address) => {
    const isPath = /^\/(?![/\\])/.test(address);
    const whole = isPath ? address.slice(1) : address;
    if (!URL.canParse(whole, root.href)) return undefined;
    const url = new URL(whole, root);
    if (!ALLOWED.has(url.protocol)) return undefined;
    const base = [root, here].find(
      ({ origin, pathname }) => url.origin === origin && withSlash(url.pathname).startsWith(pathname),
    );
    if (!base || !url.protocol.startsWith('http')) return { href: url.href, isPage: false, path: '' };
    const path = withSlash(url.pathname).length === base.pathname.length ? '' : url.pathname.slice(base.pathname.length);
    return { href: `${here.origin}${here.pathname}${path}${url.search}${url.hash}`, isPage: true, path };
  };
}
