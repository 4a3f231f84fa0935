import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { CopyText } from '../../ui/copy.tsx';
import { duration } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Sheet } from '../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton } from '../../ui/page.tsx';
import { RelativeTime, Status, type Tone } from '../../ui/values.tsx';

interface ThreadSheetProps {
  projectId: string;
  threadId: string | undefined;
  onClose: () => void;
}

/** A conversation, with the sources and the outcome of each answer. */
export function ThreadSheet({ projectId, threadId, onClose }: ThreadSheetProps) {
  return (
    <Sheet title="Conversation" isOpen={threadId !== undefined} onClose={onClose}>
      {threadId !== undefined && <Thread projectId={projectId} threadId={threadId} />}
    </Sheet>
  );
}

function Thread({ projectId, threadId }: { projectId: string; threadId: string }) {
  const { slug: org } = useOrganisation();
  const { data, error, refetch } = useQuery({
    queryKey: [org, 'threads', projectId, 'thread', threadId],
    queryFn: () =>
      bodyOf(api.GET('/v1/analytics/{projectId}/assistant/threads/{threadId}', { params: { path: { projectId, threadId } } })),
  });
  if (error)
    return (
      <div className="p-5">
        <ErrorState error={error} onRetry={refetch} />
      </div>
    );
  if (!data)
    return (
      <div className="p-5">
        <Skeleton lines={6} />
      </div>
    );
  return (
    <div className="flex flex-col gap-6 p-5">
      <p className="text-s text-muted">
        Started <RelativeTime at={data.createdAt} /> · <CopyText value={threadId} label="Copy conversation id" />
      </p>
      {data.hasEarlier && <p className="text-s text-muted">Earlier messages are omitted.</p>}
      {data.messages.map((message) =>
        message.role === 'user' ? <Question key={message.id} message={message} /> : <Answer key={message.id} message={message} />,
      )}
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

function Answer({ message }: { message: Schema<'AssistantThreadAnswer'> }) {
  const { url } = useSite() as Site;
  const { outcome, sources, timings, model, helpful, comment } = message;
  return (
    <div className="flex flex-col gap-2">
      <Markdown text={message.content} base={url} />
      {sources.length > 0 && (
        <ul className="flex flex-col gap-0.5 border-l-2 border-line pl-3 text-s">
          {sources.map(({ url, title }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer" className="text-accent-text hover:underline">
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
        <Outcome name={outcome} />
        {timings.durationMs !== null && <span className="tabular-nums">{duration(timings.durationMs)}</span>}
        {model !== null && <span>{model}</span>}
        {helpful !== null && (
          <span className="inline-flex items-center gap-1">
            <Icon name={helpful ? 'thumbs-up' : 'thumbs-down'} size={13} />
            {helpful ? 'Helpful' : 'Not helpful'}
          </span>
        )}
      </p>
      {comment !== null && <blockquote className="rounded-md bg-sunken px-3 py-2 text-s">{comment}</blockquote>}
    </div>
  );
}

type Name = NonNullable<Schema<'AssistantThreadSummary'>['outcome']>;

/** Labels for how an answer ended. */
export const OUTCOMES: Record<Name, { title: string; tone: Tone }> = {
  answered: { title: 'Answered', tone: 'success' },
  not_in_docs: { title: 'Not in the docs', tone: 'warning' },
  aborted: { title: 'Stopped', tone: 'neutral' },
  failed: { title: 'Failed', tone: 'danger' },
};

/** Shows how an answer ended. */
export function Outcome({ name }: { name: Name | null }) {
  if (name === null) return <span className="text-muted">unknown</span>;
  const { title, tone } = OUTCOMES[name];
  return <Status tone={tone}>{title}</Status>;
}
