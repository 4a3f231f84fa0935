import { ANSWER_STATUSES } from '@docent/assistant/chat/answer-status.ts';
import { DEPENDENCIES } from '@docent/format/dependencies.ts';
import { type BuildStage, endedStages } from '@docent/format/deployments/build-progress.ts';
import { DEPLOYMENT_SOURCES } from '@docent/format/deployments/commit.ts';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';
import {
  queuePositionField,
  requestIdField,
  waitingForField,
} from '../kernel/operations/fields.ts';
import {
  commitExample,
  commitSchema,
  commitSummary,
  commitWithFilesExample,
} from './commit-schema.ts';
import type { DeploymentProgress, DeploymentSummary } from './deployment-queries.ts';
import type { ShownDeployment } from './manage-deployments.ts';
import type { DeploymentDetails } from './published-builds.ts';

const place = {
  file: field.text('File of the source.'),
  line: field.int.optional('Line in the file, counted from 1.'),
  column: field.int.optional('Column in the line, counted from 1.'),
};
const placeSchema = field.resource('Place', 'A location in the source.', place);

const diagnostic = {
  ...place,
  severity: field.choice(
    ['error', 'warning', 'info'],
    'An `error` loses content; a `warning` does not; `info` is not a fault.',
  ),
  code: field.text('Stable name of the finding.'),
  message: field.text('What is wrong.'),
  remedy: field.text('How to fix it.'),
  count: field.int.optional('Number of occurrences, if more than one.'),
  places: field.optional(
    z.array(placeSchema),
    'The locations after the first: all of an error, up to 200 of a warning.',
  ),
};

/** A finding of a build. */
export const diagnosticSchema = field.resource(
  'Finding',
  'A finding of a build in the source.',
  diagnostic,
);

const questionSchema = z.object({
  question: field.text('The question.'),
  version: field.text.optional('Only pages of this version were searched.'),
  language: field.text.optional('Only pages in this language were searched.'),
  rank: field.int.orNull(
    'Place of its page among the first five results, from 1; `null` if it is not there.',
  ),
  status: field.choice(
    ANSWER_STATUSES,
    'How far the assistant answers it without a language model.',
  ),
  isAnswered: field.flag('Whether it is answered from one of its pages, with its words.'),
  isOpen: field.flag('Whether no page is named for it yet.'),
  pages: field.optional(z.array(z.string()), 'The pages that answer it; absent in older reports.'),
  words: field.optional(
    z.array(z.union([z.string(), z.array(z.string())])),
    'What the answer must contain.',
  ),
});

const questionReportSchema = field.resource(
  'QuestionReport',
  'How a build answers the questions of its repository (`questions.yaml`).',
  {
    counts: field.part('How many questions were found and answered.', {
      questions: field.int('Number of questions with a page.'),
      first: field.int('Their page is the first result.'),
      inFive: field.int('It is among the first five.'),
      answered: field.int('They are answered.'),
      open: field.int('Number of questions without a page.'),
    }),
    rules: field.list(
      z.object({
        rule: field.choice(['first', 'inFive', 'answered', 'lost'], 'Name of the rule.'),
        limit: field.number('What it requires: a percentage.'),
        value: field.number('What was measured.'),
        holds: field.flag('Whether it holds.'),
      }),
      'The rules of the file.',
    ),
    results: field.list(questionSchema, 'The questions, in the order of the file.'),
    changes: field.optional(
      z.object({
        comparedWith: field.text('The deployment that was live.'),
        gained: field.texts('Questions that only this deployment answers.'),
        lost: field.texts('Questions that only the live deployment answered.'),
        openCount: field.int('Number of questions that neither answers.'),
      }),
      'Compared with what was live when it was built.',
    ),
  },
);

