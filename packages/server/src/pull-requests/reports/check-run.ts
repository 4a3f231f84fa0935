import { createHash } from 'node:crypto';
import type { Problem } from '@docent/format/deployments/new-problems.ts';
import { textAt } from '@docent/format/json-value.ts';
import { type GitHubRepository, githubApi } from '@docent/format/sources/github.ts';
import { HostFault } from '../../outside/call-host.ts';
import type { HostRequest } from '../../ports/git/host-calls.ts';
import { commentOf, type PullReport } from './report-text.ts';

type Call = (request: HostRequest) => Promise<unknown>;

/** GitHub takes this many annotations in one request, and adds those of the next. */
const MAX_ANNOTATIONS = 50;
/** Of one check run; the summary says how many problems there are. */
const MAX_PROBLEMS = 250;
const MAX_SUMMARY = 60_000;
const MAX_TITLE = 200;
const MAX_MESSAGE = 2000;

/** What of a check run is stored, as a text; a report that says the same is not sent again. */
interface SentCheckRun {
  sha: string;
  id: string;
  /** `pending` can still be changed into a result. */
  state: 'pending' | 'done';
  digest: string;
}

/** The check run did not take all annotations. `sent` is what to store in place of the text. */
export class PartOfCheckRun extends Error {
  readonly sent: string;
  readonly fault: unknown;

  constructor(sent: string, fault: unknown) {
    super('A check run has only a part of its annotations.');
    this.sent = sent;
    this.fault = fault;
  }
}

/**
 * Shows a report as a check run at GitHub, with the problems of a preview at their lines.
 * @param pathOf returns the path of a file in the repository; undefined for one of another source
 * @param before what was returned for the report before; null for the first
 * @returns what to store
 * @throws HostFault; PartOfCheckRun
 */
export async function writeCheckRun(
  call: Call,
  { host, owner, name }: GitHubRepository,
  {
    site,
    pathOf,
    report,
    before,
  }: {
    site: { id: string; name: string; slug: string };
    pathOf: (file: string) => string | undefined;
    report: PullReport;
    before: string | null;
  },
): Promise<string> {
  const { commit: sha, status } = report;
  const annotations = (report.preview?.problems ?? [])
    .flatMap((problem) => {
      const path = problem.file === '' ? undefined : pathOf(problem.file);
      return path === undefined ? [] : [annotationOf(problem, path)];
    })
    .slice(0, MAX_PROBLEMS);
  const state = status === 'pending' ? 'pending' : 'done';
  const summary = commentOf(site, { ...report, at: undefined }).slice(0, MAX_SUMMARY);
  const digest = createHash('sha256')
    .update(JSON.stringify([status, summary, annotations]))
    .digest('hex');
  const last = readSent(before);
  if (last?.sha === sha && last.digest === digest) return before ?? '';
  const output = (first: number) => ({
    title: report.summary.slice(0, MAX_TITLE),
    summary,
    annotations: annotations.slice(first, first + MAX_ANNOTATIONS),
  });
  const runs = `${githubApi(host)}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/check-runs`;
  const result = {
    details_url: report.url,
    ...(state === 'pending'
      ? { status: 'in_progress' }
      : { status: 'completed', conclusion: status }),
    output: output(0),
  };
  const create = async () => {
    const body = { name: `docent/${site.slug}`, head_sha: sha, ...result };
    return textAt(await call({ method: 'POST', url: runs, body }), 'id') ?? '';
  };
  // Annotations are added to those that a run has, so a result that changes is another run.
  const id =
    last?.sha === sha && last.state === 'pending'
      ? await change(call, `${runs}/${last.id}`, result, last.id, create)
      : await create();
  try {
    for (let first = MAX_ANNOTATIONS; first < annotations.length; first += MAX_ANNOTATIONS)
      await call({ method: 'PATCH', url: `${runs}/${id}`, body: { output: output(first) } });
  } catch (fault) {
    throw new PartOfCheckRun(textOf({ sha, id, state: 'done', digest: '-' }), fault);
  }
  return textOf({ sha, id, state, digest });
}

async function change(
  call: Call,
  url: string,
  body: object,
  id: string,
  create: () => Promise<string>,
): Promise<string> {
  try {
    await call({ method: 'PATCH', url, body });
    return id;
  } catch (error) {
    if (error instanceof HostFault && error.kind === 'missing') return create();
    throw error;
  }
}

function annotationOf({ severity, code, message, remedy, line }: Problem, path: string) {
  return {
    path,
    start_line: line ?? 1,
    end_line: line ?? 1,
    annotation_level: severity === 'error' ? 'failure' : 'warning',
    title: code,
    message: `${message} ${remedy}`.slice(0, MAX_MESSAGE),
  };
}

const textOf = ({ sha, id, state, digest }: SentCheckRun) => [sha, id, state, digest].join(' ');

function readSent(text: string | null): SentCheckRun | undefined {
  const [sha, id, state, digest] = text?.split(' ') ?? [];
  if (!sha || !id || !digest) return undefined;
  return {
    sha,
    id: encodeURIComponent(id),
    state: state === 'pending' ? 'pending' : 'done',
    digest,
  };
}
