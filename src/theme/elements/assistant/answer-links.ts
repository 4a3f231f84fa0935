/** Where a link of an answer leads, once it is known to be harmless. */
export interface AnswerLink {
  /** Whole address to write. */
  href: string;
  /** Whether it is a page of the documentation that is asked. */
  isPage: boolean;
  /** Where it stands in the site: `guides/keys`; empty elsewhere. */
  path: string;
}

/** Reads an address that a model has written; undefined for one that leads nowhere, or that could run code. */
export type ResolveAddress = (address: string) => AnswerLink | undefined;

const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);

function withSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`;
}

/**
 * Makes the reader of addresses. A site has one public address, which answers cite, and may be read at another: links of the
 * first lead to the second, so that a reader stays where they are.
 * @param publicUrl the address that the site has in answers
 * @param readAt the address where its pages are read; whole
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
