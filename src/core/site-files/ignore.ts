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

/** A pattern of items: a test for one of them, or `STAR` for any number. */
type Pattern<Item> = readonly (typeof STAR | ((item: Item) => boolean))[];
const STAR = '*';
const anything = () => true;

/**
 * Compiles a glob of path segments: `*` and `?` within a segment, `[a-z]`, `[!a]`, and `**` for any number of segments (at the
 * end: at least one).
 */
function globMatcher(glob: string): (path: string) => boolean {
  const segments = glob.split('/');
  const pattern = segments.map((segment) => (segment === '**' ? STAR : segmentMatcher(segment)));
  if (pattern.length > 1 && pattern.at(-1) === STAR) pattern.push(anything);
  return (path) => matches(pattern, path.split('/'));
}

/** Backtracks only to the latest star, so matching stays fast for any pattern. */
function matches<Item>(pattern: Pattern<Item>, items: readonly Item[]): boolean {
  let at = 0;
  let inItems = 0;
  let star: { at: number; inItems: number } | undefined;
  while (inItems < items.length) {
    const test = pattern[at];
    if (test === STAR) {
      star = { at: ++at, inItems };
      if (at === pattern.length) return true;
    } else if (test?.(items[inItems] as Item)) {
      at++;
      inItems++;
    } else if (star) {
      at = star.at;
      inItems = ++star.inItems;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((test) => test === STAR);
}

function segmentMatcher(glob: string): (segment: string) => boolean {
  if (!/[*?[\\]/.test(glob)) return (segment) => segment === glob;
  const pattern = readSegment(glob);
  return (segment) => matches(pattern, [...segment]);
}

function readSegment(glob: string): Pattern<string> {
  const chars = [...glob];
  const pattern: Pattern<string>[number][] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    const close = char === '[' ? chars.indexOf(']', at + 2) : -1;
    if (char === '*') pattern.push(STAR);
    else if (char === '?') pattern.push(anything);
    else if (close > 0) {
      pattern.push(characterClass(chars.slice(at + 1, close)));
      at = close;
    } else {
      const literal = char === '\\' ? (chars[++at] ?? '\\') : char;
      pattern.push((one) => one === literal);
    }
  }
  return pattern;
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
