import { isObject, type JsonObject } from '../../json-value.ts';

/** The location of a site's source, for links to it. */
export interface Repository {
  forge: 'github' | 'gitlab' | 'gitea' | 'bitbucket';
  /** URL of the repository, without a trailing slash. */
  address: string;
  /** Branch; `HEAD` for the default one. */
  branch: string;
  /** Folder of the documentation, without leading and trailing slashes. */
  folder: string;
  /** Folders of the documentation that are other repositories; null where one has no known address. */
  submodules?: Readonly<Record<string, Repository | null>>;
}

/** Hosts whose names say what runs there. */
const GITEA = /^(?:codeberg\.org|(?:gitea|forgejo)\..*)$/;
const ADDRESS = /^(https:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?)\/([\w.~/-]{3,400})$/i;

/**
 * Parses the URL of a repository, or of the documentation folder in it, as the code hosting site
 * shows it:
 * `https://github.com/acme/docs`, `https://github.com/acme/app/tree/main/docs`, `https://gitlab.com/a/b/-/tree/main/docs`.
 * @returns undefined for other URLs
 */
export function readRepository(text: string): Repository | undefined {
  const [, origin, rest] = ADDRESS.exec(text.trim().replace(/(?:\.git)?\/?$/, '')) ?? [];
  if (origin === undefined || rest === undefined) return undefined;
  const parts = rest.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  const host = origin.slice('https://'.length).toLowerCase();
  const at = (...words: string[]) =>
    parts.findIndex(
      (_, index) => index >= 2 && words.every((word, offset) => parts[index + offset] === word),
    );
  const marker = [
    { forge: 'gitlab', at: at('-', 'tree'), skip: 2 },
    { forge: 'gitea', at: at('src', 'branch'), skip: 2 },
    { forge: 'bitbucket', at: host === 'bitbucket.org' ? at('src') : -1, skip: 1 },
    { forge: 'github', at: at('tree'), skip: 1 },
  ].find((candidate) => candidate.at >= 0) as
    | { forge: Repository['forge']; at: number; skip: number }
    | undefined;
  if (!marker) {
    const forge = host.startsWith('gitlab.')
      ? 'gitlab'
      : host === 'bitbucket.org'
        ? 'bitbucket'
        : GITEA.test(host)
          ? 'gitea'
          : 'github';
    // GitLab groups may be nested; elsewhere a repository is an owner and a name.
    if (parts.length < 2 || (forge !== 'gitlab' && parts.length !== 2)) return undefined;
    return { forge, address: `${origin}/${rest}`, branch: 'HEAD', folder: '' };
  }
  const [branch, ...folder] = parts.slice(marker.at + marker.skip);
  if (branch === undefined) return undefined;
  return {
    forge: marker.forge,
    address: `${origin}/${parts.slice(0, marker.at).join('/')}`,
    branch,
    folder: folder.join('/'),
  };
}

const EDIT: Record<Repository['forge'], (branch: string, file: string) => string> = {
  github: (branch, file) => `/edit/${branch}/${file}`,
  gitlab: (branch, file) => `/-/edit/${branch}/${file}`,
  gitea: (branch, file) => `/_edit/${branch}/${file}`,
  bitbucket: (branch, file) => `/src/${branch}/${file}?mode=edit`,
};

/**
 * Returns the edit URL of a documentation file. @param file its path in the documentation folder
 */
export function editAddress({ forge, address, branch, folder }: Repository, file: string): string {
  const path = [folder, file].filter(Boolean).join('/');
  return address + EDIT[forge](branch, path.split('/').map(encodeURIComponent).join('/'));
}

/** Returns the URL of a commit; undefined where the repository is none that is known. */
export function commitAddress(repository: string | null, sha: string): string | undefined {
  const { forge, address } = readRepository(repository ?? '') ?? {};
  if (address === undefined || sha === '') return undefined;
  const folder =
    forge === 'gitlab' ? '/-/commit/' : forge === 'bitbucket' ? '/commits/' : '/commit/';
  return address + folder + sha;
}

/** Returns the URL for opening an issue about a page, with its title and path filled in. */
export function issueAddress(
  { forge, address }: Repository,
  page: { title: string; path: string },
): string {
  const title = encodeURIComponent(page.title.slice(0, 200));
  const text = encodeURIComponent(`Page: ${page.path}\n\n`);
  if (forge === 'gitlab')
    return `${address}/-/issues/new?issue[title]=${title}&issue[description]=${text}`;
  if (forge === 'bitbucket') return `${address}/issues/new?title=${title}&content=${text}`;
  return `${address}/issues/new?title=${title}&body=${text}`;
}

