/**
 * Returns whether a text is a valid base path of a site: empty, or `/docs`, `/a/b` of plain
 * characters without a trailing slash.
 */
export function isBasePath(text: string): boolean {
  if (text.length > 200 || !/^(?:\/[A-Za-z0-9._~-]+)*$/.test(text)) return false;
  return !text.split('/').some((segment) => segment === '.' || segment === '..');
}
