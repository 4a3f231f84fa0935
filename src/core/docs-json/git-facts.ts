import { type Repository, readRepository } from './repository.ts';

/** The file beside docs.json in which `docent publish` records the Git metadata of the folder. An author may write it too. */
export const GIT_FACTS_FILE = '.docent-git.json';

/** What is known of a source from its Git repository. */
export interface GitFacts {
  repository?: Repository;
  /** The day of the last change of files, by their paths in the documentation folder: `2026-11-02`. */
  changed: ReadonlyMap<string, string>;
}

/** What that file holds. */
export interface WrittenGitFacts {
  /** The output of `git remote get-url`, without user and password. */
  remote?: string;
  branch?: string;
  /** Of the documentation in the repository. */
  folder?: string;
  changed?: Record<string, string>;
}

/** Reads the file; ignores invalid values, because the file is optional. */
export function readGitFacts(text: string | undefined): GitFacts {
  const { remote, branch, folder, changed } = parse(text);
  const found = typeof remote === 'string' ? readRepository(webAddress(remote) ?? '') : undefined;
  const days = Object.entries(isRecord(changed) ? changed : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(entry[1]),
  );
  const at = {
    ...(typeof branch === 'string' && isRefName(branch) && { branch }),
    ...(typeof folder === 'string' && { folder: folder.replace(/^\/|\/$/g, '') }),
  };
  return { ...(found && { repository: { ...found, ...at } }), changed: new Map(days) };
}

/**
 * The https address of a repository of which Git knows how to fetch it: `git@host:acme/app.git`, `ssh://…`, `https://…`.
 * User and password are left out.
 * @returns undefined for one on the same machine
 */
export function webAddress(remote: string): string | undefined {
  const short = /^(?:[\w.-]{1,100}@)?([a-z0-9.-]{1,253}):(?!\/\/)\/?([^\s?#]{1,400})$/i.exec(remote);
  const long = /^(https?|ssh|git):\/\/(?:[^@/\s]{0,400}@)?([a-z0-9.-]{1,253})(:\d{1,5})?\/([^\s?#]{1,400})$/i.exec(remote);
  const path = (long?.[4] ?? short?.[2])?.replace(/(?:\.git)?\/?$/, '');
  if (path === undefined) return undefined;
  // The SSH port is unrelated to the web port.
  const port = long?.[1]?.toLowerCase() === 'https' ? (long[3] ?? '') : '';
  return `https://${long?.[2] ?? short?.[1]}${port}/${path}`;
}

const isRefName = (name: string) => /^[\w./-]{1,200}$/.test(name) && !name.includes('..');
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
