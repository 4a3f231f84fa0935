const MAX_LENGTH = 2000;

/**
 * Returns where a form of a site may redirect to: always a path of the site, with a query, in the
 * characters of an address. Anything else, which anyone can write into a link, becomes `/`.
 */
export function pathInside(path: unknown): string {
  if (typeof path !== 'string' || !path.isWellFormed()) return '/';
  const written = path.replace(/[^!-~]/gu, encodeURIComponent);
  return written.length <= MAX_LENGTH && /^\/(?![/\\])[!-~]*$/.test(written) ? written : '/';
}
