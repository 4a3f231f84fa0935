import type { BundleService } from '@docent/format/exports/bundle-services.ts';
import type { ClientData } from '../parts/client-data.ts';

let read: { text: string; services: string | undefined; data: ClientData } | undefined;

/**
 * Returns the server's data for the scripts of the current page, also after page swaps, without
 * what the server does not serve.
 */
export function pageData(): ClientData {
  // Compared, because each script has its own copy of this module, and none can invalidate the
  // others.
  const text = document.getElementById('docent-data')?.textContent ?? '{}';
  const { services } = document.documentElement.dataset;
  if (read?.text !== text || read.services !== services) {
    const data = JSON.parse(text) as ClientData;
    const lacks = (name: BundleService) =>
      data.services?.names.includes(name) && !services?.split(' ').includes(name);
    if (lacks('assistant')) delete data.assistant?.api;
    if (lacks('analytics')) data.analytics = data.feedback = undefined;
    read = { text, services, data };
  }
  return read.data;
}

/**
 * Asks the server which services it has, on pages that do not know that, and marks the document
 * with them.
 * @returns undefined if the page knows, or may not ask
 */
export function findServices(): Promise<void> | undefined {
  const { services } = pageData();
  if (!services?.names.length || !mayFetch()) return undefined;
  return fetch(new URL(services.list, document.baseURI))
    .then((response) => response.json())
    .then((answer: { services: string[] }) => {
      document.documentElement.dataset.services = answer.services.join(' ');
    })
    .catch(() => {});
}

/**
 * Returns whether this page may fetch files of its site. Pages from disk or in a sandbox have no
 * origin, so browsers let them load only scripts, styles and images.
 */
export function mayFetch(): boolean {
  return origin !== 'null';
}

/**
 * Returns the address of a page of the site, relative to this page: `/guides/start#install` →
 * `../guides/start.html#install`.
 */
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
