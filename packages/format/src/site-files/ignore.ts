import { onceForEach } from '../once.ts';
import { atomicGroups, literalPattern } from '../patterns.ts';

interface IgnoreRule {
  /** `!pattern`: exempts files from earlier rules. */
  isNegated: boolean;
  /** `pattern/`: only folders. */
  isFolderOnly: boolean;
  matches(path: string): boolean;
}

/**
 * Files in a repository beside its documentation. Only at the root: deeper, these are ordinary
 * names of pages.
 */
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
/questions.yaml
`;

/**
 * Parses ignore rules in gitignore syntax: `#` comments, `!` exceptions, `/` at the start for the
 * root, `/` at the end for folders, `*`, `?`, `[…]`, `**`. The format's default rules come first,
 * so that `!README.md` can revert one.
 * @param rulesText content of `.docentignore` or `.mintignore`
 * @param withDefaults `false` omits the format's default rules, leaving only the author's
 * @returns a function that returns whether a file (path without leading slash) is ignored, by a
 *   rule for it or for a parent folder
 */
export function createIgnore(rulesText = '', withDefaults = true): (path: string) => boolean {
  const rules = `${withDefaults ? DEFAULT_IGNORES : ''}\n${rulesText}`
    .split(/\r?\n/)
    .map(parseRule)
    .filter((rule) => rule !== undefined);
  const isIgnored = (path: string, isFolder: boolean): boolean => {
    const slash = path.lastIndexOf('/');
    return (slash > 0 && isFolderIgnored(path.slice(0, slash))) || decide(rules, path, isFolder);
  };
  const isFolderIgnored = onceForEach((folder: string) => isIgnored(folder, true));
  return (path) => isIgnored(path.replace(/^(?:\.?\/)+/, ''), false);
}

/** The last matching rule decides. */
function decide(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const rule = rules.findLast(
    (candidate) => (isFolder || !candidate.isFolderOnly) && candidate.matches(path),
  );
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

/**
 * Compiles a glob of path segments: `*` and `?` within a segment, `[a-z]`, `[!a]`, and `**` for any
 * number of segments (at the end: at least one). Of what follows a star, the first match is as good
 * as any later one, so matching stays fast for any pattern.
 */
function globMatcher(glob: string): (path: string) => boolean {
  const once = atomicGroups();
  /**
   * The parts between stars, each after `any` and matched at its first place; the last one is at
   * the end.
   */
  const betweenStars = (parts: readonly string[], any: string, end: string) =>
    parts
      .map((part, index) => {
        const pattern = index === 0 ? part : any + part;
        return index === parts.length - 1 ? pattern + end : once(pattern);
      })
      .join('');
  const segmentPattern = (segment: string) => betweenStars(partsOf(segment), '[^/]*?', '/');
  const runs: string[] = [''];
  const segments = glob.split('/');
  for (const segment of segments.at(-1) === '**' ? [...segments, '*'] : segments) {
    if (segment === '**') runs.push('');
    else runs.push(runs.pop() + segmentPattern(segment));
  }
  const pattern = new RegExp(`^${betweenStars(runs, '(?:[^/]*/)*?', '$')}`, 'u');
  return (path) => pattern.test(`${path}/`);
}

/** The patterns of what is between the stars of a segment. */
function partsOf(segment: string): string[] {
  const chars = [...segment];
  const parts: string[] = [''];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    const close = char === '[' ? chars.indexOf(']', at + 2) : -1;
    if (char === '*') parts.push('');
    else if (char === '?') parts.push(`${parts.pop()}[^/]`);
    else if (close > 0) {
      parts.push(parts.pop() + characterClass(chars.slice(at + 1, close)));
      at = close;
    } else parts.push(parts.pop() + literalPattern(char === '\\' ? (chars[++at] ?? '\\') : char));
  }
  return parts;
}

function characterClass(members: readonly string[]): string {
  const isNegated = members[0] === '!' || members[0] === '^';
  const listed = isNegated ? members.slice(1) : members;
  const code = (char: string) => `\\u{${char.codePointAt(0)?.toString(16)}}`;
  let ranges = '';
  for (let at = 0; at < listed.length; at++) {
    const low = listed[at] as string;
    const high = listed[at + 1] === '-' ? listed[at + 2] : undefined;
    if (high === undefined) ranges += code(low);
    else if (low <= high) ranges += `${code(low)}-${code(high)}`;
    if (high !== undefined) at += 2;
  }
  return `(?!/)[${isNegated ? '^' : ''}${ranges}]`;
}
