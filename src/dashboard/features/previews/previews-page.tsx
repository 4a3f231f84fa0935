import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { pagedQuery, refresh, type Site, useOrganisation, useSite } from '../../api/queries.ts';
import { Button, IconButton, useMainAction } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterBar, FilterSearch, useSetSearch } from '../../ui/filters.tsx';
import { Form, useApiForm } from '../../ui/form.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { Card, EmptyState, Page } from '../../ui/page.tsx';
import { type Column, List } from '../../ui/table.tsx';
import { Badge, RelativeTime, type State, Status } from '../../ui/values.tsx';

type Preview = Schema<'Preview'>;

const POLL_MS = 2000;

/** Whether a preview is about to change. */
function isBuilding({ lastDeployment }: Preview): boolean {
  return lastDeployment?.status === 'queued' || lastDeployment?.status === 'in_progress';
}

/** The previews of a site: unpublished versions at their own URLs. */
export function PreviewsPage() {
  const { slug: org, may } = useOrganisation();
  const site = useSite();
  const { projectId } = site;
  const { q = '', create = false } = useSearch({ strict: false });
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['previews', projectId],
      { limit: 100 },
      (query) => bodyOf(api.GET('/v1/projects/{projectId}/previews', { params: { path: { projectId }, query } })),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.pages.some(({ items }) => items.some(isBuilding)) && POLL_MS,
  });
  const setSearch = useSetSearch();
  const open = () => setSearch({ create: true });
  const canBuild = may('editor') && site.live !== null;
  const button = useMainAction(canBuild ? { title: 'Create preview', icon: 'plus', run: open } : undefined);
  const command = <CodeBlock label="Copy command" code={`docent publish docs --site ${site.slug} --preview my-branch`} />;
  const hasRows = query.data !== undefined && query.data.length > 0;
  const isShown = ({ branch, name }: Preview) => `${branch} ${name}`.toLowerCase().includes(q.toLowerCase());
  const close = () => setSearch({ create: undefined });
  const remove = ({ name, branch }: Preview) =>
    confirmAction({
      title: `Delete the preview of ${branch}`,
      text: 'Its address stops working immediately, and its deployments are deleted. Promoted deployments are kept.',
      action: 'Delete preview',
      run: () =>
        api.DELETE('/v1/projects/{projectId}/previews/{previewName}', { params: { path: { projectId, previewName: name } } }),
      done: `The preview of ${branch} is deleted`,
      failed: 'The preview could not be deleted',
    });
  const nothing = hasRows ? (
    <EmptyState icon="search" title="No preview matches">
      Search for another branch.
    </EmptyState>
  ) : (
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
  );
  return (
    <Page
      title="Previews"
      about="A preview shows a branch at its own address. Readers of the live site never see it, and its views are not counted."
      action={hasRows && button}
    >
      {hasRows && (
        <FilterBar>
          <FilterSearch name="q" label="Search previews" />
        </FilterBar>
      )}
      <List
        label="Previews"
        query={query}
        isShown={isShown}
        empty={nothing}
        keyOf={({ name }) => name}
        columns={columnsOf({ org, domain: site.slug }, may('editor') ? remove : undefined)}
      />
      {may('editor') && query.data?.some(isShown) && (
        <Card className="mt-6" title="From a terminal or a pipeline" about="Publishes a folder as a preview." isPadded>
          {command}
        </Card>
      )}
      <Dialog title="Create preview" isOpen={create && canBuild} onClose={close}>
        <NewPreviewForm site={site} onClose={close} />
      </Dialog>
    </Page>
  );
}

/** State of a preview; a failed one may still show its previous build. */
function stateOf(preview: Preview): State {
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
        const state = <Status state={stateOf(row)} />;
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
            cell: (row: Preview) => (
              <IconButton icon="trash" label={`Delete the preview of ${row.branch}`} onClick={() => onDelete(row)} />
            ),
          },
        ]
      : []),
  ];
}

/** Builds a preview from the most recently uploaded source; the page of its deployment follows the build. */
function NewPreviewForm({ site: { projectId, slug }, onClose }: { site: Site; onClose: () => void }) {
  const { slug: org } = useOrganisation();
  const navigate = useNavigate();
  const form = useApiForm({
    values: { branch: '' },
    submit: ({ branch }) =>
      bodyOf(api.POST('/v1/project/preview/{projectId}', { params: { path: { projectId } }, body: { branch: branch.trim() } })),
    onDone: async ({ statusId: id }) => {
      await refresh();
      await navigate({ to: '/$org/$domain/deployments/$id', params: { org, domain: slug, id } });
    },
  });
  return (
    <Form form={form} action="Create preview" secondary={<Button onClick={onClose}>Cancel</Button>}>
      <TextField
        label="Branch"
        hint="Sets the name and the address of the preview. It is built from the last source uploaded for this branch, or from the last source of the site."
        required
        maxLength={250}
        autoComplete="off"
        spellCheck={false}
        {...form.field('branch')}
      />
    </Form>
  );
}
