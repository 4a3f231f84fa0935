import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrganisation } from '../../api/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextAreaField } from '../../ui/field.tsx';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { type Column, LoadMore, Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, RelativeTime, Status as StatusBadge } from '../../ui/values.tsx';
import { saveReport } from '../analytics/export-menu.tsx';
import { Filters } from '../analytics/filters.tsx';
import {
  type Feedback,
  type FeedbackFilters,
  STATUSES,
  type Status,
  useChangeFeedback,
  useFeedback,
  useFeedbackByPage,
  useFeedbackFilters,
} from './feedback-query.ts';

const REASONS = { missing: 'Something is missing', wrong: 'Something is wrong', unclear: 'Hard to understand', other: 'Other' };
const KINDS = { page: 'On pages', answer: 'On answers', agent: 'From AI agents', previews: 'In previews' };

/** The feedback inbox: readers and agents about pages, and readers about answers. */
export function FeedbackPage() {
  const scope = useFeedbackFilters();
  const query = useFeedback(scope);
  const change = useChangeFeedback(scope);
  const { may } = useOrganisation();
  const [noted, setNoted] = useState<Feedback>();
  const { status, kind, helpful, setSearch } = scope;
  const rows = query.data?.pages.flatMap((page) => page.feedback);
  const isFiltered = status !== undefined || kind !== undefined || helpful !== undefined || scope.asked.path !== undefined;
  const select = (name: 'status' | 'kind' | 'helpful', label: string, all: string, options: [string, string][]) => (
    <Select
      aria-label={label}
      className="w-40"
      value={scope[name] ?? ''}
      onChange={({ target }) => setSearch({ [name]: target.value || undefined })}
    >
      <option value="">{all}</option>
      {options.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </Select>
  );
  return (
    <Page
      title="Feedback"
      about="Ratings and comments from readers, on pages and on answers of the assistant, with your notes"
      action={
        rows &&
        rows.length > 0 && (
          <Button icon="download" onClick={() => saveReport(scope, 'feedback')}>
            Export CSV
          </Button>
        )
      }
    >
      <Filters scope={scope} setSearch={setSearch}>
        {select(
          'status',
          'Status',
          'Every status',
          Object.entries(STATUSES).map(([value, [title]]) => [value, title]),
        )}
        {select('kind', 'Kind', 'Every kind', Object.entries(KINDS))}
        {select('helpful', 'Rating', 'All ratings', [
          ['false', 'Not helpful'],
          ['true', 'Helpful'],
        ])}
      </Filters>
      {query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : !rows ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState icon="inbox" title={isFiltered ? 'No feedback matches' : 'No feedback in this period'}>
          To let readers rate pages, set <code className="font-mono text-xs">"feedback": {'{"thumbsRating": true}'}</code> in
          docs.json.
        </EmptyState>
      ) : (
        <>
          <Table
            label="Feedback"
            rows={rows}
            keyOf={({ id }) => id}
            columns={columnsOf(scope, may('editor'), change, setNoted)}
          />
          <LoadMore query={query} />
          <ByPage scope={scope} />
        </>
      )}
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

type Change = ReturnType<typeof useChangeFeedback>;

function columnsOf(
  { org, domain, setSearch }: FeedbackFilters,
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
        onChange={({ target }) => void change(row, { status: target.value as Status })}
      >
        {Object.entries(STATUSES).map(([value, [title]]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </Select>
    ) : (
      <StatusBadge tone={STATUSES[row.status][1]}>{STATUSES[row.status][0]}</StatusBadge>
    );
  const noteOf = (row: Feedback) => (mayWrite ? <IconButton label="Note" icon="pencil" onClick={() => onNote(row)} /> : null);
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
          <span className="max-md:sr-only">{helpful === null ? 'AI agent' : helpful ? 'Helpful' : 'Not helpful'}</span>
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
          {row.comment !== null && <span className="break-words whitespace-pre-line">{row.comment}</span>}
          <span className="flex flex-wrap gap-2">
            {row.reason !== null && <Badge>{REASONS[row.reason]}</Badge>}
            {row.preview !== null && <Badge>{`Preview ${row.preview}`}</Badge>}
          </span>
          {row.note !== null && <span className="text-muted italic">{row.note}</span>}
          {/* A phone has no room for columns of their own. */}
          <span className="mt-1 flex items-center gap-2 md:hidden">
            {statusOf(row)}
            {noteOf(row)}
          </span>
        </span>
      ),
    },
    { title: 'Received', isMinor: true, isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { title: 'Status', isMinor: true, isNarrow: true, cell: statusOf },
    { title: '(Note)', isMinor: true, isNarrow: true, cell: noteOf },
  ];
}

/** The pages with the most feedback; a click filters the list to one. */
function ByPage({ scope }: { scope: FeedbackFilters }) {
  const { data } = useFeedbackByPage(scope);
  if (!data || data.feedback.length === 0) return null;
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-sm font-semibold">By page</h2>
      <Table
        label="Feedback by page"
        rows={data.feedback}
        keyOf={({ path }) => path ?? ''}
        onOpen={({ path }) => path !== null && scope.setSearch({ path })}
        columns={[
          { title: 'Page', cell: ({ path }) => <code className="font-mono text-xs">{path ?? 'Page not known'}</code> },
          { title: 'Helpful', isNumber: true, isNarrow: true, cell: ({ thumbsUp }) => count(thumbsUp) },
          { title: 'Not helpful', isNumber: true, isNarrow: true, cell: ({ thumbsDown }) => count(thumbsDown) },
          { title: 'All', isNumber: true, isNarrow: true, cell: ({ total }) => count(total) },
        ]}
      />
    </section>
  );
}

function NoteDialog({ feedback, onClose, onSave }: { feedback: Feedback; onClose: () => void; onSave: (note: string) => void }) {
  const [text, setText] = useState(feedback.note ?? '');
  return (
    <Dialog isOpen onClose={onClose} title="Note">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(text.trim());
        }}
      >
        <TextAreaField
          label="Note"
          hint="For your team; readers do not see it."
          rows={4}
          maxLength={4000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit">
            Save note
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
