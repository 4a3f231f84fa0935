import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, queries, useOrganization } from '../../api/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import { Select, TextAreaField } from '../../ui/field.tsx';
import { FilterSelect } from '../../ui/filters.tsx';
import { count } from '../../ui/format.ts';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CancelButton } from '../../ui/overlays/around.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { type Column, List, Table, timeColumn } from '../../ui/table.tsx';
import { Badge, Status } from '../../ui/values.tsx';
import { useScope } from '../analytics/analytics-query.ts';
import { ExportButton, Filters } from '../analytics/filters.tsx';

type Feedback = Omit<Schema<'Feedback'>, 'contact'>;
type Changes = Partial<Pick<Feedback, 'status' | 'note'>>;
type Stored = InfiniteData<{ feedback: Feedback[]; nextCursor: string | null }>;

const STATUSES = {
  pending: ['Open', 'warning'],
  in_progress: ['In progress', 'active'],
  resolved: ['Resolved', 'success'],
  dismissed: ['Dismissed', 'neutral'],
} as const;
const STATUS_TITLES = Object.fromEntries(
  Object.entries(STATUSES).map(([value, [title]]) => [value, title]),
);
const REASONS = {
  missing: 'Something is missing',
  wrong: 'Something is wrong',
  unclear: 'Hard to understand',
  other: 'Other',
};
const KINDS = {
  page: 'On pages',
  answer: 'On answers',
  agent: 'From AI agents',
  previews: 'In previews',
};
const RATINGS = { false: 'Not helpful', true: 'Helpful' };

/** Filters of the list in the page's URL. */
function useFeedbackFilters() {
  const scope = useScope();
  const { helpful, status, kind } = useSearch({ strict: false });
  const about = kind === 'page' || kind === 'answer' ? kind : undefined;
  const filters = {
    ...scope.asked,
    ...((helpful === 'true' || helpful === 'false') && { helpful: helpful as 'true' | 'false' }),
    ...(status !== undefined && status in STATUSES && { status }),
    ...(about !== undefined && { about: about as 'page' | 'answer' }),
    ...(kind === 'agent' && { source: 'agent' }),
    ...(kind === 'previews' && { previews: 'true' as const }),
  };
  return { ...scope, filters, helpful, status, kind };
}
type FeedbackFilters = ReturnType<typeof useFeedbackFilters>;

function feedbackQuery({ projectId, filters }: FeedbackFilters) {
  return pagedQuery(
    ['feedback', projectId, filters],
    { ...filters, limit: 50 },
    (query) => api.get('/v1/analytics/{projectId}/feedback', { path: { projectId }, query }),
    (parts): readonly Feedback[] => parts.flatMap(({ feedback }) => feedback),
  );
}

/** Shows a change optimistically and reverts it if it fails; a status change can be undone. */
function changer(scope: FeedbackFilters) {
  const show = (id: string, changes: Changes) =>
    queries.setQueryData<Stored>(feedbackQuery(scope).queryKey, (old) => {
      if (!old) return old;
      const change = (row: Feedback) => (row.id === id ? { ...row, ...changes } : row);
      return {
        ...old,
        pages: old.pages.map((page) => ({ ...page, feedback: page.feedback.map(change) })),
      };
    });
  const change = async (row: Feedback, changes: Changes, canUndo = true): Promise<void> => {
    const before: Changes = { status: row.status, note: row.note };
    show(row.id, changes);
    try {
      const path = { projectId: scope.projectId, feedbackId: row.id };
      await api.patch('/v1/analytics/{projectId}/feedback/{feedbackId}', { path, body: changes });
      const text =
        changes.status === undefined
          ? 'Note saved'
          : `Marked as ${STATUSES[changes.status][0].toLowerCase()}`;
      notify(text, canUndo ? () => void change({ ...row, ...changes }, before, false) : undefined);
    } catch (error) {
      show(row.id, before);
      notifyFailure('The feedback could not be changed', error);
    }
  };
  return change;
}

