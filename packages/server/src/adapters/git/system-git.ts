import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { IpRange } from '@docent/format/access/ip.ts';
import {
  GIT_FACTS_FILE,
  type WrittenGitFacts,
  webAddress,
} from '@docent/format/docs-json/settings/repository.ts';
import { DocentError } from '@docent/format/errors.ts';
import type {
  FetchOptions,
  GitRemote,
  GitRepositories,
  GitRevision,
  GitSource,
} from '../../ports/git/git-repositories.ts';
import { commitFile, pathTaken, pushBranch } from './add-branch.ts';
import { createRefList, createRefReader } from './ask-refs.ts';
import { type FetchedTree, type UseTree, withCompleteTree } from './complete-tree.ts';
import { gitFault } from './git-fault.ts';
import { readCommitFacts, readFilesChanged } from './history.ts';
import { readLastChanges } from './last-changes.ts';
import { gitEnvironment, withRemote } from './remote-access.ts';
import { endFetch, keepCopiesWithin, prepareCopy } from './repository-copy.ts';
import {
  createKeyPair,
  firstLine,
  type GitBudget,
  GitFailure,
  gitLines,
  gitOutput,
  runGit,
} from './run-git.ts';

export interface SystemGitOptions {
  /** Where copies of repositories are kept; nothing in it is needed by the next start. */
  folder: string;
  allowedRanges: readonly IpRange[];
  /** Of one repository. */
  maxBytes: number;
  /** Of one fetch. */
  seconds: number;
  /** Of all copies together. */
  cacheBytes: number;
}

const MAX_FILES = 50_000;
const MAX_MESSAGE_CHARACTERS = 10_000;
const RESOLVE_SECONDS = 30;
const HISTORY_SECONDS = 10;
/** For runs that write no file worth mentioning. */
const WRITES_LITTLE = { fileBytes: 1024 * 1024 };
const short: GitBudget = { seconds: RESOLVE_SECONDS, ...WRITES_LITTLE };

interface FetchedCopy {
  /** Its folder. */
  copy: string;
  sha: string;
  tree: string;
  /** Environment with access to the remote. */
  env: Record<string, string>;
  knownHosts: string | null;
}

/**
 * Reads repositories with the `git` program, and keeps a copy of each without the content of files
 * that nobody read.
 */
