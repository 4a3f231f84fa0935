import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, useOrganization, useSite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { confirmAction } from '../../ui/overlays/dialog.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { type Column, List } from '../../ui/table.tsx';
import { Badge, RelativeTime, type State, Status } from '../../ui/values.tsx';

type PullRequest = Schema<'PullRequest'>;

const POLL_MS = 5000;
const STATES: Record<PullRequest['state'], State> = {
  new: ['Not looked at yet', 'neutral'],
  previewed: ['Has a preview', 'success'],
  waiting: ['Waits for approval', 'warning'],
  unchanged: ['Changes no page', 'neutral'],
};

/** The open pull requests of the repository of the site. */
export function PullRequests() {
  const { projectId } = useSite();
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['pull-requests', projectId],
      { limit: 50 },
      (query) => api.get('/v1/projects/{projectId}/pull-requests', { path: { projectId }, query }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    staleTime: 0,
    refetchInterval: POLL_MS,
  });
  return (
    <Section title="Pull requests" className="mt-8">
      <List
        label="Pull requests"
        query={query}
        empty={
          <EmptyState icon="git-branch" title="No open pull requests">
            One that changes the documentation gets a preview here, which ends when it is closed.
          </EmptyState>
        }
        keyOf={({ path, number }) => `${path} ${number}`}
        columns={useColumns()}
      />
    </Section>
  );
}

function useColumns(): Column<PullRequest>[] {
  const { slug: org, may } = useOrganization();
  const { slug: domain, projectId } = useSite();
  const approve = ({ number, sha, author }: PullRequest) =>
    confirmAction({
      title: `Build pull request ${number}`,
      text: `The commit ${sha?.slice(0, 7)}${author ? ` of ${author}` : ''} comes from a fork. Its pages and scripts run in readers' browsers, at the address of the preview. The next commit waits again.`,
      action: 'Build preview',
      run: () =>
        api.post('/v1/projects/{projectId}/pull-requests/{pullNumber}/approve', {
          path: { projectId, pullNumber: String(number) },
          body: { sha: sha ?? '' },
        }),
      done: 'The preview is being built',
      failed: 'The pull request could not be approved',
    });
  return [
    {
      title: 'Pull request',
      cell: ({ number, path, title, author, url, isFork, lastError, reportError }) => (
        <span className="flex flex-col gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {url === null ? (
              `#${number} ${title}`
            ) : (
              <a href={url} className="underline" target="_blank" rel="noreferrer">
                #{number} {title}
              </a>
            )}
            {path !== '' && <Badge>/{path}</Badge>}
            {isFork && <Badge>fork</Badge>}
          </span>
          <span className="text-s text-muted">
            {lastError ?? (author && `by ${author}`)}
            {reportError !== null && ` · The comment could not be written: ${reportError}`}
          </span>
        </span>
      ),
    },
    {
      title: 'State',
      cell: (pull) => (
        <Status state={pull.lastError === null ? STATES[pull.state] : ['Not built', 'danger']} />
      ),
    },
    { title: 'Updated', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
    {
      title: '(Actions)',
      cell: (pull) => (
        <span className="flex justify-end gap-3 text-s">
          {pull.previewName !== null && (
            <Link
              to="/$org/$domain/previews/$name/open"
              params={{ org, domain, name: pull.previewName }}
              className="underline"
              target="_blank"
            >
              Preview
            </Link>
          )}
          {pull.state === 'waiting' && may('editor') && (
            <Button size="sm" onClick={() => approve(pull)}>
              Approve
            </Button>
          )}
        </span>
      ),
    },
  ];
}
