import { BoundedCache } from '@docent/format/bounded-cache.ts';
import { textAt } from '@docent/format/json-value.ts';
import { githubRepository } from '@docent/format/sources/github.ts';
import type { Deps } from '../kernel/deps.ts';
import type { InstallationTokens, TokenUse } from '../kernel/process-state.ts';
import { HostFault } from '../outside/call-host.ts';
import { findGitHubApp, type GitHubAppRow } from './app-queries.ts';
import { type AppCallDeps, callAsApp } from './call-as-app.ts';

/** What each use of a repository needs; a token has no other permissions. */
const PERMISSIONS: Readonly<Record<TokenUse, object>> = {
  fetch: { contents: 'read' },
  propose: { contents: 'write', pull_requests: 'write' },
  report: { checks: 'write', pull_requests: 'write', statuses: 'write' },
};

/** What the owner of an app does if GitHub gives no token. */
const REMEDIES: Readonly<Record<TokenUse, string>> = {
  fetch: 'the owner of the repository may have to accept its permissions, or end its suspension',
  report: 'the owner of the repository may have to accept its permissions, or end its suspension',
  propose:
    'to write, it needs the permissions “Contents” and “Pull requests” as “Read and write”: set them in its settings at GitHub, then accept them for the repository',
};

const MAX_CACHE_BYTES = 2 * 1024 * 1024;
/** A token is not used in its last minutes: a fetch may take that long. */
const SPARE_MS = 10 * 60_000;

interface StoredToken {
  token: string;
  usableUntil: number;
}

/** Creates tokens of installations of GitHub Apps, and keeps them until they expire. */
export function createInstallationTokens(
  deps: AppCallDeps & Pick<Deps, 'database'>,
): InstallationTokens {
  const tokens = new BoundedCache<StoredToken>('installation_tokens', {
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ token }) => 2 * token.length,
  });

  async function create(
    { githubAppId, url }: { githubAppId: string; url: string },
    use: TokenUse,
  ): Promise<StoredToken> {
    const app = await findGitHubApp(deps.database.queries, githubAppId);
    const repository = githubRepository(url);
    if (!app || repository?.host !== app.host)
      throw new HostFault(
        'refused',
        'The GitHub App of the source does not fit its address; choose another one.',
      );
    const { owner, name } = repository;
    const installation = await callAsApp(deps, app, {
      method: 'GET',
      url: `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/installation`,
    }).catch((error) => {
      throw error instanceof HostFault && error.kind === 'missing' ? notInstalled(app, url) : error;
    });
    const id = textAt(installation, 'id') ?? '';
    const answer = await callAsApp(deps, app, {
      method: 'POST',
      url: `/app/installations/${encodeURIComponent(id)}/access_tokens`,
      body: { repositories: [name], permissions: PERMISSIONS[use] },
    }).catch((error) => {
      if (error instanceof HostFault && error.kind !== 'busy')
        throw new HostFault(
          'refused',
          `GitHub gave the app ${app.name} no token for ${url} (status ${error.status}); ${REMEDIES[use]}.`,
          error.status,
        );
      throw error;
    });
    const token = textAt(answer, 'token');
    const expiresAt = Date.parse(textAt(answer, 'expires_at') ?? '');
    if (!token || Number.isNaN(expiresAt))
      throw new HostFault('busy', `${app.host} returned no token.`);
    return { token, usableUntil: expiresAt - SPARE_MS };
  }

  return {
    async token(source, use) {
      const { githubAppId, url } = source;
      if (githubAppId === null)
        throw new HostFault('refused', 'The source has no GitHub App; choose one.');
      const key = `${githubAppId} ${url} ${use}`;
      const stored = tokens.peek(key);
      if (stored && stored.usableUntil <= deps.clock.now().getTime()) tokens.delete(key);
      return (await tokens.load(key, () => create({ githubAppId, url }, use))).token;
    },
    forget({ githubAppId, url }) {
      for (const use of Object.keys(PERMISSIONS)) tokens.delete(`${githubAppId} ${url} ${use}`);
    },
  };
}

function notInstalled({ name, htmlUrl }: GitHubAppRow, url: string): HostFault {
  return new HostFault(
    'missing',
    `The GitHub App ${name} is not installed for ${url}; install it at ${htmlUrl}/installations/new.`,
  );
}
