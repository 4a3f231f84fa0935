import type { SentCommit } from '@docent/format/deployments/commit.ts';
import type { GitProvider } from '@docent/format/sources/git-provider.ts';

export type GitCredentials =
  | { kind: 'none' }
  | { kind: 'token'; username: string; token: string }
  /**
   * `knownHosts`: lines of `known_hosts` from an earlier connection; null accepts the key that the host shows.
   */
  | { kind: 'ssh'; privateKey: string; knownHosts: string | null };

/** A repository somewhere else, and who reads it. */
export interface GitRemote {
  /** Names the copy that is kept of it: letters and digits. */
  id: string;
  /** As `readGitAddress` returns it. */
  url: string;
  credentials: GitCredentials;
  /** What hosts it, for links to its files. */
  provider?: GitProvider;
  /** What is fetched besides its own files. */
  extras?: GitExtras;
}

/** What a repository refers to, and is fetched only where its owner asks for it. */
export interface GitExtras {
  /** Whether the files of submodules are read too. */
  submodules: boolean;
  /** Hosts that submodules may be at besides that of the repository. */
  submoduleHosts: readonly string[];
  /** Whether files in Git LFS have their content. */
  lfs: boolean;
}

export interface FetchOptions {
  /** Full name: `refs/heads/main`. */
  ref: string;
  /** Folder of the documentation, without slashes around it; empty for the whole repository. */
  folder: string;
  /** What the ref named a moment ago: where that was fetched already, the remote is not asked again. */
  sha?: string | undefined;
  /** Full name of the branch that the ref is to be merged into; `inspect` compares with it. */
  base?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What a ref names now. */
export interface GitRevision {
  sha: string;
  /** Names the content of the folder: equal folders have equal ones. */
  tree: string;
  /** Message of the commit, all of it. */
  message: string;
  /** Keys of the host, for the next connection by ssh. */
  knownHosts: string | null;
  /**
   * Compared with where it left the base, if one is given: whether the folder differs there, and
   * whether the base has it all.
   */
  change?: { isChanged: boolean; isMerged: boolean } | undefined;
}

export interface GitSource {
  revision: GitRevision;
  commit: SentCommit;
  /**
   * The folder as `.tar.gz`, with the facts from Git. Read it before the next fetch of the
   * repository.
   */
  archive: AsyncIterable<Uint8Array>;
}

/** A file that is added to a repository on a new branch. */
export interface NewBranch extends Pick<FetchOptions, 'signal'> {
  /** Full name of the branch that it begins at. */
  from: string;
  /** Full name of the new branch. */
  ref: string;
  /** Path of the new file from the root of the repository. */
  file: string;
  content: string;
  message: string;
  author: { name: string; email: string };
}

/**
 * Reads repositories over the network. Everything in them is hostile: nothing in a repository is
 * executed, and bytes, files and seconds are bounded. Every method throws a `DocentError`:
 * `git_refused` if a person must change something,
 * `git_unavailable` if trying again may help.
 */
export interface GitRepositories {
  /**
   * Asks the remote what a ref names, without fetching. @returns the sha; undefined if there is no
   * such ref
   */
  resolve(remote: GitRemote, ref: string, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Asks the remote what all refs name that match patterns such as `refs/heads/*`. @returns shas by
   * ref
   */
  list(
    remote: GitRemote,
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, string>>;
  /** Fetches the history up to a ref, without the content of files. */
  inspect(remote: GitRemote, options: FetchOptions): Promise<GitRevision>;
  /**
   * Fetches a folder, and passes it to `use`; until that has ended, the repository is not changed.
   */
  withSource<Result>(
    remote: GitRemote,
    options: FetchOptions,
    use: (source: GitSource) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Adds a file in one commit on a branch that does not exist yet; no other branch is changed.
   * @returns the commit
   * @throws DocentError `git_refused` also if there is such a file, or the credentials may not write
   */
  addBranch(remote: GitRemote, branch: NewBranch): Promise<Pick<GitRevision, 'sha' | 'knownHosts'>>;
  /** Makes a key pair for ssh. */
  createKey(comment: string): Promise<{ privateKey: string; publicKey: string }>;
  /** Deletes the copy of a repository. */
  forget(id: string): Promise<void>;
}
