/** Software that hosts repositories. */
export const GIT_PROVIDERS = [
  'github',
  'gitlab',
  'gitea',
  'bitbucket',
  'bitbucket-server',
  'azure',
  'other',
] as const;
export type GitProvider = (typeof GIT_PROVIDERS)[number];

/** `github_app`: an app of the organization, which is installed for the repository. */
export const GIT_CREDENTIALS = ['none', 'token', 'ssh', 'github_app'] as const;
export type GitCredentialsKind = (typeof GIT_CREDENTIALS)[number];

const HOSTS: readonly (readonly [RegExp, GitProvider])[] = [
  [/^github\.|\.ghe\.com$/, 'github'],
  [/^gitlab\./, 'gitlab'],
  [/^(?:codeberg\.org$|gitea\.|forgejo\.)/, 'gitea'],
  [/^bitbucket\.org$/, 'bitbucket'],
  [/^bitbucket\./, 'bitbucket-server'],
  [/^(?:ssh\.)?dev\.azure\.com$|\.visualstudio\.com$/, 'azure'],
];

/** Returns what probably runs on a host, by its name. */
export function providerOf(host: string): GitProvider {
  return HOSTS.find(([name]) => name.test(host.toLowerCase()))?.[1] ?? 'other';
}

/**
 * The user name that goes with a token where the owner names none; servers that read only the token
 * ignore it.
 */
export const TOKEN_USERS: Readonly<Record<GitProvider, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'oauth2',
  bitbucket: 'x-token-auth',
  'bitbucket-server': 'x-token-auth',
  azure: 'docent',
  other: 'docent',
};

/** Returns whether the author of a commit asks not to publish it. */
export function skipsDocs(message: string): boolean {
  return /\[(?:skip docs|docs skip)\]/i.test(message);
}
