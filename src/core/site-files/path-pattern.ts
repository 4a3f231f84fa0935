/** A path with parameters: `/docs/:slug*`, `/articles/old-*`, `/:lang/guides`. */
export interface PathPattern {
  text: string;
  /** Whether it has no parameters. */
  isPlain: boolean;
  /** Returns the captured parts by name (`*` for the nameless one) if the path matches. */
  match(path: string): Map<string, string> | undefined;
}

/** A part of one segment: fixed text, or a parameter that takes at least one character. */
type Part = { text: string } | { name: string };

/** A segment, or a parameter that matches any number of them. */
type Segment = { parts: Part[] } | { rest: string; least: number };

const PARAMETER = /:([A-Za-z_]\w*)|\*/y;
const REST = /^(?::([A-Za-z_]\w*)([*+])|\*)$/;
const TRAILING_STAR = /^(.+)\*$/;

/**
 * Compiles a path pattern. `:name` matches one segment or a part of it, `:name*` and a lone `*` any number of segments, `:name+`
 * at least one; a `*` at the end of a segment matches the rest of it and, in the last one, everything after it. Matching takes at
 * most time proportional to the lengths of pattern and path, for any input.
 */
export function compilePathPattern(text: string): PathPattern {
  if (!/[:*]/.test(text)) return plainPattern(text);
  const pieces = text.split('/').slice(1);
  const last = pieces.at(-1) ?? '';
  const prefix = REST.test(last) ? undefined : TRAILING_STAR.exec(last)?.[1];
  if (prefix !== undefined && !/[:*]/.test(prefix)) return openEndedPattern(text, pieces.slice(0, -1), prefix);
  const segments = pieces.map(parseSegment);
  return { text, isPlain: false, match: (path) => matchSegments(segments, path.split('/').slice(1)) };
}

function plainPattern(text: string): PathPattern {
  return { text, isPlain: true, match: (path) => (path === text ? new Map() : undefined) };
}

/** `/a/:b/prefix-*`: the part after the prefix may contain slashes. */
function openEndedPattern(text: string, before: readonly string[], prefix: string): PathPattern {
  const segments = before.map(parseSegment);
  const match = (path: string) => {
    const pieces = path.split('/').slice(1);
    const tail = pieces.slice(segments.length).join('/');
    if (!tail.startsWith(prefix)) return undefined;
    const captures = matchSegments(segments, pieces.slice(0, segments.length));
    return captures?.set('*', tail.slice(prefix.length));
  };
  return { text, isPlain: false, match };
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
