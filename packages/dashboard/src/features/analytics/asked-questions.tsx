import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { FilterBar, FilterSelect } from '../../ui/filters.tsx';
import { count } from '../../ui/format.ts';
import { Sources } from '../../ui/markdown.tsx';
import { Sheet } from '../../ui/overlays/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { type Column, List, timeColumn } from '../../ui/table.tsx';
import { QuestionTest } from '../conversations/question-test.tsx';
import type { Scope } from './analytics-query.ts';
import { CloseQuestion } from './close-question.tsx';
import { DraftPage } from './draft-page.tsx';

type Asked = Schema<'AskedQuestion'>;
const LISTS = { not_in_docs: 'Not in the docs', not_helpful: 'Not helpful' } as const;

interface AskedProps {
  scope: Scope & { domain: string };
  only: string | undefined;
}

/** What readers asked, near-identical questions as one; each can become a test. */
export function AskedQuestions({ scope, only }: AskedProps) {
  const { projectId, asked, org, domain } = scope;
  const [opened, setOpened] = useState<Asked>();
  const list: keyof typeof LISTS | 'all' =
    only === 'not_in_docs' || only === 'not_helpful' ? only : 'all';
  const query = useQuery({
    queryKey: ['asked-questions', projectId, asked, list],
    queryFn: () => {
      const params = { path: { projectId }, query: { ...asked, only: list, limit: 100 } };
      return api.get('/v1/analytics/{projectId}/assistant/questions', params);
    },
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="What was asked">
      <FilterBar>
        <FilterSelect name="only" label="Questions" all="All questions" options={LISTS} />
      </FilterBar>
      <List
        label="What was asked"
        query={{ ...query, data: query.data?.questions }}
        empty={<p className="text-s text-muted">No question is like this in this period.</p>}
        keyOf={({ question }) => question}
        onOpen={setOpened}
        columns={COLUMNS}
      />
      <Sheet title="Question" isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened && (
          <div className="flex flex-col gap-4 p-5">
            <p className="font-medium break-words">{opened.question}</p>
            {opened.otherWordings.length > 0 && (
              <ul aria-label="Also asked as" className="flex flex-col gap-1 text-s text-muted">
                {opened.otherWordings.map((wording) => (
                  <li key={wording} className="break-words">
                    {wording}
                  </li>
                ))}
              </ul>
            )}
            <Sources sources={opened.sources} className="text-s" />
            <Link
              to="/$org/$domain/conversations"
              params={{ org, domain }}
              search={{ thread: opened.threadId }}
              className="w-fit text-s text-accent-text underline"
            >
              Open the newest conversation
            </Link>
            {opened.waiting > 0 && (
              <CloseQuestion key={`close ${opened.question}`} scope={scope} asked={opened} />
            )}
            <QuestionTest question={opened.question} answer={opened} isOpen />
            <DraftPage
              key={opened.question}
              projectId={projectId}
              questions={questionsOf(opened)}
            />
          </div>
        )}
      </Sheet>
    </Section>
  );
}

/** As long as a draft takes them. */
const questionsOf = ({ question, otherWordings }: Asked) =>
  [question, ...otherWordings].map((text) => text.slice(0, 500)).filter((text) => text.length > 2);

const COLUMNS: Column<Asked>[] = [
  {
    title: 'Question',
    cell: ({ question }) => <span className="line-clamp-2 break-words">{question}</span>,
  },
  { title: 'Asked', isNumber: true, cell: ({ count: times }) => count(times) },
  { title: 'Answered', isNumber: true, isMinor: true, cell: ({ answered }) => count(answered) },
  {
    title: 'Not in the docs',
    isNumber: true,
    isMinor: true,
    cell: ({ notInDocs }) => count(notInDocs),
  },
  {
    title: 'Waiting',
    isNumber: true,
    isMinor: true,
    cell: ({ waiting }) => (waiting > 0 ? count(waiting) : ''),
  },
  { title: 'Not helpful', isNumber: true, cell: ({ notHelpful }) => count(notHelpful) },
  timeColumn('Last', 'lastAskedAt', true),
];
