/** A segment of a glob: literal text, or units that match one character of a kind, and `*` for any number. */
type Unit = { star: true } | { star: false; accepts: (char: string) => boolean };

/**
 * Compiles a glob of path segments: `*` and `?` within a segment, `[a-z]`, `[!a]`, and `**` for any number of segments (at the
 * end: at least one). Backtracks only to the latest star, so matching stays fast for any pattern.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const segments = glob.split('/');
  const last = segments.length - 1;
  const matchers = segments.map((segment, index) =>
    segment !== '**' ? segmentMatcher(segment) : index === last && last > 0 ? 'rest' : 'any',
  );
  return (path) => matchSegments(matchers, path.split('/'));
}

function matchSegments(matchers: readonly ('any' | 'rest' | ((segment: string) => boolean))[], path: readonly string[]): boolean {
  let at = 0;
  let inPath = 0;
  let star: { at: number; inPath: number } | undefined;
  while (inPath < path.length) {
    const matcher = matchers[at];
    if (matcher === 'rest') return true;
    if (matcher === 'any') {
      star = { at: ++at, inPath };
      if (at === matchers.length) return true;
    } else if (matcher?.(path[inPath] as string)) {
      at++;
      inPath++;
    } else if (star) {
      star.inPath++;
      at = star.at;
      inPath = star.inPath;
    } else {
      return false;
    }
  }
  return matchers.slice(at).every((matcher) => matcher === 'any');
}

function segmentMatcher(glob: string): (segment: string) => boolean {
  if (!/[*?[\\]/.test(glob)) return (segment) => segment === glob;
  const units = parseUnits(glob);
  return (segment) => matchUnits(units, [...segment]);
}

function matchUnits(units: readonly Unit[], chars: readonly string[]): boolean {
  let at = 0;
  let inText = 0;
  let star: { at: number; inText: number } | undefined;
  while (inText < chars.length) {
    const unit = units[at];
    if (unit?.star) {
      star = { at: ++at, inText };
    } else if (unit?.accepts(chars[inText] as string)) {
      at++;
      inText++;
    } else if (star) {
      star.inText++;
      at = star.at;
      inText = star.inText;
    } else {
      return false;
    }
  }
  return units.slice(at).every((unit) => unit.star);
}

function parseUnits(glob: string): Unit[] {
  const chars = [...glob];
  const units: Unit[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    const close = char === '[' ? chars.indexOf(']', at + 2) : -1;
    if (char === '*') units.push({ star: true });
    else if (char === '?') units.push({ star: false, accepts: () => true });
    else if (close > 0) {
      units.push({ star: false, accepts: characterClass(chars.slice(at + 1, close)) });
      at = close;
    } else {
      const literal = char === '\\' ? (chars[++at] ?? '\\') : char;
      units.push({ star: false, accepts: (one) => one === literal });
    }
  }
  return units;
}

function characterClass(members: readonly string[]): (char: string) => boolean {
  const isNegated = members[0] === '!' || members[0] === '^';
  const listed = isNegated ? members.slice(1) : members;
  const ranges: [string, string][] = [];
  for (let at = 0; at < listed.length; at++) {
    const low = listed[at] as string;
    const high = listed[at + 1] === '-' ? listed[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return (char) => ranges.some(([low, high]) => low <= char && char <= high) !== isNegated;
}
