import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IpRange } from '@docent/format/access/ip.ts';
import { inFolder } from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import { readGitAddress } from '@docent/format/sources/git-address.ts';
import type { GitExtras, GitRemote } from '../../ports/git/git-repositories.ts';
import { fetchLfsObjects, type LfsPointer, MAX_POINTER_BYTES, readPointer } from './lfs-objects.ts';
import { lfsFolder } from './repository-copy.ts';
import { firstLine, type GitRun, gitLines, gitOutput } from './run-git.ts';

/** A tree in the copy of a repository, whose files are all there. */
export interface FetchedTree {
  copy: string;
  remote: GitRemote;
  sha: string;
  tree: string;
  /** Environment with access to the remote. */
  env: Record<string, string>;
}

/** What the fetch of a repository offers to that of its submodules. */
export interface TreeTools {
  allowedRanges: readonly IpRange[];
  maxBytes: number;
  maxFiles: number;
  /** A run without access to any remote. */
  run: GitRun;
  /** Fetches single files. */
  fetchBlobs(tree: Pick<FetchedTree, 'copy' | 'env'>, shas: readonly string[]): Promise<void>;
  /** Fetches a commit of a submodule with its files, for as long as `use` runs. */
  withCommit<Result>(
    remote: GitRemote,
    sha: string,
    use: (tree: FetchedTree) => Promise<Result>,
  ): Promise<Result>;
}

/** Gets the environment in which the tree is read, and the addresses of submodules by their paths. */
export type UseTree<Result> = (
  tree: string,
  env: Record<string, string>,
  submodules: Record<string, string>,
) => Promise<Result>;

const MAX_SUBMODULES = 20;
const NO_SHA = '0'.repeat(40);

interface Entry {
  mode: string;
  type: string;
  sha: string;
  size: number;
  path: string;
}

/**
 * Makes the tree that has what another one refers to: the content of files in Git LFS, and the files
 * of submodules. `use` reads it with the additions to its environment.
 * @param folder of the tree in its repository
 * @param work an empty folder for the new objects
 * @throws DocentError `git_refused`, `git_unavailable`
 */
export async function withCompleteTree<Result>(
  source: FetchedTree & { folder: string; extras: GitExtras },
  work: string,
  tools: TreeTools,
  use: UseTree<Result>,
): Promise<Result> {
  const objects = join(work, 'objects');
  await mkdir(objects, { recursive: true });
  const { extras, folder } = source;
  const copies = [source.copy];
  const submodules: Record<string, string> = Object.create(null);
  const environment = () => ({
    GIT_OBJECT_DIRECTORY: objects,
    GIT_INDEX_FILE: join(work, 'index'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: copies.map((copy) => join(copy, 'objects')).join(':'),
  });
  const runWith = (input?: string): GitRun => ({
    ...tools.run,
    env: { ...tools.run.env, ...environment() },
    input,
  });
  const entries = await entriesWithContent(source, extras, tools, runWith);
  const links = entries.filter(({ type }) => type === 'commit');
  if (!extras.submodules || links.length === 0) return finish(entries);
  if (links.length > MAX_SUBMODULES)
    throw refused(`The folder has more than ${MAX_SUBMODULES} submodules; Docent reads no more.`);
  const addresses = await submoduleAddresses(source, tools);
  return addNext(0, entries);

  /** One after another, so that all copies stay as they are until the tree is read. */
  async function addNext(index: number, list: readonly Entry[]): Promise<Result> {
    const link = links[index];
    if (!link) return finish(list);
    const path = inFolder(folder, link.path);
    const remote = submoduleRemote(source.remote, extras, path, addresses.get(path));
    return tools.withCommit(remote, link.sha, async (fetched) => {
      copies.push(fetched.copy);
      submodules[link.path] = remote.url;
      const inside = await entriesWithContent(fetched, extras, tools, runWith);
      const placed = inside.map((entry) => ({ ...entry, path: `${link.path}/${entry.path}` }));
      return addNext(index + 1, [...list.filter((entry) => entry !== link), ...placed]);
    });
  }

  async function finish(list: readonly Entry[]): Promise<Result> {
    if (list.length > tools.maxFiles)
      throw refused(`The folder has more than ${tools.maxFiles} files with its submodules.`);
    const lines = list.map(({ mode, sha, path }) => `${mode} ${sha}\t${path}\0`);
    const base = ['--git-dir', source.copy];
    await firstLine([...base, 'update-index', '-z', '--index-info'], runWith(lines.join('')));
    const tree = await firstLine([...base, 'write-tree', '--missing-ok'], runWith());
    return use(tree, environment(), submodules);
  }
}

/** Lists the files of a tree; those in Git LFS have their content, if that is asked for. */
async function entriesWithContent(
  fetched: FetchedTree,
  { lfs }: GitExtras,
  tools: TreeTools,
  runWith: (input?: string) => GitRun,
): Promise<Entry[]> {
  const base = ['--git-dir', fetched.copy];
  const entries: Entry[] = [];
  const list = ['ls-tree', '-r', '-l', '-z', fetched.tree];
  for await (const line of gitLines([...base, ...list], tools.run, '\0')) {
    const [, mode = '', type = '', sha = NO_SHA, size, path = ''] =
      /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]*)$/.exec(line) ?? [];
    entries.push({ mode, type, sha, size: Number(size), path });
  }
  if (!lfs) return entries;
  const pointers = await pointersIn(base, entries, tools.run);
  if (pointers.size === 0) return entries;
  const folder = lfsFolder(fetched.copy);
  const { allowedRanges, maxBytes, run } = tools;
  const withAccess = { ...run, env: fetched.env };
  const place = { remote: fetched.remote, folder, allowedRanges, maxBytes, run: withAccess };
  await fetchLfsObjects([...pointers.values()], place);
  const names = [...pointers];
  const files = names.map(([, { oid }]) => join(folder, oid)).join('\n');
  const hash = ['-c', 'core.compression=0', 'hash-object', '-w', '--no-filters', '--stdin-paths'];
  const shas = new Map<string, string>();
  for await (const sha of gitLines([...base, ...hash], runWith(files)))
    shas.set(names[shas.size]?.[0] ?? '', sha);
  return entries.map((entry) => ({ ...entry, sha: shas.get(entry.sha) ?? entry.sha }));
}

