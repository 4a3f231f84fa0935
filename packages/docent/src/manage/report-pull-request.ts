import {
  type CheckRule,
  newProblems,
  type Problem,
} from '@docent/format/deployments/new-problems.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { callHost, HostFault, type SendRequest } from '@docent/server/outside/call-host.ts';
import type { HostRequest } from '@docent/server/ports/git/host-calls.ts';
import { gitHostOf } from '@docent/server/pull-requests/reports/git-hosts.ts';
import { type PullReport, readyReport } from '@docent/server/pull-requests/reports/report-text.ts';
import { setStatus, writeComment } from '@docent/server/pull-requests/reports/write-report.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import { apiPath } from '../kernel/commands.ts';
import type { Output } from '../kernel/output.ts';
import type { CiPullRequest } from './ci-facts.ts';

/** The preview of a pull request, published by a job of a CI service. */
export interface PublishedPreview {
  slug: string;
  deploymentId: string;
  previewUrl: string | undefined;
  /** Of the pull request's newest commit. */
  commit: string;
  pull: CiPullRequest;
  /** What makes the check fail. */
  rule: CheckRule;
  failsOnAnswers: boolean;
  /** Returns problems as annotations of the service that runs the job; undefined if it has none. */
  annotate?: ((problems: readonly Problem[]) => string) | undefined;
}

/**
 * Comments on the pull request that a CI service builds, and sets the status of its commit, with
 * the token of the job: the platform gets no access to the repository. If the server refuses, says
 * so; the preview is published all the same.
 * @returns whether the check holds
 */
export async function reportPullRequest(
  api: ApiClient,
  output: Output,
  published: PublishedPreview,
  now = new Date(),
): Promise<boolean> {
  const { slug, deploymentId, pull } = published;
  const site = await api.get<Schema<'Project'>>(apiPath`/v1/projects/${slug}`);
  const readDeployment = (id: string) =>
    api.get<Schema<'Deployment'>>(apiPath`/v1/projects/${slug}/deployments/${id}`);
  const [build, live] = await Promise.all([
    readDeployment(deploymentId),
    site.live ? readDeployment(site.live.id) : undefined,
  ]);
  const report = reportOf(published, site, build, live, now);
  const problems = report.preview?.problems ?? [];
  if (published.annotate && problems.length > 0) output.note(published.annotate(problems));
  try {
    await send(pull, slug, { id: site.projectId, name: site.name }, report);
  } catch (error) {
    if (!(error instanceof HostFault)) throw error;
    output.note(`The pull request has no comment or status: ${error.message}`);
  }
  return report.status !== 'failure';
}

function reportOf(
  { previewUrl, commit, pull, rule, failsOnAnswers }: PublishedPreview,
  site: Schema<'Project'>,
  build: Schema<'Deployment'>,
  live: Schema<'Deployment'> | undefined,
  at: Date,
): PullReport {
  const base = { commit, at, isNews: true, url: pull.jobUrl ?? pull.repository };
  if (build.status !== 'success' || previewUrl === undefined)
    return { ...base, status: 'failure', summary: 'the preview could not be built.' };
  const diagnosticsOf = (deployment: typeof live) => deployment?.report?.diagnostics ?? [];
  const problems = newProblems(diagnosticsOf(live), diagnosticsOf(build));
  const questions = build.report?.questions?.changes;
  const preview = {
    url: previewUrl,
    liveUrl: site.url,
    changes: build.changes,
    problems,
    questions,
  };
  return {
    ...base,
    ...readyReport(problems, { failsOn: rule, failsOnAnswers }, questions),
    preview,
  };
}

async function send(
  { provider, repository, token, number }: CiPullRequest,
  slug: string,
  site: { id: string; name: string },
  report: PullReport,
): Promise<void> {
  const host = gitHostOf({ provider, url: repository });
  if (!host) throw new HostFault('refused', `${repository} is no address of a known server.`);
  if (!token)
    throw new HostFault(
      'refused',
      'there is no token; set GITHUB_TOKEN, GITLAB_TOKEN, SYSTEM_ACCESSTOKEN or DOCENT_GIT_TOKEN to one that may write comments and commit statuses.',
    );
  const call = (request: HostRequest) =>
    callHost(sendRequest, host.authorization(token, null), request).catch((error: unknown) => {
      if (error instanceof HostFault) throw error;
      const { host: name } = new URL(request.url);
      throw new HostFault('busy', `${name} could not be reached (${errorMessage(error)}).`);
    });
  await setStatus(call, host, { slug, number }, report);
  await writeComment(call, host, { number, site, report });
}

const sendRequest: SendRequest = async ({ url, timeoutMs, ...request }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  // A redirect would get the token.
  const response = await fetch(url, { ...request, redirect: 'manual', signal });
  return { status: response.status, headers: [...response.headers], body: response.body ?? none() };
};

async function* none(): AsyncGenerator<Uint8Array> {}