/**
 * The file beside docs.json in which `docent publish` records the Git metadata of the folder. An
 * author may write it too.
 */
export const GIT_FACTS_FILE = '.docent-git.json';

/** What is known of a source from its Git repository. */
export interface GitFacts {
  repository?: Repository;
  /** The day of the content as a whole. */
  day?: string;
  /**
   * The day of the last change of files, by their paths in the documentation folder: `2026-11-02`.
   */
  changed: ReadonlyMap<string, string>;
}

/** What that file holds. */
export interface WrittenGitFacts {
  /** The output of `git remote get-url`, without user and password. */
  remote?: string;
  /** What hosts the repository, where its host name does not say so. */
  forge?: string;
  branch?: string;
  /** Of the documentation in the repository. */
  folder?: string;
  day?: string;
  changed?: Record<string, string>;
  /** Addresses of submodules, by their paths in the documentation folder. */
  submodules?: Record<string, string>;
}

/** What follows the address of a repository on the pages of a forge that can have any host name. */
const FORGE_MARKS: ReadonlyMap<string, string> = new Map([
  ['gitlab', '/-/tree/HEAD'],
  ['gitea', '/src/branch/HEAD'],
]);

/** Reads the file; ignores invalid values, because the file is optional. */
export function readGitFacts(text: string | undefined): GitFacts {
  const { remote, forge, branch, folder, day, changed, submodules } = parse(text);
  const address = typeof remote === 'string' ? webAddress(remote) : undefined;
  const mark = FORGE_MARKS.get(String(forge)) ?? '';
  const repository = address === undefined ? undefined : readRepository(address + mark);
  const others = Object.entries(isObject(submodules) ? submodules : {}).map(
    ([path, url]): [string, Repository | null] => {
      const other = typeof url === 'string' ? (webAddress(url) ?? '') : '';
      const isBeside = other.split('/')[2] === address?.split('/')[2];
      return [path, readRepository(other + (isBeside ? mark : '')) ?? null];
    },
  );
  const days = Object.entries(isObject(changed) ? changed : {}).filter(
    (entry): entry is [string, string] => isDay(entry[1]),
  );
  const at = {
    ...(typeof branch === 'string' && isRefName(branch) && { branch }),
    ...(typeof folder === 'string' && { folder: folder.replace(/^\/|\/$/g, '') }),
    ...(others.length > 0 && { submodules: Object.fromEntries(others) }),
  };
  return {
    ...(repository && { repository: { ...repository, ...at } }),
    ...(isDay(day) && { day }),
    changed: new Map(days),
  };
}

function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/**
 * What components take for today while a site is built. The clock of the build would make every
 * build of the same sources another one; it is asked only where nothing is known of their age.
 */
export function contentDay({ day, changed }: GitFacts): string {
  const newest = [...changed.values()].reduce((a, b) => (a > b ? a : b), '');
  return (day ?? newest) || new Date().toISOString().slice(0, 10);
}

/**
 * The https address of a repository of which Git knows how to fetch it: `git@host:acme/app.git`,
 * `ssh://…`, `https://…`. User and password are left out.
 * @returns undefined for one on the same machine
 */
export function webAddress(remote: string): string | undefined {
  const short = /^(?:[\w.-]{1,100}@)?([a-z0-9.-]{1,253}):(?!\/\/)\/?([^\s?#]{1,400})$/i.exec(
    remote,
  );
  const long =
    /^(https?|ssh|git):\/\/(?:[^@/\s]{0,400}@)?([a-z0-9.-]{1,253})(:\d{1,5})?\/([^\s?#]{1,400})$/i.exec(
      remote,
    );
  const path = (long?.[4] ?? short?.[2])?.replace(/(?:\.git)?\/?$/, '');
  if (path === undefined) return undefined;
  // The SSH port is unrelated to the web port.
  const port = long?.[1]?.toLowerCase() === 'https' ? (long[3] ?? '') : '';
  return `https://${long?.[2] ?? short?.[1]}${port}/${path}`;
}

const isRefName = (name: string) => /^[\w./-]{1,200}$/.test(name) && !name.includes('..');

function parse(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