/** Returns the pointers to Git LFS among files, by their shas. */
async function pointersIn(
  base: readonly string[],
  entries: readonly Entry[],
  run: GitRun,
): Promise<Map<string, LfsPointer>> {
  const shas = new Set(
    entries.flatMap(({ type, size, mode, sha }) =>
      type === 'blob' && mode !== '120000' && size <= MAX_POINTER_BYTES ? [sha] : [],
    ),
  );
  const pointers = new Map<string, LfsPointer>();
  if (shas.size === 0) return pointers;
  const chunks: Buffer[] = [];
  const input = [...shas].join('\n');
  for await (const chunk of gitOutput([...base, 'cat-file', '--batch'], { ...run, input }))
    chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const [sha = '', , size] = bytes.toString('latin1', at, end).split(' ');
    const next = end + 1 + (Number(size) || 0);
    const pointer = readPointer(bytes.toString('latin1', end + 1, next));
    if (pointer) pointers.set(sha, pointer);
    at = next + 1;
  }
  return pointers;
}

/** Reads `.gitmodules`: path in the repository → address. */
async function submoduleAddresses(
  source: FetchedTree,
  tools: TreeTools,
): Promise<Map<string, string>> {
  const base = ['--git-dir', source.copy];
  const name = `${source.sha}:.gitmodules`;
  const blob = await firstLine(
    [...base, 'rev-parse', '--verify', '--quiet', name],
    tools.run,
  ).catch(() => '');
  if (blob === '') return new Map();
  await tools.fetchBlobs(source, [blob]);
  const modules = new Map<string, { path?: string; url?: string }>();
  for await (const line of gitLines(
    [...base, 'config', '--blob', blob, '-z', '--list'],
    tools.run,
    '\0',
  )) {
    const [, module, key, value] = /^submodule\.([^\n]+)\.(path|url)\n([^\n]*)$/.exec(line) ?? [];
    if (module !== undefined && key !== undefined)
      modules.set(module, { ...modules.get(module), [key]: value });
  }
  return new Map(
    [...modules.values()].flatMap(({ path, url }) =>
      path !== undefined && url !== undefined ? [[path, url] as const] : [],
    ),
  );
}

/**
 * Returns where a submodule is read, with the credentials of the repository if it is on the same
 * server.
 * @throws DocentError `git_refused`
 */
export function submoduleRemote(
  remote: GitRemote,
  { submoduleHosts }: Pick<GitExtras, 'submoduleHosts'>,
  path: string,
  written: string | undefined,
): GitRemote {
  if (written === undefined)
    throw refused(`The submodule ${path} has no address in .gitmodules; add it there.`);
  const isRelative = /^\.{1,2}\//.test(written);
  const base = `${remote.url.replace(/(?<!\/)\/+$/, '')}/`;
  const repository = readGitAddress(remote.url);
  const address = readGitAddress(isRelative ? new URL(written, base).href : written);
  if (typeof repository === 'string' || typeof address === 'string')
    throw refused(
      `The submodule ${path} cannot be read: ${typeof repository === 'string' ? repository : address}`,
    );
  const isSameHost = address.host === repository.host;
  if (!isSameHost && !submoduleHosts.includes(address.host))
    throw refused(
      `The submodule ${path} is at ${address.host}, another host than the repository; allow that host for the source, or turn submodules off.`,
    );
  if (address.protocol === repository.protocol && address.port === repository.port && isSameHost)
    return { ...remote, url: address.url };
  // Without a deploy key, what is written for ssh is read by https.
  const isToHttps = address.protocol === 'ssh' && remote.credentials.kind !== 'ssh';
  if (!isToHttps) return { ...remote, url: address.url, credentials: { kind: 'none' } };
  const { hostname, pathname } = new URL(address.url);
  const isOwnServer = isSameHost && repository.protocol === 'https';
  const port = isOwnServer && repository.port !== 443 ? `:${repository.port}` : '';
  const credentials = isOwnServer ? remote.credentials : ({ kind: 'none' } as const);
  return { ...remote, url: `https://${hostname}${port}${pathname}`, credentials };
}

const refused = (message: string) => new DocentError('git_refused', message);
