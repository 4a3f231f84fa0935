import type { Actor } from '@docent/format/access/may.ts';
import { readFrontmatter } from '@docent/format/content/mdx/frontmatter.ts';
import { oneLine } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import { textAt } from '@docent/format/json-value.ts';
import { pullRequestAddress } from '@docent/format/sources/pull-request.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { HostFault } from '../outside/call-host.ts';
import { branchRef, keepHostKeys, remoteOf } from '../sources/git-remote.ts';
import { sourceOf } from '../sources/manage-git-source.ts';
import type { GitSourceRow } from '../sources/queries.ts';
import { gitHostOf, type NewPull } from './reports/git-hosts.ts';

type ProposalDeps = Pick<
  Deps,
  'database' | 'clock' | 'config' | 'git' | 'secret' | 'installationTokens' | 'hostCalls'
>;

interface NewPage {
  project: string;
  /** Without it, the base. */
  sourceId?: string | undefined;
  /** From the folder of the documentation. */
  path: string;
  content: string;
  opensPullRequest: boolean;
}

interface Proposal {
  branch: string;
  sha: string;
  /** From the root of the repository. */
  file: string;
  pullRequest: { number: number; url: string | null } | null;
  pullRequestError: string | null;
}

const MAX_NAME = 40;
const MAX_TITLE = 120;
const PULL_TEXT =
  'The first text of a page that readers asked for and the documentation lacks, as Docent drafted it. Check every statement and answer the questions to the author. The page is hidden until `hidden` and `noindex` are removed.';

/**
 * Adds a page that is marked as a draft to the repository of a site, on a branch of its own, and
 * opens a pull request for it if that is requested. Nothing is published by it.
 * @throws DocentError `site_not_found`, `git_source_not_found`; `invalid_request` naming the field;
 *   `git_refused` if the credentials may not write, or the page exists; `git_unavailable`
 */
export async function proposePage(
  deps: ProposalDeps,
  actor: Actor,
  { project, sourceId, path, content, opensPullRequest }: NewPage,
  signal: AbortSignal,
): Promise<Proposal> {
  const source = await sourceOf(deps, actor, 'git-sources.write', { project, sourceId });
  const title = draftTitle(content);
  const canOpen = source.credentials === 'token' || source.credentials === 'github_app';
  const host = canOpen ? gitHostOf(source) : undefined;
  if (source.credentials === 'none')
    throw new DocentError(
      'git_refused',
      'The source has no credentials, so nothing can be written to its repository; give it a token that may write, or download the draft.',
    );
  if (opensPullRequest && !host)
    throw new DocentError(
      'git_refused',
      `No pull request can be opened with ${canOpen ? 'this server of repositories' : 'a deploy key'}; create the branch alone.`,
    );
  const branch = branchName(path, deps.clock.now());
  const file = source.folder === '' ? path : `${source.folder}/${path}`;
  const { sha, knownHosts } = await deps.git.addBranch(await remoteOf(deps, source, 'propose'), {
    from: branchRef(source),
    ref: `refs/heads/${branch}`,
    file,
    content,
    message: `Draft: ${title}\n`,
    author: { name: 'Docent', email: `docent@${new URL(deps.config.publicUrl).hostname}` },
    signal,
  });
  await keepHostKeys(deps, source, { knownHosts });
  const proposal = { branch, sha, file, pullRequest: null, pullRequestError: null };
  if (!opensPullRequest) return proposal;
  const pull = { title, text: PULL_TEXT, head: branch, base: source.branch };
  try {
    return { ...proposal, pullRequest: await openPull(deps, source, pull, signal) };
  } catch (error) {
    // The branch is there: whoever reads this can open the pull request.
    if (error instanceof HostFault) return { ...proposal, pullRequestError: error.message };
    throw error;
  }
}

/** @throws HostFault */
async function openPull(
  deps: ProposalDeps,
  source: GitSourceRow,
  pull: NewPull,
  signal: AbortSignal,
): Promise<Proposal['pullRequest']> {
  const host = gitHostOf(source);
  const { credentials } = await remoteOf(deps, source, 'propose');
  if (!host || credentials.kind !== 'token') return null;
  const authorization = host.authorization(credentials.token, source.username);
  const caller = { organizationId: source.organizationId, authorization };
  const answer = await deps.hostCalls.call(caller, host.openPull(pull), signal);
  const number = Number(textAt(answer, host.pullNumber));
  if (!Number.isSafeInteger(number) || number < 1) return null;
  return { number, url: pullRequestAddress(source, number) ?? null };
}

/**
 * Returns the title of a page that is marked as a draft.
 * @throws DocentError `invalid_request` if it would be shown to readers once it is merged
 */
function draftTitle(content: string): string {
  const { hidden, title } = readFrontmatter(content, '').frontmatter;
  if (hidden !== true)
    throw invalid('/content', 'A draft needs `hidden: true` in its frontmatter.');
  return oneLine(title ?? 'a page', MAX_TITLE);
}

function branchName(path: string, now: Date): string {
  const name = (path.split('/').at(-1) ?? '').replace(/\.mdx?$/, '');
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `docent/draft-${slug.slice(0, MAX_NAME)}-${createUlid(now).slice(-6).toLowerCase()}`;
}

function invalid(path: string, message: string): DocentError {
  return new DocentError('invalid_request', message, { errors: [{ path, message }] });
}
