const MAX_CHARACTERS = 2000;
/** Scheme, ASCII host, port, and the rest; no user. */
const WEB_ADDRESS = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?].*)?$/i;

/**
 * Returns whether a text is a valid base path of an export: empty, or `/docs`, `/a/b` of plain characters without a trailing
 * slash.
 */
export function isBasePath(text: string): boolean {
  if (text.length > 200 || !/^(?:\/[A-Za-z0-9._~-]+)*$/.test(text)) return false;
  return !text.split('/').some((segment) => segment === '.' || segment === '..');
}

/**
 * Returns whether the pages of a bundle may send requests to an address: an absolute URL (http or https, without user and
 * fragment), or a path from the root of the site.
 */
export function isEndpointAddress(text: string): boolean {
  if (text.length > MAX_CHARACTERS || /[\s\\<>"'`\u0000-\u001f]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//') && !text.includes('#');
  return WEB_ADDRESS.test(text) && !text.includes('#');
}
