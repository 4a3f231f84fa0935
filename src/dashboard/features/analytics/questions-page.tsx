import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/format.ts';
import { Card, EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';
import { Badge, RelativeTime } from '../../ui/values.tsx';
import { fill, type Scope, useScope } from './analytics-query.ts';
import { saveReport } from './export-menu.tsx';
import { Filters } from './filters.tsx';

type Subject = Schema<'QuestionSubject'>;

function useSubjects({ org, projectId, asked }: Scope) {
  return useQuery({
    queryKey: [org, 'subjects', projectId, asked],
    queryFn: () => {
      const query = { ...asked, limit: 100 };
      return bodyOf(api.GET('/v1/analytics/{projectId}/assistant/subjects', { params: { path: { projectId }, query } }));
    },
    placeholderData: keepPreviousData,
  });
}

/** What readers ask, and what the documentation does not answer. */
export function QuestionsPage() {
  const { setSearch, domain, ...scope } = useScope();
  const { data, error, refetch } = useSubjects(scope);
  const params = { org: scope.org, domain };
  const days = { ...scope, unit: 'day' as const };
  const points =
    data &&
    fill(
      days,
      data.days.map(({ day, questions, answered }) => ({ startsAt: day, human: answered, ai: questions - answered })),
    );
  return (
    <Page
      title="Questions"
      about="What readers ask, and what the documentation does not answer"
      action={
        data &&
        data.totals.questions > 0 && (
          <Button icon="download" onClick={() => saveReport(scope, 'assistant/subjects')}>
            Export CSV
          </Button>
        )
      }
    >
      <Filters scope={scope} setSearch={setSearch} />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data || !points ? (
        <TableSkeleton />
      ) : data.totals.questions === 0 ? (
        <EmptyState icon="circle-question-mark" title="No questions in this period">
          Questions from readers on the site, and from programs with a key, appear here by subject.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-lg border border-line bg-line">
            <Figure title="Questions" value={count(data.totals.questions)} />
            <Figure title="Answered" value={shareOf(data.totals.answered, data.totals.questions)} />
            <Figure title="Not in the docs" value={shareOf(data.totals.notInDocs, data.totals.questions)} />
          </dl>
          <Card title="Questions by day" isPadded>
            <TimeChart label="Questions by day" unit="day" points={points} keys={['Answered', 'Not answered']} />
          </Card>
          <Table
            label="Subjects"
            rows={data.subjects}
            keyOf={({ subject, kind }) => `${kind} ${subject}`}
            columns={columnsOf(params)}
          />
        </div>
      )}
    </Page>
  );
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <div className="bg-surface p-4">
      <dt className="text-s text-muted">{title}</dt>
      <dd className="mt-1 text-title font-semibold tabular-nums">{value}</dd>
    </div>
  );
}

const shareOf = (part: number, all: number) => `${Math.round((part / all) * 100)}%`;

function columnsOf(params: { org: string; domain: string }): Column<Subject>[] {
  return [
    {
      title: 'Subject',
      cell: ({ subject, kind, examples }) => (
        <span className="block min-w-0">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium break-words">{subject || 'Other questions'}</span>
            {kind === 'word' && subject !== '' && <Badge tone="warning">without a source</Badge>}
          </span>
          {examples[0] !== undefined && <span className="line-clamp-1 break-words text-muted">{examples[0]}</span>}
        </span>
      ),
    },
    { title: 'Questions', isNumber: true, isNarrow: true, cell: ({ questions }) => count(questions) },
    { title: 'Answered', isNumber: true, isNarrow: true, cell: ({ answered, questions }) => shareOf(answered, questions) },
    {
      title: 'Not in the docs',
      isNumber: true,
      isNarrow: true,
      isMinor: true,
      cell: ({ notInDocs }) =>
        notInDocs === 0 ? (
          '0'
        ) : (
          <Link to="/$org/$domain/conversations" params={params} search={{ outcome: 'not_in_docs' }} className="hover:underline">
            {count(notInDocs)}
          </Link>
        ),
    },
    { title: 'Not helpful', isNumber: true, isNarrow: true, isMinor: true, cell: ({ notHelpful }) => count(notHelpful) },
    { title: 'Last', isNarrow: true, isMinor: true, cell: ({ lastAskedAt }) => <RelativeTime at={lastAskedAt} /> },
  ];
}
