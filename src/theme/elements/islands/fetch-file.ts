import { mayFetch, siteRoot } from '../page-data.ts';
import { loadScript } from '../search/search-opener.ts';
import { isFileAddress, siteAddress } from './links.ts';

declare global {
  /** Texts of files of the site, by path, from scripts of the bundle. */
  var docentFiles: Record<string, string> | undefined;
}

/**
 * `fetch` for authors' components: addresses of files are site addresses. A page that is opened from disk cannot fetch, so it
 * loads the file as the script that the bundle has of it.
 * @throws TypeError as `fetch` does, with what to do
 */
export async function fetchFile(address: unknown, options?: RequestInit): Promise<Response> {
  if (typeof address !== 'string' || !isFileAddress(address)) return fetch(address as RequestInfo, options);
  const found = new URL(siteAddress(address), location.href);
  const root = siteRoot();
  if (mayFetch() || !found.href.startsWith(root)) return fetch(found, options);
  const path = decodeURIComponent(found.href.slice(root.length).replace(/[?#][\s\S]*/, ''));
  if (globalThis.docentFiles?.[path] === undefined) await loadScript(`${root}${encodeURI(path)}.js`).catch(() => {});
  const text = globalThis.docentFiles?.[path];
  if (text !== undefined) return new Response(text);
  const message = `"${address}" cannot be read by a page that is opened from disk. Serve the bundle with a web server, or name the file in the code: fetch("/data.json").`;
  console.warn(message);
  throw new TypeError(message);
}
