import { globMatcher } from './glob.ts';

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
