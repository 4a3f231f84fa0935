import { newProblems } from '@docent/format/deployments/new-problems.ts';
import { pathInRepository } from '@docent/format/docs-json/site-sources.ts';
import { githubRepository } from '@docent/format/sources/github.ts';
import { findOrganization } from '../../kernel/access/organization-queries.ts';
import type { Deps } from '../../kernel/deps.ts';
import { openSecret } from '../../kernel/sealed-secrets.ts';
import { previewUrlOf, publicUrlOf } from '../../kernel/sites/site-address.ts';
import { findSite, type SiteRow } from '../../kernel/sites/site-queries.ts';
import { HostFault } from '../../outside/call-host.ts';
import type { HostRequest } from '../../ports/git/host-calls.ts';
import { previewOf } from '../../previews/open-preview.ts';
import { findDeploymentDetails, findLiveBuild } from '../../publishing/published-builds.ts';
import {
  findPullRequest,
  type PullRequestRow,
  updatePullRequest,
} from '../../sources/pull-request-queries.ts';
import { findGitSource, type GitSourceRow, listGitSources } from '../../sources/queries.ts';
import { PartOfCheckRun, writeCheckRun } from './check-run.ts';
import { gitHostOf } from './git-hosts.ts';
import { type PullReport, readyReport } from './report-text.ts';
import { setStatus, writeComment } from './write-report.ts';

type ReportDeps = Pick<
  Deps,
  'database' | 'clock' | 'config' | 'secret' | 'hostCalls' | 'installationTokens' | 'logger'
>;

/**
 * Says at the server of a repository what became of a pull request: one comment, which is edited,
 * and the status of the commit. What is said is what is so now, however often and late it is
 * called.
 * @throws HostFault `busy` if a later attempt may succeed
 */
export async function reportPullRequest(
  deps: ReportDeps,
  id: { sourceId: string; number: number },
  signal: AbortSignal,
): Promise<void> {
  const { queries } = deps.database;
  const source = await findGitSource(queries, id.sourceId);
  const pull = source && (await findPullRequest(queries, id));
  const site = source && (await findSite(queries, source.siteId));
  const host = source && gitHostOf(source);
  if (
    !source ||
    !pull ||
    !site ||
    !host ||
    (source.credentials !== 'token' && source.credentials !== 'github_app')
  )
    return;
  const report = await reportOf(deps, { source, site, pull });
  if (!report) return;
  const change = (changes: Partial<PullRequestRow>) =>
    updatePullRequest(queries, pull.id, { ...changes, updatedAt: pull.updatedAt });
  const showResult = async (call: (request: HostRequest) => Promise<unknown>) => {
    const repository =
      source.credentials === 'github_app' ? githubRepository(source.url) : undefined;
    if (!repository) return setStatus(call, host, { slug: site.slug, number: pull.number }, report);
    const all = await listGitSources(queries, source.siteId);
    const sources = all.filter(({ path }) => path !== '');
    const pathOf = (file: string) => pathInRepository(sources, source, file);
    const run = { site, pathOf, report, before: pull.checkRun };
    try {
      await change({ checkRun: await writeCheckRun(call, repository, run) });
    } catch (error) {
      if (!(error instanceof PartOfCheckRun)) throw error;
      await change({ checkRun: error.sent });
      throw error.fault;
    }
  };
  try {
    const token = await tokenOf(deps, source);
    if (token === undefined) return;
    const authorization = host.authorization(token, source.username);
    const { organizationId } = source;
    const call = (request: HostRequest) =>
      deps.hostCalls.call({ organizationId, authorization }, request, signal);
    if (pull.isOpen) await showResult(call);
    const { number, commentId: previousId } = pull;
    const commentId = await writeComment(call, host, { number, previousId, site, report });
    await change({ commentId, reportError: null });
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    deps.logger.info(
      { ...id, reason: error.message },
      'A report about a pull request was not accepted.',
    );
    deps.installationTokens.forget(source);
    await change({ reportError: error.message });
    if (error.kind === 'busy') throw error;
  }
}

/** @throws HostFault if GitHub gives the app of the source no token */
async function tokenOf(deps: ReportDeps, source: GitSourceRow): Promise<string | undefined> {
  if (source.credentials === 'github_app') return deps.installationTokens.token(source, 'report');
  return openSecret(deps.secret, 'Git sources', source.secret ?? '');
}

/** Returns what there is to say now; undefined if nothing is known of its commit. */
async function reportOf(
  deps: ReportDeps,
  { source, site, pull }: { source: GitSourceRow; site: SiteRow; pull: PullRequestRow },
): Promise<PullReport | undefined> {
  const { clock, config } = deps;
  const { queries } = deps.database;
  const { headSha: commit } = pull;
  if (commit === null) return undefined;
  const dashboard = await dashboardOf(queries, config, site);
  const at = clock.now();
  const say = (
    status: PullReport['status'],
    summary: string,
    more: Partial<PullReport> = {},
  ): PullReport => ({
    status,
    summary,
    url: `${dashboard}/git`,
    isNews: false,
    commit,
    at,
    ...more,
  });
  if (!pull.isOpen) return say('success', 'the pull request is closed, and its preview has ended.');
  if (pull.state === 'waiting')
    return say(
      'pending',
      'an editor must approve the commit of this fork before its preview is built.',
      { isNews: true },
    );
  if (pull.lastError !== null)
    return say('failure', 'no preview could be built; the details say why.', { isNews: true });
  if (pull.seenSha !== commit) return say('pending', 'the commit is being looked at.');
  if (pull.state === 'unchanged') return say('success', 'no page changes.');
  if (pull.previewName === null) return undefined;
  const last = (await previewOf(deps, site, pull.previewName))?.last;
  if (!last || last.status === 'queued' || last.status === 'in_progress')
    return say('pending', 'the preview is being built.');
  const url = `${dashboard}/deployments/${last.id}`;
  const build = await findDeploymentDetails(queries, site.id, last.id);
  if (last.status === 'failure' || !build)
    return say('failure', 'the preview could not be built.', { url, isNews: true });
  const live = await findLiveBuild(queries, site.id);
  const before = live && (await findDeploymentDetails(queries, site.id, live.deploymentId));
  const problems = newProblems(before?.report?.diagnostics ?? [], build.report?.diagnostics ?? []);
  const preview = {
    url: previewUrlOf(pull.previewName, site.slug, config),
    liveUrl: publicUrlOf(site, config),
    changes: build.changes ?? null,
    problems,
    questions: build.report?.questions?.changes,
  };
  const { status, summary } = readyReport(problems, source, preview.questions);
  return say(status, summary, { url, isNews: true, preview });
}

async function dashboardOf(
  queries: Deps['database']['queries'],
  config: Deps['config'],
  site: SiteRow,
): Promise<string> {
  const organization = await findOrganization(queries, site.organizationId);
  return `${config.publicUrl}/dashboard/${organization?.slug ?? ''}/${site.slug}`;
}
