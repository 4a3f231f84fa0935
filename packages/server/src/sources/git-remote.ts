import { DocentError } from '@docent/format/errors.ts';
import { TOKEN_USERS } from '@docent/format/sources/git-provider.ts';
import type { Deps } from '../kernel/deps.ts';
import type { TokenUse } from '../kernel/process-state.ts';
import { openSecret } from '../kernel/sealed-secrets.ts';
import { HostFault } from '../outside/call-host.ts';
import type { GitCredentials, GitRemote, GitRevision } from '../ports/git/git-repositories.ts';
import { type GitSourceRow, updateGitSource } from './queries.ts';

/** The full name of the branch that a site is published from. */
export const branchRef = ({ branch }: Pick<GitSourceRow, 'branch'>) => `refs/heads/${branch}`;

type RemoteDeps = Pick<Deps, 'secret' | 'installationTokens'>;

/**
 * Returns a source as Git needs it, with its secret.
 * @param use what a GitHub App must let the server do
 * @throws DocentError `git_refused` if the secret was stored with another secret of the server, or
 *   GitHub gives its app no token; `git_unavailable` if GitHub may later
 */
export async function remoteOf(
  deps: RemoteDeps,
  source: GitSourceRow,
  use: TokenUse = 'fetch',
): Promise<GitRemote> {
  const { id, url, provider, submodules, submoduleHosts, lfs } = source;
  const extras = { submodules, submoduleHosts, lfs };
  const credentials = await credentialsOf(deps, source, use);
  return { id: id.toLowerCase(), url, provider, credentials, extras };
}

async function credentialsOf(
  deps: RemoteDeps,
  source: GitSourceRow,
  use: TokenUse,
): Promise<GitCredentials> {
  if (source.credentials === 'github_app') {
    const token = await tokenOf(deps, source, use);
    return { kind: 'token', username: TOKEN_USERS.github, token };
  }
  return storedCredentials(deps, source);
}

async function tokenOf(deps: RemoteDeps, source: GitSourceRow, use: TokenUse): Promise<string> {
  try {
    return await deps.installationTokens.token(source, use);
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    throw new DocentError(error.kind === 'busy' ? 'git_unavailable' : 'git_refused', error.message);
  }
}

function storedCredentials(
  { secret: serverSecret }: RemoteDeps,
  source: GitSourceRow,
): GitCredentials {
  if (source.credentials === 'none' || source.secret === null) return { kind: 'none' };
  const secret = openSecret(serverSecret, 'Git sources', source.secret);
  if (secret === undefined) {
    const remedy =
      source.credentials === 'ssh' ? 'create another deploy key.' : 'enter the token again.';
    throw new DocentError(
      'git_refused',
      `The credentials were stored with another DOCENT_SECRET; ${remedy}`,
    );
  }
  if (source.credentials === 'ssh')
    return { kind: 'ssh', privateKey: secret, knownHosts: source.knownHosts };
  return {
    kind: 'token',
    username: source.username ?? TOKEN_USERS[source.provider],
    token: secret,
  };
}

/** Keeps the keys that a host showed at the first connection. */
export async function keepHostKeys(
  { database }: Pick<Deps, 'database'>,
  source: GitSourceRow,
  { knownHosts }: Pick<GitRevision, 'knownHosts'>,
): Promise<void> {
  if (source.knownHosts === null && knownHosts !== null)
    await updateGitSource(database.queries, source.id, { knownHosts });
}

/** Names that the main branch of a repository usually has. */
const USUAL_BRANCHES = ['main', 'master', 'trunk', 'develop', 'development', 'next', 'docs'];

/**
 * Returns what to say of a branch that is not there: it was renamed, or never had that name. The
 * usual one that is there, first the one that the server shows, is named.
 */
export async function noBranch(
  { git }: Pick<Deps, 'git'>,
  remote: GitRemote,
  { branch, url }: Pick<GitSourceRow, 'branch' | 'url'>,
  signal?: AbortSignal,
): Promise<DocentError> {
  const names = USUAL_BRANCHES.map((name) => branchRef({ branch: name }));
  const refs = await git.list(remote, ['HEAD', ...names], signal);
  const head = refs.get('HEAD');
  const there = names.filter((name) => refs.has(name));
  const other = there.find((name) => refs.get(name) === head) ?? there[0];
  const hint = other === undefined ? '' : ` It has ${other.replace('refs/heads/', '')}.`;
  return new DocentError(
    'git_refused',
    `The repository at ${url} has no branch ${branch}; correct the branch of the source.${hint}`,
  );
}
