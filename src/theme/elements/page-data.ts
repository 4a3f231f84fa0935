import type { ClientData } from '../parts/client-data.ts';

let cached: ClientData | undefined;

/** What the server wrote into the page for its scripts. */
export function pageData(): ClientData {
  cached ??= JSON.parse(document.getElementById('docent-data')?.textContent ?? '{}') as ClientData;
  return cached;
}

/** After another page has been swapped in, its own data is read. */
export function forgetPageData(): void {
  cached = undefined;
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
