/** Where a repository is, as Git fetches it. */
export interface GitAddress {
  protocol: 'https' | 'ssh';
  /** In the form that Git is given, without user and password for https. */
  url: string;
  host: string;
  port: number;
}

const MAX_CHARACTERS = 1000;
const LONG = /^(\w+):\/\/(?:([^@/]*)@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d{1,5}))?(\/[^?#]*)?([?#].*)?$/;
const SHORT = /^([^@:/\s]+)@([^:/\s]+):(?!\/\/)\/?(\S+)$/;
const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)$/;
const PATH = /^\/[\w.~%+@=,/-]{1,800}$/;
const USER = /^[a-z_][\w.-]{0,63}$/i;
const DEFAULT_PORTS = { https: 443, ssh: 22 } as const;

/**
 * Parses the address of a repository: `https://host/path`, `ssh://git@host/path` or
 * `git@host:path`. Other protocols of Git are refused: those without encryption, and those that
 * read files or start programs.
 * @returns the reason as a sentence if it is none
 */
export function readGitAddress(text: string): GitAddress | string {
  const [, shortUser, shortHost, shortPath] = SHORT.exec(text) ?? [];
  const address = shortHost === undefined ? text : `ssh://${shortUser}@${shortHost}/${shortPath}`;
  const [, scheme = '', user, name = '', portText, path = '', rest] =
    text.length > MAX_CHARACTERS ? [] : (LONG.exec(address) ?? []);
  const protocol = scheme.toLowerCase();
  if (protocol !== 'https' && protocol !== 'ssh')
    return 'The address must begin with https:// or ssh://, or be like git@example.com:acme/docs.git.';
  if (user !== undefined && (protocol === 'https' || user.includes(':')))
    return 'The address contains a user name or password; enter them as credentials instead.';
  if (rest !== undefined) return 'The address must have neither a query nor a fragment.';
  if (user !== undefined && !USER.test(user)) return 'The user name in the address is invalid.';
  const hostname = name.toLowerCase();
  if (!HOST.test(hostname)) return 'The host name in the address is invalid.';
  // A path that begins with a dash would be an option for the program at the other end.
  if (!PATH.test(path) || path.startsWith('/-') || path.includes('..'))
    return 'The path in the address is not that of a repository.';
  const port = portText === undefined ? DEFAULT_PORTS[protocol] : Number(portText);
  const authority = `${user === undefined ? '' : `${user}@`}${hostname}${port === DEFAULT_PORTS[protocol] ? '' : `:${port}`}`;
  return {
    protocol,
    url: `${protocol}://${authority}${path}`,
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
  };
}

/** Returns the name of a repository with that of its owner: `acme/docs`. */
export function repositoryName(url: string): string {
  const [, , , ...path] = url.split('/');
  return path
    .filter(Boolean)
    .join('/')
    .replace(/\.git$/, '');
}

/**
 * Returns whether a text can be the name of a branch: the rules of `git check-ref-format`, with
 * fewer characters.
 */
export function isBranchName(text: string): boolean {
  if (!/^[\p{L}\p{N}_.+@=#%/-]{1,200}$/u.test(text) || /\.\.|@\{|\/\/|\.$|^[-/]|\/$/.test(text))
    return false;
  return (
    text !== '@' &&
    text.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

/**
 * Returns the path of a folder in a repository without slashes around it; empty for the repository
 * itself.
 * @returns undefined if it is none
 */
export function readSourceFolder(text: string): string | undefined {
  const folder = text.trim().replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, '');
  if (folder === '' || folder === '.') return '';
  if (folder.length > 500 || /[\p{Cc}\p{Cf}\\]/u.test(folder)) return undefined;
  return folder.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
    ? folder
    : undefined;
}
