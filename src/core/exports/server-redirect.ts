import type { SiteConfig } from '../docs-json/site-config.ts';

/** A redirect of docs.json in a form that web servers support. */
export interface ServerRedirect {
  /** Regular expression for the whole path: the common subset of PCRE and JavaScript, in printable ASCII. */
  pattern: string;
  /** The destination; `number` refers to a group of the pattern, from 1. */
  destination: (string | number)[];
  status: 307 | 308;
}

const REST = /^(?::([A-Za-z_]\w*)([*+])|\*)$/;
const TRAILING_STAR = /^([^:*]+)\*$/;
const PARAMETER = /(:[A-Za-z_]\w*|\*)/;
const REFERENCE = /(:[A-Za-z_]\w*[*+?]?|\*)/;

// A path must never begin with two slashes, or what browsers treat as such: it would name another host.
const TAIL = '(?:[^/?\\x5c][^?]*)?';
const SOME_TAIL = '[^/?\\x5c][^?]*';
const WORD = '[^/?\\x5c]+';

/**
 * Translates a redirect.
 * @param encode whether the server compares paths encoded, as in the URL, or decoded
 * @param basePath prefix of every path of the site, without a trailing slash
 * @returns undefined for a rule without a usable target, or that redirects to itself or to a host that a reader could choose
 */
export function serverRedirect(
  { source, destination, permanent }: SiteConfig['redirects'][number],
  basePath: string,
  encode: (path: string) => string,
): ServerRedirect | undefined {
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(destination)?.[0] ?? '';
  if (origin === '' && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(destination)) return undefined;
  if (/[:*]/.test(origin.replace(/^https?:\/\//i, '').replace(/:\d+$/, ''))) return undefined;
  const from = trimmed(source);
  const rest = origin === '' ? `/${destination.replace(/^\/+/, '')}` : destination.slice(origin.length);
  if (origin === '' && trimmed(rest) === from) return undefined;
  const { pattern, groups } = patternOf(from, encode);
  const start = origin === '' ? basePath : origin;
  return {
    pattern: `^${literal(encode(basePath))}${pattern}/?$`,
    destination: destinationOf(encode(start), rest, groups, encode),
    status: permanent ? 308 : 307,
  };
}

function trimmed(path: string): string {
  return `/${decoded(path)}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function literal(text: string): string {
  return text.replace(/[^\w/~%=\u0080-\uffff-]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function patternOf(source: string, encode: (path: string) => string): { pattern: string; groups: string[] } {
  const groups: string[] = [];
  const group = (name: string, inside: string): string => {
    groups.push(name);
    return `(${inside})`;
  };
  const words = source.split('/').slice(1);
  const written = words.map((word, index) => {
    const rest = REST.exec(word);
    if (rest?.[2] === '+') return `/${group(rest[1] ?? '*', SOME_TAIL)}`;
    if (rest) return `(?:/${group(rest[1] ?? '*', TAIL)})?`;
    const prefix = index === words.length - 1 ? TRAILING_STAR.exec(word)?.[1] : undefined;
    if (prefix !== undefined) return `/${literal(encode(prefix))}${group('*', TAIL)}`;
    const parts = word.split(PARAMETER);
    const wordOf = (part: string, at: number) =>
      at % 2 === 0 ? literal(encode(part)) : group(part.replace(':', ''), at === parts.length - 2 ? WORD : `${WORD}?`);
    return `/${parts.map(wordOf).join('')}`;
  });
  return { pattern: source === '/' ? '' : written.join(''), groups };
}

function destinationOf(start: string, rest: string, groups: string[], encode: (path: string) => string): (string | number)[] {
  const out: (string | number)[] = [start];
  for (const [at, part] of rest.split(REFERENCE).entries()) {
    const group = at % 2 === 0 ? 0 : groups.lastIndexOf(part === '*' ? '*' : part.slice(1).replace(/[*+?]$/, '')) + 1;
    if (group > 0) out.push(group);
    else if (part !== '') out.push(encode(part));
  }
  return out;
}
