/** The target of a request, taken apart; or what is wrong with it. */
export type Target = { ok: true; path: string; query: string } | { ok: false; status: 400 | 414; reason: string };

const MAX_PATH_LENGTH = 4096;

/**
 * Reads the target of a request. What some server somewhere might take for another path is refused rather than guessed at.
 * @param target as the request line has it
 * @returns the decoded path, with a leading slash
 */
export function readTarget(target: string): Target {
  const local = target.startsWith('/') ? target : pathOfAddress(target);
  const at = local.search(/[?#]/);
  const written = at < 0 ? local : local.slice(0, at);
  if (written.length > MAX_PATH_LENGTH) return { ok: false, status: 414, reason: 'The path is longer than any path here.' };
  let path: string;
  try {
    path = decodeURIComponent(written);
  } catch {
    return refused('The path holds a % that is not followed by two hexadecimal digits of valid UTF-8.');
  }
  if (!path.startsWith('/')) return refused('The target of the request is not a path.');
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return refused('The path holds a character that no address here has.');
  if (/%2f/i.test(written)) return refused('The path holds an encoded slash.');
  if (path.split('/').some((word) => word === '.' || word === '..'))
    return refused('The path leads up or in place: "." and ".." are not taken.');
  return { ok: true, path, query: at < 0 || local[at] === '#' ? '' : (local.slice(at).split('#')[0] as string) };
}

function refused(reason: string): Target {
  return { ok: false, status: 400, reason };
}

/** Proxies may name the whole address (RFC 9112 §3.2.2). */
function pathOfAddress(target: string): string {
  return /^https?:\/\/[^/?#]*(\/.*)?$/is.exec(target)?.[1] ?? (/^https?:/i.test(target) ? '/' : target);
}
