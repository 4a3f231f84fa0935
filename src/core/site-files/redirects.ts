import type { SiteConfig } from '../docs-json/site-config.ts';
import { compilePathPattern, type PathPattern } from './path-pattern.ts';

export interface Redirect {
  /** A site path (with one leading slash) or an http(s) URL, ready for a `Location` header. */
  destination: string;
  status: 307 | 308;
}

interface CompiledRule {
  pattern: PathPattern;
  /** Scheme and host of a destination on another site; captures never change it. */
  origin: string;
  /** The destination without its origin. */
  rest: string;
  status: 307 | 308;
}

/** Longer request paths match no rule, which bounds the time of matching. */
const MAX_PATH_LENGTH = 2048;
const CAPTURE = /:([A-Za-z_]\w*)[*+?]?|\*/g;

/**
 * Compiles the redirects of a site. The first matching rule counts.
 * @returns a function from a request path (as in the URL, without query) to its destination, or undefined. A rule that would
 *   redirect to the same path is ignored.
 */
export function createRedirects(rules: SiteConfig['redirects']): (path: string) => Redirect | undefined {
  const exact = new Map<string, { index: number; rule: CompiledRule }>();
  const patterns: { index: number; rule: CompiledRule }[] = [];
  for (const [index, { source, destination, permanent }] of rules.entries()) {
    const rule = compileRule(source, destination, permanent);
    if (!rule) continue;
    if (!rule.pattern.isPlain) patterns.push({ index, rule });
    else if (!exact.has(rule.pattern.text)) exact.set(rule.pattern.text, { index, rule });
  }
  return (path) => {
    if (path.length > MAX_PATH_LENGTH) return undefined;
    const wanted = normalizePath(path);
    const plain = exact.get(wanted);
    for (const { index, rule } of patterns) {
      if (plain && plain.index < index) break;
      const captures = rule.pattern.match(wanted);
      if (captures) return answer(rule, captures, wanted);
    }
    return plain && answer(plain.rule, new Map(), wanted);
  };
}

const MAX_STEPS = 10;

/**
 * The same for links: follows redirects that lead to redirects, so that a link points to where the reader arrives.
 * @returns a function from a path to the last destination; undefined also for a path in a loop
 */
export function createRedirectEnds(rules: SiteConfig['redirects']): (path: string) => Redirect | undefined {
  const redirect = createRedirects(rules);
  return (path) => {
    let found = redirect(path);
    for (let step = 0; found && step < MAX_STEPS; step++) {
      const end = found.destination.search(/[?#]/);
      const [target, rest] = end < 0 ? [found.destination, ''] : [found.destination.slice(0, end), found.destination.slice(end)];
      const next = target.startsWith('/') ? redirect(target) : undefined;
      if (!next) return found;
      found = /[?#]/.test(next.destination) ? next : { ...next, destination: next.destination + rest };
    }
    return undefined;
  };
}

/** Returns the destination of a redirect for a request with a query: its own query takes precedence, and the fragment remains last. */
export function withQuery(destination: string, query: string): string {
  const [beforeHash = '', ...hash] = destination.split('#');
  const address = query !== '' && !beforeHash.includes('?') ? beforeHash + query : beforeHash;
  return [address, ...hash].join('#');
}

function compileRule(source: string, destination: string, permanent: boolean): CompiledRule | undefined {
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(destination)?.[0] ?? '';
  if (origin === '' && /^[a-z][a-z0-9+.-]*:/i.test(destination)) return undefined;
  // A parameter in the host would let the author of a link choose the destination.
  if (/[:*]/.test(origin.replace(/^https?:\/\//i, '').replace(/:\d+$/, ''))) return undefined;
  return {
    pattern: compilePathPattern(normalizePath(source)),
    origin,
    rest: destination.slice(origin.length),
    status: permanent ? 308 : 307,
  };
}

function answer(rule: CompiledRule, captures: ReadonlyMap<string, string>, path: string): Redirect | undefined {
  const end = rule.rest.search(/[?#]/);
  const target = fillPath(end < 0 ? rule.rest : rule.rest.slice(0, end), captures);
  const suffix = end < 0 ? '' : asciiAddress(fill(rule.rest.slice(end), captures));
  if (rule.origin !== '')
    return { destination: rule.origin + (rule.rest.startsWith('/') ? target : '') + suffix, status: rule.status };
  return normalizePath(target) === path ? undefined : { destination: target + suffix, status: rule.status };
}

function fill(text: string, captures: ReadonlyMap<string, string>): string {
  return text.replace(CAPTURE, (whole, name: string | undefined) => {
    const captured = captures.get(name ?? '*');
    return captured === undefined ? whole : encodePath(captured);
  });
}

function fillPath(template: string, captures: ReadonlyMap<string, string>): string {
  // Two leading slashes would name another host.
  const path = `/${asciiAddress(fill(template, captures))}`.replace(/\/{2,}/g, '/');
  return path.length > 1 && path.endsWith('/') && !template.endsWith('/') ? path.slice(0, -1) : path;
}

/** Headers allow only ASCII, and browsers treat a backslash as a slash. */
function asciiAddress(address: string): string {
  return address.toWellFormed().replace(/[^\u0021-\u007e]|\\/gu, (char) => encodeURIComponent(char));
}

/** Returns a path decoded, with one leading and no trailing slash: the form in which paths are compared. */
function normalizePath(path: string): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Not validly encoded; compared as it is.
  }
  const trimmed = `/${decoded}`.replace(/\/{2,}/g, '/');
  return trimmed.length > 1 && trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed;
}

function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
