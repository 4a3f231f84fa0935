import { readGitAddress } from './git-address.ts';

/** Returns whether a text can be the host of GitHub, in the cloud or of a company. */
export function isGitHubHost(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9.-]{0,200}[a-z0-9])?(?::\d{1,5})?$/.test(text);
}

/** Returns the address of the API of GitHub at a host, without a slash at the end. */
export function githubApi(host: string): string {
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  return isCloud ? `https://api.${host}` : `https://${host}/api/v3`;
}

/** A repository at GitHub. */
export interface GitHubRepository {
  host: string;
  owner: string;
  name: string;
}

/** Returns what the address of a repository names; undefined if it is not one of GitHub by https. */
export function githubRepository(url: string): GitHubRepository | undefined {
  const address = readGitAddress(url);
  if (typeof address === 'string' || address.protocol !== 'https') return undefined;
  const [, host, owner, name] =
    /^https:\/\/([^/]+)\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(address.url) ?? [];
  return host && owner && name ? { host, owner, name } : undefined;
}
