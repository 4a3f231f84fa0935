import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packSourceFolder, unpackSource } from '@docent/compiler/source/source-archive.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import type { Severities } from '@docent/format/check/severities.ts';
import { DEPENDENCIES, type Dependency } from '@docent/format/dependencies.ts';
import type { SentCommit } from '@docent/format/deployments/commit.ts';
import type { CheckRule, Problem } from '@docent/format/deployments/new-problems.ts';
import { queueWords } from '@docent/format/deployments/queue-words.ts';
import { DocentError } from '@docent/format/errors.ts';
import { gitFactsOf, pathInRepository } from '@docent/server/start/git-facts.ts';
import { annotations } from '../authoring/check.ts';
import { openLocalSources, type SourceFlag } from '../authoring/local-sources.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import { apiPath, withQuery } from '../kernel/commands.ts';
import { formatReport, type Output } from '../kernel/output.ts';
import { patiently } from '../kernel/patience.ts';
import { ciFactsOf } from './ci-facts.ts';
import { type CommitOptions, commitParametersOf } from './commit-facts.ts';
import { reportPullRequest } from './report-pull-request.ts';

const POLL_MS = 150;
const READER_METHODS = ['password', 'members', 'mail', 'jwt', 'oidc', 'oauth', 'saml'] as const;

export interface PublishOptions extends CommitOptions, SourceFlag {
  site: string;
  /** Check the source first, and publish only what has neither errors nor warnings. */
  strict?: boolean;
  /** Severities by code, for `strict`. */
  rule?: Severities;
  preview?: string;
  /**
   * In a CI job of a pull request: publish it as its preview, say so there, or end the preview
   * once it is closed.
   */
  pullRequests?: boolean;
  /** What makes the check of a pull request fail. */
  failOn?: CheckRule;
  failOnAnswers?: true;
}

/** The part of the update-status response that this command reads. */
interface Deployment {
  _id: string;
  status: 'queued' | 'in_progress' | 'success' | 'failure';
  summary: string;
  /** Absent from an older server. */
  waitingFor?: Dependency | null;
  queuePosition?: number | null;
  report: BuildReport | null;
}

/**
 * Uploads a folder or a `.tar.gz` to a site, waits for its build, and returns it.
 * @throws DocentError as the API answers; a failed build is returned, not thrown
 */
export async function publishSource(
  api: ApiClient,
  path: string,
  slug: string,
  output: Output,
  {
    preview,
    commit = {},
    source,
  }: { preview?: string | undefined; commit?: SentCommit } & SourceFlag = {},
): Promise<Deployment & { previewUrl?: string }> {
  // A folder that does not exist is the first thing to say.
  await openSource(path, source);
  await patiently(output, () => ensureSite(api, slug), { isKnown: false });
  output.progress('Sending the source …');
  const target = withQuery(apiPath`/v1/project/${slug}/source`, { preview, ...commit });
  const uploaded = await patiently(output, async () =>
    api.request<{ statusId: string; previewUrl?: string }>('PUT', target, undefined, {
      upload: await openSource(path, source),
    }),
  );
  for (;;) {
    const deployment = await patiently(output, () =>
      api.get<Deployment>(`/v1/project/update-status/${uploaded.statusId}`),
    );
    if (deployment.status === 'success' || deployment.status === 'failure')
      return { ...deployment, previewUrl: uploaded.previewUrl };
    output.progress(activityOf(deployment));
    await wait(POLL_MS);
  }
}

function activityOf({ status, waitingFor, queuePosition }: Deployment): string {
  if (waitingFor)
    return `Waiting for ${DEPENDENCIES[waitingFor] ?? waitingFor}; it goes on by itself …`;
  return status === 'queued'
    ? `${queueWords('Waiting for a worker', queuePosition)} …`
    : 'Building …';
}

/**
 * `docent publish <folder|archive.tar.gz> --site <slug>`.
 * @param preview publish the source as this preview instead of making it live
 * @param env has the variables of the CI service, and the settings of the check
 * @returns exit code: 1 if the build failed, or the check of `strict`
 */
