import {
  type CheckRules,
  failsCheck,
  type Problem,
} from '@docent/format/deployments/new-problems.ts';
import type { PageChanges, PageList } from '@docent/format/deployments/page-changes.ts';
import type { QuestionReport } from '@docent/format/questions/question-report.ts';

type QuestionChanges = NonNullable<QuestionReport['changes']>;

/** What is said about a pull request at the server of its repository. */
export interface PullReport {
  /** Of the commit: `success` lets it be merged where the owner requires the check. */
  status: 'pending' | 'success' | 'failure';
  /** One line. */
  summary: string;
  /** Where the details are. */
  url: string;
  /** Whether a comment is worth writing; an existing one is edited in any case. */
  isNews: boolean;
  preview?:
    | {
        url: string;
        liveUrl: string;
        changes: PageChanges | null;
        problems: readonly Problem[];
        /** Absent if the repository has none, or nothing live was asked. */
        questions?: Pick<QuestionChanges, 'gained' | 'lost' | 'openCount'> | undefined;
      }
    | undefined;
  commit: string;
  /** Absent where a report that is said again is to be the same. */
  at?: Date | undefined;
}

/** Returns what to say about a preview that is ready, by the owner's rules. */
export function readyReport(
  problems: readonly Problem[],
  rules: CheckRules,
  questions?: Pick<QuestionChanges, 'lost'>,
): Pick<PullReport, 'status' | 'summary'> {
  const lostCount = questions?.lost.length ?? 0;
  const counts = [
    ...countOf(problems.length, 'new problem', 'new problems'),
    ...countOf(lostCount, 'test question lost', 'test questions lost'),
  ];
  const isWorse = rules.failsOnAnswers === true && lostCount > 0;
  return {
    status: isWorse || problems.some((item) => failsCheck(item, rules)) ? 'failure' : 'success',
    summary: `the preview is ready${counts.length === 0 ? '' : `, with ${counts.join(' and ')}`}.`,
  };
}

const countOf = (count: number, single: string, several: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? single : several}`];

const MAX_PAGES = 20;
const MAX_PROBLEMS = 20;
const MAX_QUESTIONS = 10;
const MAX_CHARACTERS = 300;

/** Finds the comment again, in any form of Markdown; it is not shown. */
export const markerOf = (siteId: string) => `[//]: # (docent ${siteId})`;

/**
 * Returns the comment about a pull request as Markdown. What authors wrote is in code, so that it
 * links, mentions and shows nothing.
 */
export function commentOf(
  site: { id: string; name: string },
  { summary, url, preview, commit, at }: PullReport,
): string {
  const name = code(site.name);
  return [
    `**Documentation** ${name}: ${summary}`,
    preview && `[Open the preview](${linkTo(preview.url, '/')})`,
    preview && problemsText(preview.problems),
    preview?.questions && questionsText(preview.questions),
    ...(preview?.changes ? pagesText(preview.changes, preview) : []),
    `[Details](${url}) · commit ${code(commit.slice(0, 7))}${timeOf(at)}`,
    markerOf(site.id),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const timeOf = (at: Date | undefined) =>
  at === undefined ? '' : ` · ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function problemsText(problems: readonly Problem[]): string | undefined {
  if (problems.length === 0) return undefined;
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ severity, message, file, line }) => {
    const place = [file, line].filter((part) => part !== undefined && part !== '').join(':');
    return `- ${severity}${place && ` in ${code(place)}`}: ${code(message)}`;
  });
  return [
    `Problems that this change brings (${problems.length}):`,
    '',
    ...lines,
    ...more(problems.length, MAX_PROBLEMS),
  ].join('\n');
}

function questionsText({
  gained,
  lost,
  openCount,
}: Pick<QuestionChanges, 'gained' | 'lost' | 'openCount'>): string {
  const list = (sign: string, questions: readonly string[]) => [
    ...questions.slice(0, MAX_QUESTIONS).map((question) => `- ${sign} ${code(question)}`),
    ...more(questions.length, MAX_QUESTIONS),
  ];
  const lines = [...list('no longer', lost), ...list('now', gained)];
  const summary = `Test questions: answers ${gained.length} more, loses ${lost.length}, ${openCount} open.`;
  return [summary, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
}

function pagesText(
  { added, changed, removed }: PageChanges,
  { url, liveUrl }: { url: string; liveUrl: string },
): string[] {
  const next = (page: string) => `[preview](${linkTo(url, page)})`;
  const live = (page: string) => `[live](${linkTo(liveUrl, page)})`;
  return [
    listText('Added pages', added, (page) => next(page)),
    listText('Changed pages', changed, (page) => `${next(page)}, ${live(page)}`),
    listText('Removed pages', removed, (page) => live(page)),
  ].filter((text) => text !== '');
}

function listText(
  title: string,
  { count, pages }: PageList,
  links: (page: string) => string,
): string {
  if (count === 0) return '';
  const lines = pages.slice(0, MAX_PAGES).map((page) => `- ${code(page)} (${links(page)})`);
  return [`${title} (${count}):`, '', ...lines, ...more(count, MAX_PAGES)].join('\n');
}

const more = (count: number, max: number) => (count > max ? [`- and ${count - max} more`] : []);

/** One line of code: nothing in it is read as Markdown, not even a mention. */
function code(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('`', "'")
    .trim();
  return `\`${line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line || '-'}\``;
}

/** An address in which nothing ends the link. */
function linkTo(base: string, path: string): string {
  return encodeURI(base + (path === '/' ? '' : path))
    .replace(/[()<>]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}
