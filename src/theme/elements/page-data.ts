import type { ClientData } from '../parts/client-data.ts';

let read: { text: string; data: ClientData } | undefined;

/** What the server wrote into the page for its scripts: of the page that is open, after others were swapped in too. */
export function pageData(): ClientData {
  // Compared, because each script has a copy of this module, and none can make the others read again.
  const text = document.getElementById('docent-data')?.textContent ?? '{}';
  if (read?.text !== text) read = { text, data: JSON.parse(text) as ClientData };
  return read.data;
}

/**
 * Whether this page may fetch files of its site. One from the disk and one in a sandbox have no origin, so browsers let them load
 * scripts, styles and pictures alone.
 */
export function mayFetch(): boolean {
  return origin !== 'null';
}

/** The address of a page of the site, written from this page: `/guides/start#install` → `../guides/start.html#install`. */
export function pageAddress(data: Pick<ClientData, 'root' | 'links'>, href: string): string {
  const at = href.search(/[?#]/);
  const path = at < 0 ? href : href.slice(0, at);
  const rest = at < 0 ? '' : href.slice(at);
  const name = path.replace(/^\/+/, '');
  const file = data.links === 'html' ? `${name === '' ? 'index' : name}.html` : name;
  return `${data.root}${encodeURI(file)}${rest}`;
}

/** The whole address of the site's root, with a slash at its end. */
export function siteRoot(): string {
  return new URL(pageData().root || './', location.href).href.replace(/[?#][\s\S]*/, '');
}