export async function runPublish(
  api: ApiClient,
  output: Output,
  path: string,
  { pullRequests = false, failOn = 'builds', failOnAnswers, ...settings }: PublishOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { site: slug, strict = false, rule, source, ...options } = settings;
  const { pull, isPullRequest } = ciFactsOf(pullRequests ? env : {});
  // What nobody has merged must not go live.
  if (isPullRequest && !pull && settings.preview === undefined)
    throw new DocentError(
      'invalid_request',
      'This job builds a pull request whose number the CI service does not say; name its preview with --preview.',
    );
  const preview = settings.preview ?? (pull && `pr-${pull.number}`);
  if (pull?.isClosed && preview !== undefined) return endPreview(api, output, slug, preview);
  const isFolder = await stat(resolve(path)).then(
    (file) => file.isDirectory(),
    () => false,
  );
  const signIn = strict && (await hasSignIn(api, slug));
  if (strict && !(await passesCheck(path, isFolder, { rule, source, signIn }, output, env))) {
    output.note('Not published: correct this, or publish without --strict.');
    return 1;
  }
  const commit = await commitParametersOf(isFolder ? resolve(path) : undefined, env, options);
  const deployment = await publishSource(api, path, slug, output, {
    preview,
    commit,
    source,
  });
  if (deployment.report) output.note(formatReport(deployment.report));
  const holds =
    !pull ||
    commit.sha === undefined ||
    (await reportPullRequest(api, output, {
      slug,
      deploymentId: deployment._id,
      previewUrl: deployment.previewUrl,
      commit: commit.sha,
      pull,
      rule: failOn,
      failsOnAnswers: failOnAnswers === true,
      annotate: await annotatorOf(isFolder ? resolve(path) : undefined, env),
    }));
  if (deployment.status !== 'success') {
    output.result(`Not published: ${deployment.summary}`, deployment);
    return 1;
  }
  const url =
    deployment.previewUrl ?? (await api.get<{ url: string }>(apiPath`/v1/projects/${slug}`)).url;
  output.result(`Published ${slug}: ${deployment.summary}\n${url}`, { ...deployment, url });
  if (!holds) output.note(`The check of the pull request failed (--fail-on ${failOn}).`);
  return holds ? 0 : 1;
}

/** GitHub shows what a job prints in this form beside the lines of the pull request. */
async function annotatorOf(folder: string | undefined, env: NodeJS.ProcessEnv) {
  if (env.GITHUB_ACTIONS !== 'true' || folder === undefined) return undefined;
  const prefix = await pathInRepository(folder);
  return (problems: readonly Problem[]) => annotations(problems, prefix);
}

/** A pull request that was closed before its first build has no preview. */
async function endPreview(
  api: ApiClient,
  output: Output,
  slug: string,
  preview: string,
): Promise<number> {
  await api.delete(apiPath`/v1/projects/${slug}/previews/${preview}`).catch((error: unknown) => {
    const isMissing =
      error instanceof DocentError && /^(?:preview|site)_not_found$/.test(error.code);
    if (!isMissing) throw error;
  });
  output.result(`The pull request is closed; the preview ${preview} has ended.`, { preview });
  return 0;
}

/** Returns whether readers can sign in to a site, so that it has pages with groups. */
async function hasSignIn(api: ApiClient, slug: string): Promise<boolean> {
  const path = apiPath`/v1/projects/${slug}/access`;
  const access = await api.get<Schema<'SiteAccess'>>(path).catch((error: unknown) => {
    // It is created by its first publish.
    if (error instanceof DocentError && error.code === 'site_not_found') return undefined;
    throw error;
  });
  return (
    access !== undefined &&
    READER_METHODS.some((method) => access[method] !== null && access[method] !== undefined)
  );
}

/** Checks the source as `docent check --strict` does, and prints what it finds. */
async function passesCheck(
  path: string,
  isFolder: boolean,
  options: { rule: Severities | undefined; signIn: boolean } & SourceFlag,
  output: Output,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const [{ checkSource }, { withOutside }] = await Promise.all([
    import('../authoring/check.ts'),
    import('../authoring/local-commands.ts'),
  ]);
  const check = (root: string) =>
    withOutside(env, {}, (fetchOutside) =>
      checkSource(root, { strict: true, ...options }, output, fetchOutside),
    );
  if (isFolder) return check(resolve(path));
  const folder = await mkdtemp(join(tmpdir(), 'docent-publish-'));
  try {
    return await check(await unpackSource(await openSource(path), folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openSource(
  path: string,
  source?: SourceFlag['source'],
): Promise<AsyncIterable<Uint8Array>> {
  const full = resolve(path);
  const stats = await stat(full).catch(() => undefined);
  if (!stats) throw new DocentError('invalid_archive', `There is no folder or archive ${path}.`);
  if (stats.isDirectory())
    return packSourceFolder(full, await gitFactsOf(full), await openLocalSources({ source }, full));
  if (source)
    throw new DocentError('invalid_archive', 'An archive takes no --source; publish a folder.');
  return createReadStream(full);
}

async function ensureSite(api: ApiClient, slug: string): Promise<void> {
  await api.post('/v1/projects', { slug }).catch((error) => {
    if (!(error instanceof DocentError && error.code === 'site_exists')) throw error;
  });
}
