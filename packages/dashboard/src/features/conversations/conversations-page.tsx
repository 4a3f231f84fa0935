import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { FilterBar, FilterSelect, useSetSearch } from '../../ui/filters.tsx';
import { count, duration } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Markdown, Sources } from '../../ui/markdown.tsx';
import { confirmAction, Sheet } from '../../ui/overlays/dialog.tsx';
import { EmptyState, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { List, timeColumn } from '../../ui/table.tsx';
import { RelativeTime, type State, Status } from '../../ui/values.tsx';
import { AnswerBasis } from './answer-basis.tsx';
import { AnswerPrompt } from './answer-prompt.tsx';
import { QuestionTest } from './question-test.tsx';
import { ReplayAnswer } from './replay-answer.tsx';

const PERIODS = { 1: 'Last 24 hours', 7: 'Last 7 days', 30: 'Last 30 days' } as const;
const DAY_MS = 86_400_000;

type OutcomeName = NonNullable<Schema<'AssistantThreadSummary'>['outcome']>;

/** How an answer ended. */
const OUTCOMES: Record<OutcomeName, State> = {
  answered: ['Answered', 'success'],
  partly: ['In part', 'warning'],
  not_in_docs: ['Not in the docs', 'warning'],
  refused: ['Refused', 'neutral'],
  aborted: ['Stopped', 'neutral'],
  failed: ['Failed', 'danger'],
  unknown: ['Unknown', 'neutral'],
};

function threadsQuery(projectId: string, outcome: string | undefined, days: string | undefined) {
  const filters = {
    ...(outcome !== undefined && { outcome: outcome as OutcomeName }),
    ...(days !== undefined && {
      dateFrom: new Date(Date.now() - Number(days) * DAY_MS).toISOString(),
    }),
  };
  return pagedQuery(
    ['threads', projectId, outcome, days],
    { ...filters, limit: 50 },
    (query) =>
      api.get('/v1/analytics/{projectId}/assistant/threads', { path: { projectId }, query }),
    (parts) => parts.flatMap(({ threads }) => threads),
  );
}

/** What readers asked the assistant of a site. */
export function ConversationsPage() {
  const { projectId } = useSite();
  const { outcome, days, thread } = useSearch({ strict: false });
  const query = useInfiniteQuery(threadsQuery(projectId, outcome, days));
  const isFiltered = outcome !== undefined || days !== undefined;
  const setSearch = useSetSearch();
  return (
    <Page
      title="Conversations"
      about="What readers asked, what the assistant answered, and from which pages"
    >
      <FilterBar>
        <FilterSelect
          name="outcome"
          label="Outcome"
          all="All outcomes"
          options={Object.fromEntries(
            Object.entries(OUTCOMES).map(([name, [title]]) => [name, title]),
          )}
        />
        <FilterSelect name="days" label="Period" all="All time" options={PERIODS} />
      </FilterBar>
      <List
        label="Conversations"
        query={query}
        empty={
          <EmptyState
            icon="message-square"
            title={isFiltered ? 'No conversation matches' : 'No conversations yet'}
          >
            {isFiltered
              ? 'Choose another outcome or a longer period.'
              : 'Questions from readers on the site, and from programs with a key, appear here.'}
          </EmptyState>
        }
        keyOf={({ threadId }) => threadId}
        onOpen={({ threadId }) => setSearch({ thread: threadId })}
        columns={[
          {
            title: 'First question',
            cell: ({ query: text }) => <span className="line-clamp-2">{text}</span>,
          },
          { title: 'Outcome', cell: ({ outcome: ended }) => <Outcome name={ended} /> },
          {
            title: 'Questions',
            isNumber: true,
            isMinor: true,
            cell: ({ questionCount }) => count(questionCount),
          },
          timeColumn('Last message', 'updatedAt', true),
        ]}
      />
      <Sheet
        title="Conversation"
        isOpen={thread !== undefined}
        onClose={() => setSearch({ thread: undefined })}
      >
        {thread !== undefined && (
          <Thread
            projectId={projectId}
            threadId={thread}
            onDeleted={() => setSearch({ thread: undefined })}
          />
        )}
      </Sheet>
    </Page>
  );
}

/** A conversation, with the sources and the outcome of each answer. */
function Thread({
  projectId,
  threadId,
  onDeleted,
}: {
  projectId: string;
  threadId: string;
  onDeleted: () => void;
}) {
  const { may } = useOrganization();
  const params = { path: { projectId, threadId } };
  const query = useQuery({
    queryKey: ['threads', projectId, 'thread', threadId],
    queryFn: () => api.get('/v1/analytics/{projectId}/assistant/threads/{threadId}', params),
  });
  const remove = () =>
    confirmAction({
      title: 'Delete this conversation',
      text: 'Its questions, answers and ratings are deleted, for example because a reader asked for it. This cannot be undone.',
      action: 'Delete conversation',
      run: async () => {
        await api.delete('/v1/analytics/{projectId}/assistant/threads/{threadId}', params);
        onDeleted();
      },
      done: 'Conversation deleted',
      failed: 'The conversation could not be deleted',
    });
  return (
    <div className="flex flex-col gap-6 p-5">
      <Loaded query={query} placeholder={<Skeleton lines={6} />}>
        {(data) => (
          <>
            <p className="text-s text-muted">
              Started <RelativeTime at={data.createdAt} /> ·{' '}
              <CopyText value={threadId} label="Copy conversation id" />
            </p>
            {data.hasEarlier && <p className="text-s text-muted">Earlier messages are omitted.</p>}
            {data.messages.map((message, index) =>
              message.role === 'user' ? (
                <Question key={message.id} message={message} />
              ) : (
                <Answer
                  key={message.id}
                  threadId={threadId}
                  message={message}
                  question={data.messages[index - 1]?.content}
                />
              ),
            )}
            {may('editor') && (
              <div className="border-t border-line pt-4">
                <Button size="sm" icon="trash" onClick={remove}>
                  Delete conversation
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function Question({ message }: { message: Schema<'AssistantThreadQuestion'> }) {
  return (
    <div className="self-end text-right">
      <p className="inline-block rounded-lg bg-accent-soft px-3 py-2 text-left break-words whitespace-pre-wrap">
        {message.content}
      </p>
      <p className="mt-1 text-xs text-muted">
        <RelativeTime at={message.createdAt} />
        {message.path !== null && ` on ${message.path}`}
        {message.caller === 'api' && ' by a program'}
      </p>
    </div>
  );
}

function Answer({
  threadId,
  message,
  question,
}: {
  threadId: string;
  message: Schema<'AssistantThreadAnswer'>;
  question: string | undefined;
}) {
  const { url } = useSite();
  const { outcome, sources, timings, model, helpful, comment } = message;
  return (
    <div className="flex flex-col gap-2">
      <Markdown text={message.content} base={url} />
      <Sources sources={sources} className="text-s" />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
        <Outcome name={outcome} />
        {timings.durationMs !== null && (
          <span className="tabular-nums">{duration(timings.durationMs)}</span>
        )}
        {model !== null && <span>{model}</span>}
        {helpful !== null && (
          <span className="inline-flex items-center gap-1">
            <Icon name={helpful ? 'thumbs-up' : 'thumbs-down'} size={13} />
            {helpful ? 'Helpful' : 'Not helpful'}
          </span>
        )}
      </p>
      <AnswerBasis message={message} />
      {message.model !== null && message.model !== 'extractive' && (
        <AnswerPrompt threadId={threadId} messageId={message.id} />
      )}
      {question !== undefined && <ReplayAnswer threadId={threadId} message={message} />}
      {comment !== null && (
        <blockquote className="rounded-md bg-sunken px-3 py-2 text-s">{comment}</blockquote>
      )}
      {question !== undefined && <QuestionTest question={question} answer={message} />}
    </div>
  );
}

/** Shows how an answer ended. */
function Outcome({ name }: { name: OutcomeName | null }) {
  if (name === null) return <span className="text-muted">unknown</span>;
  return <Status state={OUTCOMES[name]} />;
}