export const buildReportSchema = field.resource('BuildReport', 'The report of a build.', {
  pageCount: field.int('Number of built pages.'),
  failedPageCount: field.int('Number of pages that could not be built.'),
  fileCount: field.int('Other files of the site, such as images.'),
  durationMs: field.number('Duration of the build, in milliseconds.'),
  diagnostics: field.list(diagnosticSchema, 'Findings in the source, with location and remedy.'),
  audiences: field.optional(
    z.object({
      pageCount: field.int('Pages for everybody who may read the site.'),
      groups: field.list(
        z.object({
          name: field.text('Name of the group.'),
          pageCount: field.int('Pages that its readers see.'),
        }),
        'By group: what a reader with that group alone sees.',
      ),
    }),
    'How many pages readers see by their groups; absent if no page is restricted.',
  ),
  questions: questionReportSchema.optional().describe('Absent if the repository has no questions.'),
});

export const deploymentStatus = field.choice(
  ['queued', 'in_progress', 'success', 'failure'],
  'Status of the deployment. Readers see its build only if `isLive` is true.',
);

export const actorSchema = field.resource('DeploymentActor', 'Who started a deployment.', {
  kind: field.choice(['person', 'key', 'operator'], '`operator`: a command on the server.'),
  name: field.text.orNull(
    'Name of the person or the key; `null` for the operator, and if it was deleted.',
  ),
});

const pageCounts = field.resource(
  'PageCounts',
  'How many pages a deployment changes, compared with what was live when it was built.',
  {
    added: field.int('Number of added pages.'),
    changed: field.int('Number of changed pages.'),
    removed: field.int('Number of removed pages.'),
  },
);

export const deploymentFields = {
  id: field.text('Identifier of the deployment, the `statusId` of the operation that started it.'),
  projectId: field.text('Project id of the site.'),
  preview: field.text.orNull(
    'Name of its preview; `null` if it was built for the site itself, or was promoted.',
  ),
  promotedFrom: field.text.orNull(
    'Name of the preview that it was built for, if it was promoted from one. The preview may be deleted.',
  ),
  previewBranch: field.text.orNull('Branch of that preview.'),
  previewUrl: field.text.orNull('URL of that preview.'),
  isShown: field.flag('Whether that preview shows it.'),
  commit: field.orNull(commitSummary, 'The commit of its source; `null` if none was sent with it.'),
  actor: actorSchema.nullable().describe('Who started it; `null` for older deployments.'),
  source: field.orNull(
    z.enum(DEPLOYMENT_SOURCES),
    'How it was started: `upload` and `dashboard` in the dashboard; `null` for older deployments.',
  ),
  pageChanges: field.orNull(pageCounts, 'How many pages it changes; `null` until it is built.'),
  status: deploymentStatus,
  endReason: field.orNull(
    z.enum(['canceled', 'superseded']),
    'Why a `failure` was not caused by the source: it was canceled, or replaced by a newer deployment.',
  ),
  summary: field.text(
    'One line: how many pages were built, why the build failed, or what it waits for.',
  ),
  waitingFor: waitingForField,
  queuePosition: queuePositionField,
  requestId: requestIdField,
  isLive: field.flag('Whether it is live.'),
  pausesPushes: field.flag(
    'Whether it is live after a rollback, so that pushes to the Git source are not published until somebody deploys.',
  ),
  liveAt: field.time.orNull('When it first became live; `null` if it never was.'),
  canPromote: field.flag('Whether it can be promoted: its build is stored and not live.'),
  canRollBack: field.flag(
    'Whether promoting it is a rollback: it was live before the build that is live now, and is stored.',
  ),
  pinned: field.flag('Whether its build is kept regardless of its age.'),
  pages: field.int('Number of built pages.'),
  errors: field.int('Number of findings that lose content.'),
  warnings: field.int('Other findings.'),
  bytes: field.number('Size of all files of its build, in bytes; 0 if it is not stored.'),
  attempts: field.int('Number of attempts to build it.'),
  createdAt: field.time('When it was requested.'),
  startedAt: field.time.orNull(
    'When its last attempt began; `null` before, and for older deployments.',
  ),
  endedAt: field.time.orNull('When it ended; `null` before.'),
};

