import type { CheckRule, ValeRule } from '@docent/format/deployments/new-problems.ts';
import { DocentError } from '@docent/format/errors.ts';
import {
  isBranchName,
  readGitAddress,
  readSourceFolder,
} from '@docent/format/sources/git-address.ts';
import {
  type GitCredentialsKind,
  type GitProvider,
  providerOf,
} from '@docent/format/sources/git-provider.ts';
import { githubRepository } from '@docent/format/sources/github.ts';
import type { ForkRule, PullPreviews } from '@docent/format/sources/pull-request.ts';
import type { GitHubAppRow } from '../github-apps/app-queries.ts';
import { appsOfOrganization } from '../github-apps/use-app.ts';
import type { Deps } from '../kernel/deps.ts';
import { sealSecret } from '../kernel/sealed-secrets.ts';
import type { GitSourceRow } from './queries.ts';

type InputDeps = Pick<Deps, 'database' | 'git' | 'secret'>;

/**
 * How the server is let in. A token of `undefined` keeps the stored one; `newKey` makes another
 * deploy key.
 */
interface CredentialsInput {
  kind: GitCredentialsKind;
  username?: string | null | undefined;
  token?: string | undefined;
  newKey?: boolean | undefined;
  /** Of several apps of the organization at that host, which one. */
  githubAppId?: string | undefined;
}

export interface SourceInput {
  /** Where its pages are; empty for a base with all of the site. */
  path?: string | undefined;
  url: string;
  branch: string;
  folder: string;
  provider?: GitProvider | undefined;
  automatic: boolean;
  credentials: CredentialsInput;
  previews?: PullPreviews | undefined;
  forks: ForkRule;
  failsOn: CheckRule;
  /** Whether test questions that lose their answer make the check of a pull request fail. */
  failsOnAnswers: boolean;
  vale: ValeRule;
  submodules: boolean;
  /** Hosts of submodules besides that of the repository. */
  submoduleHosts: string[];
  /** Whether files in Git LFS have their content. */
  lfs: boolean;
}

/** @throws DocentError `invalid_request` naming the field */
export function placeOf({
  url,
  branch,
  folder,
  provider,
}: Pick<SourceInput, 'url' | 'branch' | 'folder' | 'provider'>) {
  const address = readGitAddress(url.trim());
  if (typeof address === 'string') throw invalid('/url', address);
  if (!isBranchName(branch)) throw invalid('/branch', 'This is not the name of a branch.');
  const path = readSourceFolder(folder);
  if (path === undefined)
    throw invalid(
      '/folder',
      'This is not the path of a folder in the repository; write it like packages/docs.',
    );
  return { url: address.url, branch, folder: path, provider: provider ?? providerOf(address.host) };
}

const NO_CREDENTIALS = { username: null, secret: null, publicKey: null, githubAppId: null };

/** @param before what is stored, if it may be used again */
export async function credentialsOf(
  deps: InputDeps,
  { organizationId }: { organizationId: string },
  { kind, username = null, token, newKey = false, githubAppId }: CredentialsInput,
  { url }: { url: string },
  before: Pick<GitSourceRow, 'credentials' | 'secret' | 'publicKey'> | undefined,
) {
  const isSsh = url.startsWith('ssh:');
  if (isSsh !== (kind === 'ssh'))
    throw invalid(
      '/credentials/kind',
      `An address with ${isSsh ? 'ssh needs a deploy key' : 'https takes no deploy key'}.`,
    );
  const stored = before?.credentials === kind ? before : undefined;
  if (kind === 'none') return { credentials: kind, ...NO_CREDENTIALS };
  if (kind === 'github_app') {
    const app = await appFor(deps, organizationId, { url, githubAppId });
    return { credentials: kind, ...NO_CREDENTIALS, githubAppId: app.id };
  }
  if (kind === 'token') {
    const secret =
      token === undefined
        ? (stored?.secret ?? undefined)
        : sealSecret(deps.secret, 'Git sources', token);
    if (secret === undefined)
      throw invalid(
        '/credentials/token',
        'Enter the token: it is used only at the server that it was entered for.',
      );
    return { credentials: kind, ...NO_CREDENTIALS, username, secret };
  }
  if (stored?.secret && !newKey)
    return {
      credentials: kind,
      ...NO_CREDENTIALS,
      secret: stored.secret,
      publicKey: stored.publicKey,
    };
  const { privateKey, publicKey } = await deps.git.createKey('docent');
  return {
    credentials: kind,
    ...NO_CREDENTIALS,
    secret: sealSecret(deps.secret, 'Git sources', privateKey),
    publicKey,
  };
}

/** Returns the app of an organization that lets the server in at an address. */
async function appFor(
  deps: InputDeps,
  organizationId: string,
  { url, githubAppId }: { url: string; githubAppId: string | undefined },
): Promise<GitHubAppRow> {
  const host = githubRepository(url)?.host;
  if (host === undefined)
    throw invalid(
      '/url',
      'A GitHub App needs the address of a repository, such as https://github.com/acme/docs.',
    );
  const all = await appsOfOrganization(deps, organizationId);
  const apps = all.filter((app) => app.host === host);
  const app = githubAppId === undefined ? apps[0] : apps.find(({ id }) => id === githubAppId);
  if (!app || (githubAppId === undefined && apps.length > 1))
    throw invalid(
      '/credentials/githubAppId',
      apps.length === 0
        ? `The organization has no GitHub App at ${host}; create it in the dashboard.`
        : `Choose one of the GitHub Apps at ${host}: ${apps.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
    );
  return app;
}

export function invalid(path: string, message: string): DocentError {
  return new DocentError('invalid_request', message, { errors: [{ path, message }] });
}