/** The feedback inbox: readers and agents about pages, and readers about answers. */
export function FeedbackPage() {
  const scope = useFeedbackFilters();
  const query = useInfiniteQuery({ ...feedbackQuery(scope), placeholderData: keepPreviousData });
  const change = changer(scope);
  const { may } = useOrganization();
  const [noted, setNoted] = useState<Feedback>();
  const { status, kind, helpful, setSearch } = scope;
  const hasRows = query.data !== undefined && query.data.length > 0;
  const isFiltered =
    status !== undefined ||
    kind !== undefined ||
    helpful !== undefined ||
    scope.asked.path !== undefined;
  return (
    <Page
      title="Feedback"
      about="Ratings and comments from readers, on pages and on answers of the assistant, with your notes"
      action={hasRows && <ExportButton scope={scope} report="feedback" />}
    >
      <Filters scope={scope} setSearch={setSearch}>
        <FilterSelect
          name="status"
          label="Status"
          all="Every status"
          className="w-40 max-sm:min-w-36 max-sm:flex-1"
          options={STATUS_TITLES}
        />
        <FilterSelect
          name="kind"
          label="Kind"
          all="Every kind"
          className="w-40 max-sm:min-w-36 max-sm:flex-1"
          options={KINDS}
        />
        <FilterSelect
          name="helpful"
          label="Rating"
          all="All ratings"
          className="w-40 max-sm:min-w-36 max-sm:flex-1"
          options={RATINGS}
        />
      </Filters>
      <List
        label="Feedback"
        query={query}
        empty={
          <EmptyState
            icon="inbox"
            title={isFiltered ? 'No feedback matches' : 'No feedback in this period'}
          >
            To let readers rate pages, set{' '}
            <code className="font-mono text-xs">"feedback": {'{"thumbsRating": true}'}</code> in
            docs.json.
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={columnsOf(scope, may('editor'), change, setNoted)}
      />
      {hasRows && !query.error && <ByPage scope={scope} />}
      {noted && (
        <NoteDialog
          feedback={noted}
          onClose={() => setNoted(undefined)}
          onSave={(note) => {
            setNoted(undefined);
            void change(noted, { note: note || null });
          }}
        />
      )}
    </Page>
  );
}

type Change = ReturnType<typeof changer>;

function remove(projectId: string, feedbackId: string): void {
  confirmAction({
    title: 'Delete this feedback',
    text: 'What the reader wrote is deleted, and so is your note. To keep it and close it, choose a status instead. This cannot be undone.',
    action: 'Delete feedback',
    run: () =>
      api.delete('/v1/analytics/{projectId}/feedback/{feedbackId}', {
        path: { projectId, feedbackId },
      }),
    done: 'Feedback deleted',
    failed: 'The feedback could not be deleted',
  });
}

function columnsOf(
  { org, domain, projectId, setSearch }: FeedbackFilters,
  mayWrite: boolean,
  change: Change,
  onNote: (row: Feedback) => void,
): Column<Feedback>[] {
  const statusOf = (row: Feedback) =>
    mayWrite ? (
      <Select
        aria-label="Status of this feedback"
        className="w-32"
        value={row.status}
        onChange={({ target }) => void change(row, { status: target.value as Feedback['status'] })}
        options={STATUS_TITLES}
      />
    ) : (
      <Status state={STATUSES[row.status]} />
    );
  const buttonsOf = (row: Feedback) =>
    mayWrite ? (
      <span className="flex justify-end gap-1">
        <IconButton label="Note" icon="pencil" onClick={() => onNote(row)} />
        <IconButton
          label="Delete this feedback"
          icon="trash"
          onClick={() => remove(projectId, row.id)}
        />
      </span>
    ) : null;
  return [
    {
      title: 'Rating',
      isNarrow: true,
      cell: ({ helpful }) => (
        <span className="inline-flex items-center gap-2">
          <Icon
            name={helpful === null ? 'bot' : helpful ? 'thumbs-up' : 'thumbs-down'}
            className={helpful === null ? 'text-muted' : helpful ? 'text-success' : 'text-warning'}
          />
          <span className="max-md:sr-only">
            {helpful === null ? 'AI agent' : helpful ? 'Helpful' : 'Not helpful'}
          </span>
        </span>
      ),
    },
    {
      title: 'Comment',
      cell: (row) => (
        <span className="flex flex-col gap-0.5">
          {row.threadId !== null && (
            <Link
              to="/$org/$domain/conversations"
              params={{ org, domain }}
              search={{ thread: row.threadId }}
              className="line-clamp-1 font-medium hover:underline"
            >
              {row.question ?? 'A deleted question'}
            </Link>
          )}
          {row.path !== null && (
            <button
              type="button"
              className="w-fit text-left font-mono text-xs break-all text-muted hover:underline"
              title="Show only this page"
              onClick={() => setSearch({ path: row.path })}
            >
              {row.path}
            </button>
          )}
          {row.comment !== null && (
            <span className="break-words whitespace-pre-line">{row.comment}</span>
          )}
          <span className="flex flex-wrap gap-2">
            {row.reason !== null && <Badge>{REASONS[row.reason]}</Badge>}
            {row.preview !== null && <Badge>{`Preview ${row.preview}`}</Badge>}
          </span>
          {row.note !== null && <span className="text-muted italic">{row.note}</span>}
          {/* A phone has no room for columns of their own. */}
          <span className="mt-1 flex items-center gap-2 md:hidden">
            {statusOf(row)}
            {buttonsOf(row)}
          </span>
        </span>
      ),
    },
    timeColumn('Received', 'createdAt', true),
    { title: 'Status', isMinor: true, isNarrow: true, cell: statusOf },
    { title: '(Actions)', isMinor: true, cell: buttonsOf },
  ];
}

/** The pages with the most feedback; a click filters the list to one. */
function ByPage({ scope }: { scope: FeedbackFilters }) {
  const { projectId, filters } = scope;
  const { data } = useQuery({
    queryKey: ['feedback-by-page', projectId, filters],
    queryFn: () => {
      const query = { ...filters, limit: 10 };
      return api.get('/v1/analytics/{projectId}/feedback/by-page', { path: { projectId }, query });
    },
    placeholderData: keepPreviousData,
  });
  if (!data || data.feedback.length === 0) return null;
  return (
    <Section title="By page" className="mt-8">
      <Table
        label="Feedback by page"
        rows={data.feedback}
        keyOf={({ path }) => path ?? ''}
        onOpen={({ path }) => path !== null && scope.setSearch({ path })}
        columns={[
          {
            title: 'Page',
            cell: ({ path }) => (
              <code className="font-mono text-xs">{path ?? 'Page not known'}</code>
            ),
          },
          { title: 'Helpful', isNumber: true, cell: ({ thumbsUp }) => count(thumbsUp) },
          { title: 'Not helpful', isNumber: true, cell: ({ thumbsDown }) => count(thumbsDown) },
          { title: 'All', isNumber: true, cell: ({ total }) => count(total) },
        ]}
      />
    </Section>
  );
}

function NoteDialog({
  feedback,
  onClose,
  onSave,
}: {
  feedback: Feedback;
  onClose: () => void;
  onSave: (note: string) => void;
}) {
  const form = useApiForm({
    values: { note: feedback.note ?? '' },
    submit: async ({ note }) => onSave(note.trim()),
  });
  return (
    <Dialog isOpen onClose={onClose} title="Note">
      <Form form={form} action="Save note" secondary={<CancelButton />}>
        <TextAreaField
          label="Note"
          hint="For your team; readers do not see it."
          rows={4}
          maxLength={4000}
          {...form.field('note')}
        />
      </Form>
    </Dialog>
  );
}