export const exampleSummary = {
  id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
  projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
  preview: null,
  promotedFrom: null,
  previewBranch: null,
  previewUrl: null,
  isShown: false,
  commit: commitExample,
  actor: { kind: 'key' as const, name: 'GitHub Actions' },
  source: 'cli' as const,
  pageChanges: { added: 1, changed: 2, removed: 0 },
  status: 'success' as const,
  endReason: null,
  summary: '240 pages, 1 warning',
  waitingFor: null,
  queuePosition: null,
  requestId: 'req-7f3a',
  isLive: true,
  pausesPushes: false,
  liveAt: '2026-11-21T09:00:06.000Z',
  canPromote: false,
  canRollBack: false,
  pinned: false,
  pages: 240,
  errors: 0,
  warnings: 1,
  bytes: 18_350_112,
  attempts: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  startedAt: '2026-11-21T09:00:01.000Z',
  endedAt: '2026-11-21T09:00:06.000Z',
};

export const deploymentSummarySchema = field.resource(
  'DeploymentSummary',
  'A deployment: one attempt to build and publish a source.',
  deploymentFields,
  exampleSummary,
);

const stage = field.resource('BuildStage', 'One step of a build.', {
  name: field.text('Name of the step.'),
  startedAt: z.iso.datetime().describe('When it began.'),
  endedAt: z.iso.datetime().nullable().describe('When it ended; `null` while it runs.'),
  status: field.choice(['running', 'done', 'failed'], 'Its status.'),
});

export const logLineSchema = field.resource('BuildLogLine', 'One line of the log of a build.', {
  time: z.iso.datetime().describe('When it was written.'),
  text: field.text('The line.'),
});

const stages = field.list(stage, 'The steps of its last attempt, in order.');

export const deploymentProgressSchema = z.object({ ...deploymentFields, stages });

export const pageList = field.resource('PageList', 'Pages of a site.', {
  count: field.int('How many.'),
  pages: field.texts('The first 500 of them, by site path.'),
});

const changes = field.resource('PageChanges', 'Changes of a deployment.', {
  comparedWith: field.text.orNull(
    'The deployment that was live before it; `null` if there was none.',
  ),
  added: pageList.describe('Added pages.'),
  changed: pageList.describe('Changed pages.'),
  removed: pageList.describe('Removed pages.'),
});

const findings = field.resource('Findings', 'The findings of one kind.', {
  kind: field.text('Stable name of the kind of finding.'),
  severity: diagnostic.severity,
  count: field.int('Number of occurrences.'),
  items: field.list(diagnosticSchema, 'The first 200 of them, each with location and remedy.'),
});

const exampleDiagnostic = {
  severity: 'warning' as const,
  code: 'broken-link',
  message: 'There is no page /guides/instal.',
  remedy: 'Link to /guides/install, or remove the link.',
  file: 'guides/start.mdx',
  line: 12,
  column: 4,
};

export const exampleReport = {
  pageCount: 240,
  failedPageCount: 0,
  fileCount: 61,
  durationMs: 5230,
  diagnostics: [exampleDiagnostic],
};

const exampleStage = (name: string, from: string, to: string) => ({
  name,
  startedAt: `2026-11-21T09:00:${from}Z`,
  endedAt: `2026-11-21T09:00:${to}Z`,
  status: 'done' as const,
});

