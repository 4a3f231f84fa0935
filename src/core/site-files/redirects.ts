import type { SiteConfig } from '../docs-json/site-config.ts';
import { decodeAddress } from '../links.ts';

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
 * @returns a function from a request path (as in the URL, without query) to its destination, or undefined. A rule that would
 *   redirect to the same path is ignored.
 */
export function createRedirects(rules: SiteConfig['redirects']): (path: string) => Redirect | undefined {
  const exact = new Map<string, { index: number; rule: CompiledRule }>();
  const patterns: { index: number; rule: CompiledRule; match: PathPattern }[] = [];
  for (const [index, { source, destination, permanent }] of rules.entries()) {
    const rule = compileRule(source, destination, permanent);
    if (!rule) continue;
    if (/[:*]/.test(rule.source)) patterns.push({ index, rule, match: compilePathPattern(rule.source) });
    else if (!exact.has(rule.source)) exact.set(rule.source, { index, rule });
  }
  return (path) => {
    if (path.length > MAX_PATH_LENGTH) return undefined;
    const wanted = normalizePath(path);
    const plain = exact.get(wanted);
    for (const { index, rule, match } of patterns) {
      if (plain && plain.index < index) break;
      const captures = match(wanted);
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
  return { source: normalizePath(source), origin, rest: destination.slice(origin.length), status: permanent ? 308 : 307 };
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
  const trimmed = `/${decodeAddress(path)}`.replace(/\/{2,}/g, '/');
  return trimmed.length > 1 && trimmed.endsWith('/') ? trimmed.slice(0, -1) : trimmed;
}

function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** Returns the captured parts of a path by name (`*` for the nameless one) if it matches. */
type PathPattern = (path: string) => Map<string, string> | undefined;

/** A part of one segment: fixed text, or a parameter that takes at least one character. */
type Part = { text: string } | { name: string };

/** A segment, or a parameter that matches any number of them. */
type Segment = { parts: Part[] } | { rest: string; least: number };

const PARAMETER = /:([A-Za-z_]\w*)|\*/y;
const REST = /^(?::([A-Za-z_]\w*)([*+])|\*)$/;
const TRAILING_STAR = /^(.+)\*$/;

/**
 * Compiles a path with parameters: `/docs/:slug*`, `/articles/old-*`, `/:lang/guides`. `:name` matches one segment or a part of it, `:name*` and a lone `*` any number of segments, `:name+`
 * at least one; a `*` at the end of a segment matches the rest of it and, in the last one, everything after it. Matching takes at
 * most time proportional to the lengths of pattern and path, for any input.
 */
function compilePathPattern(text: string): PathPattern {
  const pieces = text.split('/').slice(1);
  const last = pieces.at(-1) ?? '';
  const prefix = REST.test(last) ? undefined : TRAILING_STAR.exec(last)?.[1];
  if (prefix !== undefined && !/[:*]/.test(prefix)) return openEndedPattern(pieces.slice(0, -1), prefix);
  const segments = pieces.map(parseSegment);
  return (path) => matchSegments(segments, path.split('/').slice(1));
}

/** `/a/:b/prefix-*`: the part after the prefix may contain slashes. */
function openEndedPattern(before: readonly string[], prefix: string): PathPattern {
  const segments = before.map(parseSegment);
  return (path) => {
    const pieces = path.split('/').slice(1);
    const tail = pieces.slice(segments.length).join('/');
    if (!tail.startsWith(prefix)) return undefined;
    const captures = matchSegments(segments, pieces.slice(0, segments.length));
    return captures?.set('*', tail.slice(prefix.length));
  };
}

function parseSegment(segment: string): Segment {
  const rest = REST.exec(segment);
  if (rest) return { rest: rest[1] ?? '*', least: rest[2] === '+' ? 1 : 0 };
  const parts: Part[] = [];
  for (let at = 0; at < segment.length; ) {
    PARAMETER.lastIndex = at;
    const parameter = PARAMETER.exec(segment);
    if (parameter) {
      parts.push({ name: parameter[1] ?? '*' });
      at += parameter[0].length;
    } else {
      const next = segment.slice(at + 1).search(/[:*]/);
      const end = next < 0 ? segment.length : at + 1 + next;
      parts.push({ text: segment.slice(at, end) });
      at = end;
    }
  }
  return { parts };
}

/**
 * Between two parameters that match any number of segments, the first match is as good as any later one, so only the latest
 * choice is ever revised.
 */
function matchSegments(pattern: readonly Segment[], path: readonly string[]): Map<string, string> | undefined {
  const captures = new Map<string, string>();
  let at = 0;
  let inPath = 0;
  let star: { name: string; at: number; start: number; end: number } | undefined;
  while (inPath < path.length || at < pattern.length) {
    const segment = pattern[at];
    if (segment && 'rest' in segment) {
      star = { name: segment.rest, at: ++at, start: inPath, end: inPath + segment.least };
      inPath = star.end;
      if (inPath > path.length) return undefined;
      captures.set(star.name, path.slice(star.start, star.end).join('/'));
    } else if (segment && inPath < path.length && matchParts(segment.parts, path[inPath] as string, captures)) {
      at++;
      inPath++;
    } else {
      if (!star || star.end >= path.length) return undefined;
      star.end++;
      at = star.at;
      inPath = star.end;
      captures.set(star.name, path.slice(star.start, star.end).join('/'));
    }
  }
  return captures;
}

/** Matches one segment; every parameter takes as little as possible, but at least one character, and the last one the rest. */
function matchParts(parts: readonly Part[], segment: string, captures: Map<string, string>): boolean {
  let at = 0;
  let open: { name: string; start: number } | undefined;
  for (const [index, part] of parts.entries()) {
    if ('name' in part) {
      if (open) return false;
      open = { name: part.name, start: at };
    } else if (!open) {
      if (!segment.startsWith(part.text, at)) return false;
      at += part.text.length;
    } else {
      const isLast = index === parts.length - 1;
      const found =
        isLast && segment.endsWith(part.text) ? segment.length - part.text.length : segment.indexOf(part.text, open.start + 1);
      if (found <= open.start) return false;
      captures.set(open.name, segment.slice(open.start, found));
      open = undefined;
      at = found + part.text.length;
    }
  }
  if (!open) return at === segment.length;
  if (open.start >= segment.length) return false;
  captures.set(open.name, segment.slice(open.start));
  return true;
}
