import { DocentError } from '@docent/format/errors.ts';
import { TOKEN_USERS } from '@docent/format/sources/git-provider.ts';
import type { Deps } from '../kernel/deps.ts';
import { openSecret } from '../kernel/sealed-secrets.ts';
import type { GitCredentials, GitRemote, GitRevision } from '../ports/git/git-repositories.ts';
import { type GitSourceRow, updateGitSource } from './queries.ts';

/** The full name of the branch that a site is published from. */
export const branchRef = ({ branch }: Pick<GitSourceRow, 'branch'>) => `refs/heads/${branch}`;

/**
 * Returns a source as Git needs it, with its secret.
 * @throws DocentError `git_refused` if the secret was stored with another secret of the server
 */
export function remoteOf(deps: Pick<Deps, 'secret'>, source: GitSourceRow): GitRemote {
  const { id, url, provider } = source;
  return { id: id.toLowerCase(), url, provider, credentials: credentialsOf(deps, source) };
}

function credentialsOf(
  { secret: serverSecret }: Pick<Deps, 'secret'>,
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
  { knownHosts }: GitRevision,
): Promise<void> {
  if (source.knownHosts === null && knownHosts !== null)
    await updateGitSource(database.queries, source.id, { knownHosts });
}

export function noBranch({ branch, url }: Pick<GitSourceRow, 'branch' | 'url'>): DocentError {
  return new DocentError(
    'git_refused',
    `The repository at ${url} has no branch ${branch}; correct the branch of the source.`,
  );
}