export async function openSystemGit(options: SystemGitOptions): Promise<GitRepositories> {
  const root = resolve(options.folder);
  const runs = join(root, 'runs');
  await rm(runs, { recursive: true, force: true });
  await mkdir(runs, { recursive: true });
  const place = { folder: runs, allowedRanges: options.allowedRanges };
  const fetchBudget = { seconds: options.seconds, fileBytes: options.maxBytes };
  const turns = createTurns();
  const { allowedRanges } = options;
  const askRefs = createRefReader({ allowedRanges, seconds: RESOLVE_SECONDS });
  const copyOf = (id: string) => join(root, `${id}.git`);
  /** Copies of submodules are used with that of their repository. */
  const isBusy = (id: string) => turns.isTaken(id.split('_')[0] ?? id);

  /** Fetches the history of a ref, without the content of files. @returns its name in the copy */
  async function fetchRef(
    copy: string,
    ref: string,
    env: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<string> {
    const to = refInCopy(ref);
    const fetch = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--filter=blob:none',
      '--end-of-options',
    ];
    const run = { env, budget: fetchBudget, signal };
    await runGit(['--git-dir', copy, ...fetch, 'docent', `+${ref}:${to}`], run);
    return to;
  }

  /** Runs `use` on an up-to-date copy. A copy in a doubtful state is made again. */
  async function withCopy<Result>(
    remote: GitRemote,
    { ref, folder, sha: seenSha, signal }: FetchOptions,
    use: (copy: FetchedCopy) => Promise<Result>,
  ): Promise<Result> {
    const copy = copyOf(remote.id);
    return turns.take(remote.id, () =>
      withRemote(
        remote,
        place,
        { 'remote.docent.url': remote.url },
        async ({ env, knownHosts }) => {
          await prepareCopy(copy);
          try {
            const isFetched = seenSha !== undefined && (await shaInCopy(copy, ref)) === seenSha;
            const name = isFetched ? seenSha : await fetchRef(copy, ref, env, signal);
            const { sha, tree } = await readRevision(copy, { name, folder }, signal);
            const result = await use({ copy, sha, tree, env, knownHosts: await knownHosts() });
            await endFetch(copy);
            return result;
          } catch (error) {
            signal?.throwIfAborted();
            const { fault, isClean } = gitFault(error, remote, ref);
            if (isClean) await endFetch(copy);
            throw fault;
          } finally {
            await keepCopiesWithin(root, { ...options, current: remote.id, isBusy });
          }
        },
      ),
    );
  }

  function local(copy: string, budget: GitBudget, signal?: AbortSignal) {
    // What is missing is not fetched behind our back: no protocol is allowed.
    const run = { env: gitEnvironment(runs, 'none'), budget, signal };
    return { run, base: ['--git-dir', copy, '--literal-pathspecs'] };
  }

  /** Returns the commit that has a name in the copy, and the tree that is the folder there. */
  async function readRevision(
    copy: string,
    { name, folder }: { name: string; folder: string },
    signal?: AbortSignal,
  ) {
    const { run, base } = local(copy, short, signal);
    const input = `${name}^{commit}\n${name}:${folder}\n`;
    const lines: string[] = [];
    const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
    try {
      for await (const line of gitLines([...base, ...check], { ...run, input })) lines.push(line);
    } catch (error) {
      // The folder is a file whose content is not here.
      if (!(error instanceof GitFailure) || lines.length === 0) throw error;
    }
    const [, sha] = /^([0-9a-f]+) commit$/.exec(lines[0] ?? '') ?? [];
    const [, tree] = /^([0-9a-f]+) tree$/.exec(lines[1] ?? '') ?? [];
    if (sha === undefined) throw new GitFailure('fatal: it is no commit');
    if (tree !== undefined) return { sha, tree };
    throw new DocentError(
      'git_refused',
      `The repository has no folder "${folder}" there; correct the folder of the source.`,
    );
  }

  /** Compares a fetched revision with the commit at which it left another branch. */
  async function changeSince(
    { copy, sha, tree, env }: Pick<FetchedCopy, 'copy' | 'sha' | 'tree' | 'env'>,
    base: string,
    { folder, signal }: FetchOptions,
  ): Promise<NonNullable<GitRevision['change']>> {
    const baseName = await fetchRef(copy, base, env, signal);
    const { run, base: args } = local(copy, short, signal);
    const orNothing = (error: unknown) => {
      signal?.throwIfAborted();
      if (!(error instanceof GitFailure)) throw error;
      return '';
    };
    // Histories may have nothing in common, and the folder may be new.
    const fork = await firstLine([...args, 'merge-base', baseName, sha], run).catch(orNothing);
    const before =
      fork &&
      (await firstLine(
        [...args, 'rev-parse', '--verify', '--quiet', `${fork}:${folder}`],
        run,
      ).catch(orNothing));
    return { isChanged: before !== tree, isMerged: fork === sha };
  }

  async function listRefs(
    remote: GitRemote,
    patterns: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, string>> {
    const answer = await askRefs(remote, patterns, signal);
    if (answer) return answer;
    return withRemote(remote, place, {}, async ({ env }) => {
      const list = createRefList();
      const args = ['ls-remote', '--quiet', '--end-of-options', remote.url, ...patterns];
      try {
        for await (const line of gitLines(args, { env, budget: short, signal })) {
          const [sha = '', name = ''] = line.split('\t');
          list.add(name, sha);
        }
      } catch (error) {
        signal?.throwIfAborted();
        throw gitFault(error, remote, patterns.join(', ')).fault;
      }
      return list.refs;
    });
  }

  /** Fetches the content of the files of a tree that is not here yet, all at once. */
  async function fetchFiles(
    copy: string,
    tree: string,
    env: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const { run, base } = local(copy, { seconds: options.seconds, ...WRITES_LITTLE }, signal);
    let files = 0;
    let hasFacts = false;
    // A tree may name itself over and over: entries are counted as they come.
    for await (const path of gitLines(
      [...base, 'ls-tree', '-r', '-z', '--name-only', tree],
      run,
      '\0',
    )) {
      if (path === GIT_FACTS_FILE) hasFacts = true;
      if (++files > MAX_FILES)
        throw new DocentError(
          'git_refused',
          `The folder has more than ${MAX_FILES} files; choose a smaller folder of the repository.`,
        );
    }
    const missing: string[] = [];
    for await (const line of gitLines(
      [...base, 'rev-list', '--objects', '--no-object-names', '--missing=print', tree],
      run,
    ))
      if (line.startsWith('?')) missing.push(line.slice(1));
    await fetchBlobs({ copy, env }, missing, signal);
    return hasFacts;
  }

  async function fetchBlobs(
    { copy, env }: Pick<FetchedCopy, 'copy' | 'env'>,
    missing: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    if (missing.length === 0) return;
    const fetch = [
      '-c',
      'fetch.negotiationAlgorithm=noop',
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
    ];
    await runGit(['--git-dir', copy, ...fetch, '--filter=blob:none', '--stdin', 'docent'], {
      env,
      budget: fetchBudget,
      signal,
      input: missing.join('\n'),
    });
  }

  /** Fetches a commit of a submodule into a copy of its own, beside that of its repository. */
  async function withCommit<Result>(
    remote: GitRemote,
    sha: string,
    signal: AbortSignal | undefined,
    use: (tree: FetchedTree) => Promise<Result>,
  ): Promise<Result> {
    const name = createHash('sha256').update(remote.url).digest('hex').slice(0, 16);
    const copy = copyOf(`${remote.id}_${name}`);
    const settings = { 'remote.docent.url': remote.url };
    return withRemote(remote, place, settings, async ({ env }) => {
      let tree = '';
      try {
        await prepareCopy(copy);
        const { run, base } = local(copy, short, signal);
        const treeOfCommit = () =>
          firstLine([...base, 'rev-parse', '--verify', '--quiet', `${sha}^{tree}`], run);
        tree = await treeOfCommit().catch(() => '');
        if (tree === '') {
          const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1'];
          await runGit([...base, ...fetch, '--filter=blob:none', 'docent', sha], {
            env,
            budget: fetchBudget,
            signal,
          });
          tree = await treeOfCommit();
        }
        await fetchFiles(copy, tree, env, signal);
        await endFetch(copy);
      } catch (error) {
        signal?.throwIfAborted();
        throw gitFault(error, remote, `commit ${sha.slice(0, 12)}`).fault;
      }
      return use({ copy, remote, sha, tree, env });
    });
  }

  /** Passes on the tree with what it refers to, if the source asks for that. */
  async function withExtras<Result>(
    fetched: FetchedTree,
    { folder, signal }: FetchOptions,
    work: string,
    use: UseTree<Result>,
  ): Promise<Result> {
    const { extras } = fetched.remote;
    if (!extras?.submodules && !extras?.lfs) return use(fetched.tree, {}, {});
    return withCompleteTree(
      { ...fetched, folder, extras },
      work,
      {
        allowedRanges: options.allowedRanges,
        maxBytes: options.maxBytes,
        maxFiles: MAX_FILES,
        run: local(fetched.copy, fetchBudget, signal).run,
        fetchBlobs: (tree, shas) => fetchBlobs(tree, shas, signal),
        withCommit: (remote, sha, useCommit) => withCommit(remote, sha, signal, useCommit),
      },
      use,
    );
  }

  async function factsOf(
    copy: string,
    sha: string,
    remote: GitRemote,
    { ref, folder, signal }: FetchOptions,
  ) {
    const { run, base } = local(copy, { seconds: HISTORY_SECONDS, ...WRITES_LITTLE }, signal);
    const lines = (args: string[]) => gitLines([...base, ...args], run);
    const scope = { revision: sha, folder };
    const branch = ref.replace(/^refs\/(?:heads\/)?/, '');
    const [commit, files, changed] = await Promise.all([
      readCommitFacts(lines, sha),
      readFilesChanged(lines, scope),
      readLastChanges(lines, scope, copy),
    ]);
    signal?.throwIfAborted();
    const repository = webAddress(remote.url);
    const day =
      Object.values(changed).reduce((a, b) => (a > b ? a : b), '') ||
      commit.committedAt?.slice(0, 10);
    const facts: WrittenGitFacts = {
      remote: repository,
      forge: remote.provider,
      folder,
      branch,
      day,
      changed,
    };
    return { commit: { ...commit, ...files, ref: branch, repository }, facts };
  }

  return {
    resolve: async (remote, ref, signal) => (await listRefs(remote, [ref], signal)).get(ref),
    list: listRefs,

    inspect: (remote, fetch) =>
      withCopy(
        remote,
        fetch,
        async ({ copy, sha, tree, env, knownHosts }): Promise<GitRevision> => {
          const change =
            fetch.base === undefined
              ? undefined
              : await changeSince({ copy, sha, tree, env }, fetch.base, fetch);
          const { run, base } = local(copy, short, fetch.signal);
          let message = '';
          for await (const line of gitLines([...base, 'log', '-1', '--format=%B', sha, '--'], run))
            if (message.length < MAX_MESSAGE_CHARACTERS) message += `${line}\n`;
          return { sha, tree, message, knownHosts, change };
        },
      ),

    withSource: (remote, fetch, use) =>
      withCopy(remote, fetch, async ({ copy, sha, tree, env, knownHosts }) => {
        const hasFacts = await fetchFiles(copy, tree, env, fetch.signal);
        const { commit, facts } = await factsOf(copy, sha, remote, fetch);
        const work = await mkdtemp(join(runs, 'pack-'));
        try {
          const file = join(work, GIT_FACTS_FILE);
          const budget = { seconds: options.seconds, ...WRITES_LITTLE };
          const { run, base } = local(copy, budget, fetch.signal);
          const add = hasFacts ? [] : [`--add-file=${file}`];
          const revision = { sha, tree, message: commit.message ?? '', knownHosts };
          const pack = async (...[packed, more, submodules]: Parameters<UseTree<unknown>>) => {
            await writeFile(file, JSON.stringify({ ...facts, submodules }));
            const args = [...base, 'archive', '--format=tar', ...add, packed];
            const tar = Readable.from(gitOutput(args, { ...run, env: { ...run.env, ...more } }));
            return use({ revision, commit, archive: compressed(tar) } satisfies GitSource);
          };
          return await withExtras({ copy, remote, sha, tree, env }, fetch, work, pack);
        } finally {
          await rm(work, { recursive: true, force: true });
        }
      }),

    async addBranch(remote, { from, signal, ...branch }) {
      const budget = { seconds: options.seconds, ...WRITES_LITTLE };
      const result = await withCopy(
        remote,
        { ref: from, folder: '', signal },
        async ({ copy, sha: base, env, knownHosts }) => {
          const work = await mkdtemp(join(runs, 'branch-'));
          try {
            const here = { base: ['--git-dir', copy], run: local(copy, budget, signal).run, work };
            const sha = await commitFile(here, base, branch);
            if (sha === undefined) return pathTaken(branch.file);
            const fault = await pushBranch({ copy, env, budget, signal }, sha, branch.ref);
            return fault ?? { sha, knownHosts };
          } finally {
            await rm(work, { recursive: true, force: true });
          }
        },
      );
      // Thrown here, because the copy is as it was.
      if (result instanceof DocentError) throw result;
      return result;
    },

    async createKey(comment) {
      const work = await mkdtemp(join(runs, 'key-'));
      try {
        const file = join(work, 'key');
        await createKeyPair(file, comment);
        const [privateKey, publicKey] = await Promise.all([
          readFile(file, 'utf8'),
          readFile(`${file}.pub`, 'utf8'),
        ]);
        return { privateKey, publicKey: publicKey.trim() };
      } finally {
        await rm(work, { recursive: true, force: true });
      }
    },

    forget: (id) =>
      turns.take(id, async () => {
        for (const name of await readdir(root))
          if (name === `${id}.git` || name.startsWith(`${id}_`))
            await rm(join(root, name), { recursive: true, force: true });
      }),
  };
}

/** The name that a ref of the remote has in the copy. */
const refInCopy = (ref: string) =>
  `refs/docent/${createHash('sha256').update(ref).digest('hex').slice(0, 32)}`;

/** Returns what a ref named when it was fetched last. */
async function shaInCopy(copy: string, ref: string): Promise<string | undefined> {
  return readFile(join(copy, refInCopy(ref)), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
}

async function* compressed(tar: Readable): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 1 });
  const packing = pipeline(tar, gzip);
  packing.catch(() => {});
  yield* gzip;
  await packing;
}

/** Lets one at a time work on each thing. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return {
    isTaken: (id: string) => last.has(id),
    async take<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
      const turn = (last.get(id) ?? Promise.resolve()).then(work, work);
      last.set(id, turn);
      try {
        return await turn;
      } finally {
        if (last.get(id) === turn) last.delete(id);
      }
    },
  };
}
