import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import { count } from '../../ui/format.ts';
import { Card, EmptyState, Loaded, Page, Section } from '../../ui/page.tsx';
import { type Column, Table, TableSkeleton, timeColumn } from '../../ui/table.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';
import { Badge } from '../../ui/values.tsx';
import { fill, useScope } from './analytics-query.ts';
import { AskedQuestions } from './asked-questions.tsx';
import { ExportButton, Filters } from './filters.tsx';
import { Figures } from './lines.tsx';

type Subject = Schema<'QuestionSubject'>;

/** What readers ask, and what the documentation does not answer. */
export function QuestionsPage() {
  const { setSearch, domain, ...scope } = useScope();
  const { projectId, asked } = scope;
  const { only } = useSearch({ strict: false });
  const query = useQuery({
    queryKey: ['subjects', projectId, asked],
    queryFn: () => {
      const params = { path: { projectId }, query: { ...asked, limit: 100 } };
      return api.get('/v1/analytics/{projectId}/assistant/subjects', params);
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Questions"
      about="What readers ask, and what the documentation does not answer"
      action={
        query.data &&
        query.data.totals.questions > 0 && (
          <ExportButton scope={scope} report="assistant/subjects" />
        )
      }
    >
      <Filters scope={scope} setSearch={setSearch} />
      <Loaded query={query} placeholder={<TableSkeleton />}>
        {({ totals: { questions, answered, partly, notInDocs }, days, subjects }) =>
          questions === 0 ? (
            <EmptyState icon="circle-question-mark" title="No questions in this period">
              Questions from readers on the site, and from programs with a key, appear here by
              subject.
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-6">
              <Figures
                className="grid-cols-2 sm:grid-cols-4"
                figures={[
                  { title: 'Questions', value: count(questions) },
                  { title: 'Answered', value: shareOf(answered, questions) },
                  { title: 'In part', value: shareOf(partly, questions) },
                  { title: 'Not in the docs', value: shareOf(notInDocs, questions) },
                ]}
              />
              <Card title="Questions by day" isPadded>
                <TimeChart
                  label="Questions by day"
                  unit="day"
                  points={fill(
                    { ...scope, unit: 'day' },
                    days.map((day) => ({
                      startsAt: day.day,
                      human: day.answered,
                      ai: day.questions - day.answered,
                    })),
                  )}
                  keys={['Answered', 'Not answered']}
                />
              </Card>
              <AskedQuestions scope={{ ...scope, domain }} only={only} />
              <Section title="Subjects">
                <Table
                  label="Subjects"
                  rows={subjects}
                  keyOf={({ subject, kind }) => `${kind} ${subject}`}
                  columns={columnsOf({ org: scope.org, domain })}
                />
              </Section>
            </div>
          )
        }
      </Loaded>
    </Page>
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
          {examples[0] !== undefined && (
            <span className="line-clamp-1 break-words text-muted">{examples[0]}</span>
          )}
        </span>
      ),
    },
    { title: 'Questions', isNumber: true, cell: ({ questions }) => count(questions) },
    {
      title: 'Answered',
      isNumber: true,
      cell: ({ answered, questions }) => shareOf(answered, questions),
    },
    { title: 'In part', isNumber: true, isMinor: true, cell: ({ partly }) => count(partly) },
    {
      title: 'Not in the docs',
      isNumber: true,
      isMinor: true,
      cell: ({ notInDocs }) =>
        notInDocs === 0 ? (
          '0'
        ) : (
          <Link
            to="/$org/$domain/conversations"
            params={params}
            search={{ outcome: 'not_in_docs' }}
            className="hover:underline"
          >
            {count(notInDocs)}
          </Link>
        ),
    },
    {
      title: 'Not helpful',
      isNumber: true,
      isMinor: true,
      cell: ({ notHelpful }) => count(notHelpful),
    },
    timeColumn('Last', 'lastAskedAt', true),
  ];
}
