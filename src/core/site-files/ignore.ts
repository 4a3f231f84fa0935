import { globMatcher } from './glob.ts';

interface IgnoreRule {
  /** `!pattern`: takes back what earlier rules ignore. */
  isNegated: boolean;
  /** `pattern/`: only folders. */
  isFolderOnly: boolean;
  matches(path: string): boolean;
}

/** What a repository holds beside its documentation. Only at the root: deeper, these are ordinary names of pages. */
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
 * Reads ignore rules in the syntax of gitignore: `#` comments, `!` exceptions, `/` at the start for the root, `/` at the end for
 * folders, `*`, `?`, `[…]`, `**`. The format's default rules come first, so that `!README.md` can take one back.
 * @param rulesText content of `.docentignore` or `.mintignore`
 * @param withDefaults `false` leaves the format's own rules out: what the author alone wants to be as if it were not there
 * @returns whether a file (path without leading slash) is ignored, by a rule of its own or of a folder around it
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

/** The last rule that matches decides. */
function decide(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const rule = rules.findLast((one) => (isFolder || !one.isFolderOnly) && one.matches(path));
  return rule !== undefined && !rule.isNegated;
}

function parseRule(line: string): IgnoreRule | undefined {
  let pattern = line.trimEnd();
  // A blank behind a backslash counts.
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
