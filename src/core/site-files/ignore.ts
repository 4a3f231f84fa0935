interface IgnoreRule {
  /** `!pattern`: exempts files from earlier rules. */
  isNegated: boolean;
  /** `pattern/`: only folders. */
  isFolderOnly: boolean;
  matches(path: string): boolean;
}

/** Files in a repository beside its documentation. Only at the root: deeper, these are ordinary names of pages. */
const DEFAULT_IGNORES = `
.git/
node_modules/
/.github/
/.claude/
/.agents/
/.idea/
/.vscode/
/build/
/dist/
/coverage/
/.cache/
/tmp/
/temp/
/.mintlify/
/.docent/
/README.md
/LICENSE.md
/CHANGELOG.md
/CONTRIBUTING.md
`;

/**
 * Parses ignore rules in gitignore syntax: `#` comments, `!` exceptions, `/` at the start for the root, `/` at the end for
 * folders, `*`, `?`, `[…]`, `**`. The format's default rules come first, so that `!README.md` can revert one.
 * @param rulesText content of `.docentignore` or `.mintignore`
 * @param withDefaults `false` omits the format's default rules, leaving only the author's
 * @returns a function that returns whether a file (path without leading slash) is ignored, by a rule for it or for a parent folder
 */
export function createIgnore(rulesText = '', withDefaults = true): (path: string) => boolean {
  const rules = `${withDefaults ? DEFAULT_IGNORES : ''}\n${rulesText}`
    .split(/\r?\n/)
    .map(parseRule)
    .filter((rule) => rule !== undefined);
  const folders = new Map<string, boolean>();

  const isFolderIgnored = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/');
    const ignored = (slash > 0 && isFolderIgnored(folder.slice(0, slash))) || decide(rules, folder, true);
    folders.set(folder, ignored);
    return ignored;
  };
  return (path) => {
    const file = path.replace(/^(?:\.?\/)+/, '');
    const slash = file.lastIndexOf('/');
    return (slash > 0 && isFolderIgnored(file.slice(0, slash))) || decide(rules, file, false);
  };
}

/** The last matching rule decides. */
function decide(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const rule = rules.findLast((one) => (isFolder || !one.isFolderOnly) && one.matches(path));
  return rule !== undefined && !rule.isNegated;
}

function parseRule(line: string): IgnoreRule | undefined {
  let pattern = line.trimEnd();
  // A blank after a backslash is significant.
  if (pattern.endsWith('\\') && pattern.length < line.length) pattern += ' ';
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const isFolderOnly = pattern.endsWith('/');
  if (isFolderOnly) pattern = pattern.slice(0, -1);
  const isAnchored = pattern.includes('/');
  const glob = pattern.replace(/^\//, '');
  if (glob === '') return undefined;
  return { isNegated, isFolderOnly, matches: globMatcher(isAnchored ? glob : `**/${glob}`) };
}

/** A segment of a glob: literal text, or units that match one character of a kind, and `*` for any number. */
type Unit = { star: true } | { star: false; accepts: (char: string) => boolean };

/**
 * Compiles a glob of path segments: `*` and `?` within a segment, `[a-z]`, `[!a]`, and `**` for any number of segments (at the
 * end: at least one). Backtracks only to the latest star, so matching stays fast for any pattern.
 */
function globMatcher(glob: string): (path: string) => boolean {
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
