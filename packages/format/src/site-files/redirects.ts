import type { SiteConfig } from '../docs-json/site-config.ts';
import { decodeAddress, splitAddress } from '../links.ts';
import { atomicGroups, literalPattern } from '../patterns.ts';

interface Redirect {
  /** A site path (with one leading slash) or an http(s) URL, ready for a `Location` header. */
  destination: string;
  status: 307 | 308;
}

interface CompiledRule {
  source: string;
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
 * @returns a function from a request path (as in the URL, without query) to its destination, or
 *   undefined. A rule that would redirect to the same path is ignored.
 */
export function createRedirects(
  rules: SiteConfig['redirects'],
): (path: string) => Redirect | undefined {
  const exact = new Map<string, { index: number; rule: CompiledRule }>();
  const patterns: { index: number; rule: CompiledRule; match: PathPattern }[] = [];
  for (const [index, { source, destination, permanent }] of rules.entries()) {
    const rule = compileRule(source, destination, permanent);
    if (!rule) continue;
    if (/[:*]/.test(rule.source))
      patterns.push({ index, rule, match: compilePathPattern(rule.source) });
    else if (!exact.has(rule.source)) exact.set(rule.source, { index, rule });
  }
  return (path) => {
    if (path.length > MAX_PATH_LENGTH) return undefined;
    const requestedPath = normalizePath(path);
    const plain = exact.get(requestedPath);
    for (const { index, rule, match } of patterns) {
      if (plain && plain.index < index) break;
      const captures = match(requestedPath);
      if (captures) return answer(rule, captures, requestedPath);
    }
    return plain && answer(plain.rule, new Map(), requestedPath);
  };
}

const MAX_STEPS = 10;

/**
 * The same for links: follows redirects that lead to redirects, so that a link points to where the
 * reader arrives.
 * @returns a function from a path to the last destination; undefined also for a path in a loop
 */
export function createRedirectEnds(
  rules: SiteConfig['redirects'],
): (path: string) => Redirect | undefined {
  const redirect = createRedirects(rules);
  return (path) => {
    let currentRedirect = redirect(path);
    for (let step = 0; currentRedirect && step < MAX_STEPS; step++) {
      const { path: target, rest } = splitAddress(currentRedirect.destination);
      const next = target.startsWith('/') ? redirect(target) : undefined;
      if (!next) return currentRedirect;
      currentRedirect = /[?#]/.test(next.destination)
        ? next
        : { ...next, destination: next.destination + rest };
    }
    return undefined;
  };
}

/**
 * Returns the destination of a redirect for a request with a query: its own query takes precedence,
 * and the fragment remains last.
 */
export function withQuery(destination: string, query: string): string {
  const [beforeHash = '', ...hash] = destination.split('#');
  const address = query !== '' && !beforeHash.includes('?') ? beforeHash + query : beforeHash;
  return [address, ...hash].join('#');
}

function compileRule(
  source: string,
  destination: string,
  permanent: boolean,
): CompiledRule | undefined {
  const target = splitDestination(destination);
  return target && { source: normalizePath(source), ...target, status: permanent ? 308 : 307 };
}

/**
 * Returns the scheme and host of a destination on another site, which are empty for one on the
 * site, and the rest.
 * @returns undefined for a destination that a browser must not be sent to
 */
export function splitDestination(
  destination: string,
): { origin: string; rest: string } | undefined {
  const origin = /^https?:\/\/[^/?#\\]+/i.exec(destination)?.[0] ?? '';
  if (origin === '' && /^[a-z][a-z0-9+.-]*:/i.test(destination)) return undefined;
  // A parameter in the host would let the author of a link choose the destination.
  if (/[:*]/.test(origin.replace(/^https?:\/\//i, '').replace(/:\d+$/, ''))) return undefined;
  return { origin, rest: destination.slice(origin.length) };
}

function answer(
  rule: CompiledRule,
  captures: ReadonlyMap<string, string>,
  path: string,
): Redirect | undefined {
  const split = splitAddress(rule.rest);
  const target = fillPath(split.path, captures);
  const suffix = asciiAddress(fill(split.rest, captures));
  if (rule.origin !== '')
    return {
      destination: rule.origin + (rule.rest.startsWith('/') ? target : '') + suffix,
      status: rule.status,
    };
  return normalizePath(target) === path
    ? undefined
    : { destination: target + suffix, status: rule.status };
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
  return path.length > 1 && path.endsWith('/') && !template.endsWith('/')
    ? path.slice(0, -1)
    : path;
}

/** Headers allow only ASCII, and browsers treat a backslash as a slash. */
function asciiAddress(address: string): string {
  return address
    .toWellFormed()
    .replace(/[^\u0021-\u007e]|\\/gu, (char) => encodeURIComponent(char));
}

/**
 * Returns a path decoded, with one leading and no trailing slash: the form in which paths are
 * compared.
 */
export function normalizePath(path: string): string {
  const trimmed = `/${decodeAddress(path)}`.replace(/\/{2,}/g, '/');
  return trimmed.length > 1 && trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed;
}

function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Returns the captured parts of a path by name (`*` for the nameless one) if it matches. */
type PathPattern = (path: string) => ReadonlyMap<string, string> | undefined;

const PARAMETER = /:([A-Za-z_]\w*)|\*/;
const REST = /^(?::([A-Za-z_]\w*)([*+])|\*)$/;
const OPEN_END = /^(.*\/[^/:*]+)\*$/;

/**
 * Compiles a path with parameters: `/docs/:slug*`, `/articles/old-*`, `/:lang/guides`. `:name`
 * matches one segment or a part of it, `:name*` and a lone `*` any number of segments, `:name+` at
 * least one; a `*` at the end of a segment matches the rest of it and, in the last one, everything
 * after it.
 *
 * Parameters take as little as possible, and of what follows one the first match is as good as any
 * later one, so it is never revised: matching takes at most time proportional to the lengths of
 * pattern and path, for any input.
 */
function compilePathPattern(text: string): PathPattern {
  const once = atomicGroups();
  const names: string[] = [];
  const capture = (name: string, inside: string) => `(?<group${names.push(name)}>${inside})`;

  const segment = (piece: string) => {
    const [start = '', ...parts] = piece.split(PARAMETER);
    let written = `/${literalPattern(start)}`;
    for (let at = 0; at < parts.length; at += 2) {
      const name = parts[at] ?? '*';
      const next = literalPattern(parts[at + 1] ?? '');
      if (at + 2 === parts.length) written += capture(name, '[^/]+') + next;
      // Nothing says where the first of two adjacent parameters ends.
      else written += next === '' ? '(?!)' : once(capture(name, '[^/]+?') + next);
    }
    return written;
  };
  const rest = (piece: string) => {
    const [, name = '*', sign] = REST.exec(piece) ?? [];
    const segments = `/${capture(name, '[^/]*(?:/[^/]*)*?')}`;
    return sign === '+' ? segments : `(?:${segments})??`;
  };

  // Each run but the first one begins with a parameter for any number of segments.
  const prefix = OPEN_END.exec(text)?.[1];
  const runs: string[][] = [[]];
  for (const piece of (prefix ?? text).split('/').slice(1)) {
    if (REST.test(piece)) runs.push([]);
    runs.at(-1)?.push(piece);
  }
  const written = runs.map((run, index) => {
    const inside = run.map((piece) => (REST.test(piece) ? rest(piece) : segment(piece))).join('');
    return index === runs.length - 1 ? inside : once(`${inside}(?=/|$)`);
  });
  const end = prefix === undefined ? '' : capture('*', '[^]*');
  const pattern = new RegExp(`^${written.join('')}${end}$`);
  return (path) => {
    const match = pattern.exec(path);
    return match
      ? new Map(names.map((name, index) => [name, match.groups?.[`group${index + 1}`] ?? '']))
      : undefined;
  };
}