export const deploymentSchema = field.resource(
  'Deployment',
  'A deployment with its report, stages and log.',
  {
    ...deploymentFields,
    commit: field.orNull(
      commitSchema,
      'The commit of its source; `null` if none was sent with it.',
    ),
    sources: field.list(
      z.object({
        path: field.text('Path of the source; empty for the base.'),
        commit: commitSummary.nullable().describe('What was fetched of it.'),
      }),
      'The commit of each source of a site that has several; otherwise empty.',
    ),
    stages,
    log: field.list(logLineSchema, 'The log of all its attempts.'),
    report: field.orNull(
      buildReportSchema,
      'The report of its build; `null` until the build has ended.',
    ),
    findings: field.list(findings, 'Findings in the source, by kind; errors first.'),
    changes: field.orNull(
      changes,
      'Changed pages compared with the previous live deployment; `null` if it was not built.',
    ),
  },
  {
    ...exampleSummary,
    commit: commitWithFilesExample,
    sources: [],
    stages: [
      exampleStage('Unpacking the source', '01.000', '01.200'),
      exampleStage('Compiling pages', '01.200', '05.100'),
      exampleStage('Publishing', '05.100', '06.000'),
    ],
    log: [
      { time: '2026-11-21T09:00:01.200Z', text: 'Compiling pages' },
      { time: '2026-11-21T09:00:03.100Z', text: '112 of 240 pages' },
      { time: '2026-11-21T09:00:05.900Z', text: '240 pages, 1 warning' },
    ],
    report: exampleReport,
    findings: [
      {
        kind: 'broken-link',
        severity: 'warning' as const,
        count: 1,
        items: [exampleDiagnostic],
      },
    ],
    changes: {
      comparedWith: '01K9Z3X1B2D4F6H8J0K2M4N6P8',
      added: { count: 1, pages: ['/guides/install'] },
      changed: { count: 2, pages: ['/', '/guides/start'] },
      removed: { count: 0, pages: [] },
    },
  },
);

const MAX_ITEMS = 200;

export function summaryView(
  deployment: DeploymentSummary & Pick<ShownDeployment, 'previewUrl'>,
): z.infer<typeof deploymentSummarySchema> {
  const { siteId, isKept, wasLiveBefore, actorId, personName, keyName, ...row } = deployment;
  const summary = summaryOf(row);
  const canPromote = isKept && !row.isLive;
  return {
    ...row,
    summary,
    actor: actorView(deployment),
    projectId: siteId,
    canPromote,
    canRollBack: isKept && wasLiveBefore,
  };
}

/** Returns the one line about a deployment. */
export function summaryOf({
  summary,
  waitingFor,
}: Pick<DeploymentSummary, 'summary' | 'waitingFor'>): string {
  return waitingFor === null
    ? summary
    : `Waiting for ${DEPENDENCIES[waitingFor]}. It goes on by itself.`;
}

interface NamedActor {
  actorId: string | null;
  personName: string | null;
  keyName: string | null;
  source: DeploymentSummary['source'];
}

export function actorView({
  actorId,
  personName,
  keyName,
  source,
}: NamedActor): z.infer<typeof actorSchema> | null {
  if (actorId === null) return null;
  if (actorId === 'operator') return { kind: 'operator', name: null };
  // Without a name, it was deleted; only people use the dashboard.
  const isPerson =
    personName !== null || (keyName === null && (source === 'upload' || source === 'dashboard'));
  return { kind: isPerson ? 'person' : 'key', name: personName ?? keyName };
}

export function progressView(row: ShownDeployment): z.infer<typeof deploymentProgressSchema> {
  return { ...summaryView(row), stages: stagesOf(row) };
}

export function deploymentView(
  row: DeploymentDetails & ShownDeployment,
): z.infer<typeof deploymentSchema> {
  return {
    ...progressView(row),
    commit: row.git,
    sources: (row.gitParts ?? []).map(({ path, commit = null }) => ({ path, commit })),
    log: row.log,
    report: row.report,
    findings: findingsOf(row.report?.diagnostics ?? []),
    changes: row.changes,
  };
}

function stagesOf({ stages: buildStages, endedAt }: DeploymentProgress): BuildStage[] {
  return endedAt === null ? buildStages : endedStages(buildStages, endedAt);
}

const RANK = { error: 0, warning: 1, info: 2 };

function findingsOf(diagnostics: readonly Diagnostic[]): z.infer<typeof findings>[] {
  const kinds = Map.groupBy(diagnostics, ({ severity, code }) => `${severity} ${code}`);
  return [...kinds.values()]
    .map((items) => {
      const { code, severity } = items[0] as Diagnostic;
      const count = items.reduce((sum, item) => sum + (item.count ?? 1), 0);
      return { kind: code, severity, count, items: items.slice(0, MAX_ITEMS) };
    })
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.count - a.count);
}
