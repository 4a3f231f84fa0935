/** The parsed target of a request, or the problem with it. */
export type Target = { ok: true; path: string; query: string } | { ok: false; reason: string };

const MAX_PATH_LENGTH = 4096;

/**
 * Parses the target of a request. Refuses anything that some server might interpret as another path.
 * @param target from the request line
 * @returns the decoded path, with a leading slash
 */
export function readTarget(target: string): Target {
  const local = target.startsWith('/') ? target : pathOfAddress(target);
  const at = local.search(/[?#]/);
  const written = at < 0 ? local : local.slice(0, at);
  if (written.length > MAX_PATH_LENGTH) return refused('The path is too long.');
  let path: string;
  try {
    path = decodeURIComponent(written);
  } catch {
    return refused('The path contains a % that is not followed by two hexadecimal digits of valid UTF-8.');
  }
  if (!path.startsWith('/')) return refused('The request target is not a path.');
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return refused('The path contains a character that is not allowed.');
  if (/%2f/i.test(written)) return refused('The path contains an encoded slash.');
  if (path.split('/').some((word) => word === '.' || word === '..')) return refused('The path contains a "." or ".." segment.');
  return { ok: true, path, query: at < 0 || local[at] === '#' ? '' : (local.slice(at).split('#')[0] as string) };
}

function refused(reason: string): Target {
  return { ok: false, reason };
}

/** Proxies may send the absolute URL (RFC 9112 §3.2.2). */
function pathOfAddress(target: string): string {
  return /^https?:\/\/[^/?#]*(\/.*)?$/is.exec(target)?.[1] ?? (/^https?:/i.test(target) ? '/' : target);
}
