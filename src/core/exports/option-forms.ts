const MAX_CHARACTERS = 2000;
/** Scheme, host as it is written in ASCII, port, and what follows; no user. */
const WEB_ADDRESS = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?].*)?$/i;

/** Whether a text is a base path as an export takes it: empty, or `/docs`, `/a/b` of plain characters without a slash at its end. */
export function isBasePath(text: string): boolean {
  if (text.length > 200 || !/^(?:\/[A-Za-z0-9._~-]+)*$/.test(text)) return false;
  return !text.split('/').some((segment) => segment === '.' || segment === '..');
}

/**
 * Whether a text is an address that the pages of a bundle may talk to: whole (http or https, without user and fragment), or a
 * path from the root of the site.
 */
export function isEndpointAddress(text: string): boolean {
  if (text.length > MAX_CHARACTERS || /[\s\\<>"'`\u0000-\u001f]/.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//') && !text.includes('#');
  return WEB_ADDRESS.test(text) && !text.includes('#');
}
