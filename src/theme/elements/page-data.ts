import type { ClientData } from '../parts/client-data.ts';

let read: { text: string; data: ClientData } | undefined;

/** Returns the server's data for the scripts of the current page, also after page swaps. */
export function pageData(): ClientData {
  // Compared, because each script has its own copy of this module, and none can invalidate the others.
  const text = document.getElementById('docent-data')?.textContent ?? '{}';
  if (read?.text !== text) read = { text, data: JSON.parse(text) as ClientData };
  return read.data;
}

/**
 * Returns whether this page may fetch files of its site. Pages from disk or in a sandbox have no origin, so browsers let them
 * load only scripts, styles and images.
 */
export function mayFetch(): boolean {
  return origin !== 'null';
}

/** Returns the address of a page of the site, relative to this page: `/guides/start#install` → `../guides/start.html#install`. */
export function pageAddress(data: Pick<ClientData, 'root' | 'links'>, href: string): string {
  const at = href.search(/[?#]/);
  const path = at < 0 ? href : href.slice(0, at);
  const rest = at < 0 ? '' : href.slice(at);
  const name = path.replace(/^\/+/, '');
  const file = data.links === 'html' ? `${name === '' ? 'index' : name}.html` : name;
  return `${data.root}${encodeURI(file)}${rest}`;
}

/** Returns the version and the language of the page, which limit what search and assistant find. */
export function pageFilter(): { version?: string; language?: string } {
  const { version, language } = pageData();
  return { ...(version ? { version } : {}), ...(language ? { language } : {}) };
}

/** Decodes a part of a URL; a part with a stray percent sign stays as written. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the absolute URL of the site's root, with a trailing slash. */
export function siteRoot(): string {
  return new URL(pageData().root || './', location.href).href.replace(/[?#][\s\S]*/, '');
}
