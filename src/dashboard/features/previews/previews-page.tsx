import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { FilterBar, FilterSearch, useSetSearch } from '../../ui/filters.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Card, EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { type Column, LoadMore, Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, RelativeTime, Status, type Tone } from '../../ui/values.tsx';
import { isBuilding, NewPreviewDialog, previewsQuery } from './new-preview-dialog.tsx';

type Preview = Schema<'Preview'>;

/** The previews of a site: unpublished versions at their own URLs. */
export function PreviewsPage() {
  const { slug: org, may } = useOrganisation();
  const site = useSite() as Site;
  const { q = '', create = false } = useSearch({ strict: false });
  const [deleted, setDeleted] = useState<Preview>();
  const query = useInfiniteQuery(previewsQuery(org, site.projectId));
  const rows = query.data?.pages.flatMap((page) => page.items);
  const shown = rows?.filter(({ branch, name }) => `${branch} ${name}`.toLowerCase().includes(q.toLowerCase()));
  const setSearch = useSetSearch();
  const open = useCallback(() => setSearch({ create: true }), [setSearch]);
  const canBuild = may('editor') && site.live !== null;
  useCommand(canBuild ? { title: 'Create preview', icon: 'plus', run: open } : undefined);
  const button = canBuild && (
    <Button variant="primary" icon="plus" onClick={open}>
      Create preview
    </Button>
  );
  const command = <CodeBlock label="Copy command" code={`docent publish docs --site ${site.slug} --preview my-branch`} />;
  return (
    <Page
      title="Previews"
      about="A preview shows a branch at its own address. Readers of the live site never see it, and its views are not counted."
      action={rows && rows.length > 0 && button}
    >
      {rows && rows.length > 0 && (
        <FilterBar>
          <FilterSearch name="q" label="Search previews" />
        </FilterBar>
      )}
      {query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : !rows || !shown ? (
        <TableSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState
          icon="eye"
          title="No previews yet"
          action={
            may('editor') && (
              <div className="flex flex-col gap-4 text-left">
                <div className="text-center">{button}</div>
                {command}
              </div>
            )
          }
        >
          Publish a branch as a preview to review its changes before they are live.
        </EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState icon="search" title="No preview matches">
          Search for another branch.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          <Table
            label="Previews"
            rows={shown}
            keyOf={({ name }) => name}
            columns={columnsOf({ org, domain: site.slug }, may('editor') ? setDeleted : undefined)}
          />
          <LoadMore query={query} />
          {may('editor') && (
            <Card title="From a terminal or a pipeline" about="Publishes a folder as a preview." isPadded>
              {command}
            </Card>
          )}
        </div>
      )}
      <NewPreviewDialog site={site} isOpen={create && canBuild} onClose={() => setSearch({ create: undefined })} />
      {deleted && <DeletePreview preview={deleted} site={site} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

function DeletePreview({ preview, site, onClose }: { preview: Preview; site: Site; onClose: () => void }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const { projectId } = site;
  const path = { projectId, previewName: preview.name };
  return (
    <ConfirmDialog
      isOpen
      title={`Delete the preview of ${preview.branch}`}
      action="Delete preview"
      onClose={onClose}
      run={() => api.DELETE('/v1/projects/{projectId}/previews/{previewName}', { params: { path } })}
      done={`The preview of ${preview.branch} is deleted`}
      failed="The preview could not be deleted"
      refresh={() => queries.invalidateQueries(previewsQuery(org, projectId))}
    >
      Its address stops working immediately, and its deployments are deleted. Promoted deployments are kept.
    </ConfirmDialog>
  );
}

/** State of a preview; a failed one may still show its previous build. */
function stateOf(preview: Preview): [word: string, tone: Tone] {
  const { deploymentId, lastDeployment: last } = preview;
  if (last?.status === 'failure') return ['Last build failed', 'danger'];
  if (isBuilding(preview)) return ['Building', 'active'];
  return deploymentId === null ? ['Waiting for a source', 'neutral'] : ['Ready', 'success'];
}

function columnsOf(
  params: { org: string; domain: string },
  onDelete: ((preview: Preview) => void) | undefined,
): Column<Preview>[] {
  return [
    {
      title: 'Preview',
      cell: ({ branch, url, deploymentId, hasPassword }) => (
        <span className="flex flex-col">
          <span className="flex items-center gap-2 font-medium">
            {branch} {hasPassword && <Badge>password</Badge>}
          </span>
          {deploymentId === null ? (
            <span className="font-mono text-xs break-all text-muted">{url}</span>
          ) : (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="font-mono text-xs break-all text-accent-text hover:underline"
            >
              {url}
            </a>
          )}
        </span>
      ),
    },
    {
      title: 'State',
      isNarrow: true,
      cell: (row) => {
        const [word, tone] = stateOf(row);
        const state = <Status tone={tone}>{word}</Status>;
        return row.lastDeployment === null ? (
          state
        ) : (
          <Link
            to="/$org/$domain/deployments/$id"
            params={{ ...params, id: row.lastDeployment.id }}
            title={row.lastDeployment.summary}
            className="hover:underline"
          >
            {state}
          </Link>
        );
      },
    },
    { title: 'Expires', isMinor: true, isNarrow: true, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    { title: 'Created', isMinor: true, isNarrow: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    ...(onDelete
      ? [
          {
            title: '(Actions)',
            isNarrow: true,
            cell: (row: Preview) => (
              <IconButton icon="trash" label={`Delete the preview of ${row.branch}`} onClick={() => onDelete(row)} />
            ),
          },
        ]
      : []),
  ];
}
