import { actorName, deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, refresh, useOrganization, useSite } from '../../api/queries.ts';
import { IconButton, useMainAction } from '../../ui/button.tsx';
import { CodeBlock, CommandHelp } from '../../ui/copy.tsx';
import { FilterBar, FilterSearch, useSetSearch } from '../../ui/filters.tsx';
import { Form, useApiForm } from '../../ui/forms/form.tsx';
import { OpeningPage } from '../../ui/opening-page.tsx';
import { CancelButton } from '../../ui/overlays/around.tsx';
import { confirmAction, Dialog } from '../../ui/overlays/dialog.tsx';
import { notify } from '../../ui/overlays/notify.ts';
import { Card, EmptyState, Page } from '../../ui/page.tsx';
import { AccessFields, accessOf } from '../../ui/preview-access.tsx';
import { type Column, List, timeColumn } from '../../ui/table.tsx';
import { Badge, type State, Status } from '../../ui/values.tsx';

type Preview = Schema<'Preview'>;

const POLL_MS = 2000;

/** Whether a preview is about to change. */
function isBuilding({ lastDeployment }: Preview): boolean {
  return lastDeployment?.status === 'queued' || lastDeployment?.status === 'in_progress';
}

/** The previews of a site: unpublished versions at their own URLs. */
export function PreviewsPage() {
  const { slug: org, may } = useOrganization();
  const site = useSite();
  const { projectId } = site;
  const { q = '', edit } = useSearch({ strict: false });
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['previews', projectId],
      { limit: 100 },
      (query) => api.get('/v1/projects/{projectId}/previews', { path: { projectId }, query }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isBuilding)) && POLL_MS,
  });
  const setSearch = useSetSearch();
  const navigate = useNavigate();
  const params = { org, domain: site.slug };
  const open = () => void navigate({ to: '/$org/$domain/previews/new', params });
  const button = useMainAction(
    may('editor') ? { title: 'Create preview', icon: 'plus', run: open } : undefined,
  );
  const command = (
    <div className="flex flex-col gap-2">
      <CodeBlock
        label="Copy command"
        code={`docent publish docs --site ${site.slug} --preview my-branch`}
      />
      <CommandHelp />
    </div>
  );
  const hasRows = query.data !== undefined && query.data.length > 0;
  const isShown = ({ branch, name }: Preview) =>
    `${branch} ${name}`.toLowerCase().includes(q.toLowerCase());
  const close = () => setSearch({ edit: undefined });
  const edited = query.data?.find(({ name }) => name === edit);
  const remove = ({ name, branch }: Preview) =>
    confirmAction({
      title: `Delete the preview of ${branch}`,
      text: 'Its address stops working immediately, and its deployments are deleted. Promoted deployments are kept.',
      action: 'Delete preview',
      run: () =>
        api.delete('/v1/projects/{projectId}/previews/{previewName}', {
          path: { projectId, previewName: name },
        }),
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
        columns={columnsOf(
          params,
          may('editor') ? { remove, edit: ({ name }) => setSearch({ edit: name }) } : undefined,
        )}
      />
      {may('editor') && query.data?.some(isShown) && (
        <Card
          className="mt-6"
          title="From a terminal or a pipeline"
          about="Publishes a folder as a preview."
          isPadded
        >
          {command}
        </Card>
      )}
      <Dialog
        title={edited ? `Change the preview of ${edited.branch}` : 'Change the preview'}
        isOpen={edited !== undefined && may('editor')}
        onClose={close}
      >
        {edited && (
          <EditForm key={edited.name} preview={edited} projectId={projectId} onClose={close} />
        )}
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
  actions: { remove: (preview: Preview) => void; edit: (preview: Preview) => void } | undefined,
): Column<Preview>[] {
  return [
    {
      title: 'Preview',
      cell: ({
        branch,
        name,
        url,
        deploymentId,
        hasPassword,
        membersOnly,
        createdBy,
        lastDeployment,
      }) => (
        <span className="flex flex-col gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Address
              params={params}
              preview={{
                name,
                url,
                isShown: deploymentId !== null,
                isClosed: hasPassword || membersOnly,
              }}
            />
            {hasPassword && <Badge>password</Badge>}
            {membersOnly && <Badge>members</Badge>}
          </span>
          <span className="text-s text-muted">
            {[branch, createdBy && `by ${actorName(createdBy)}`].filter(Boolean).join(' · ')}
            {lastDeployment && (
              <>
                {' · '}
                <Link
                  to="/$org/$domain/deployments/$id"
                  params={{ ...params, id: lastDeployment.id }}
                  className="text-text hover:underline"
                >
                  {deploymentTitle(lastDeployment)}
                </Link>
              </>
            )}
          </span>
        </span>
      ),
    },
    { title: 'State', isNarrow: true, cell: (row) => <Status state={stateOf(row)} /> },
    timeColumn('Expires', 'expiresAt', true),
    ...(actions
      ? [
          {
            title: '(Actions)',
            cell: (row: Preview) => (
              <span className="flex">
                <IconButton
                  icon="pencil"
                  label={`Change the preview of ${row.branch}`}
                  onClick={() => actions.edit(row)}
                />
                <IconButton
                  icon="trash"
                  label={`Delete the preview of ${row.branch}`}
                  onClick={() => actions.remove(row)}
                />
              </span>
            ),
          },
        ]
      : []),
  ];
}

interface AddressProps {
  params: { org: string; domain: string };
  preview: { name: string; url: string; isShown: boolean; isClosed: boolean };
}

/** The address of a preview as a link once there is something to see; members need no password. */
function Address({ params, preview: { name, url, isShown, isClosed } }: AddressProps) {
  const look = 'font-mono text-xs break-all';
  if (!isShown) return <span className={`${look} text-muted`}>{url}</span>;
  const link = {
    target: '_blank',
    rel: 'noreferrer',
    className: `${look} text-accent-text hover:underline`,
  };
  return isClosed ? (
    <Link
      to="/$org/$domain/previews/$name/open"
      params={{ ...params, name }}
      preload={false}
      {...link}
    >
      {url}
    </Link>
  ) : (
    <a href={url} {...link}>
      {url}
    </a>
  );
}

/** Changes who can read a preview and how long it is kept. */
function EditForm({
  preview,
  projectId,
  onClose,
}: {
  preview: Preview;
  projectId: string;
  onClose: () => void;
}) {
  const { name, branch, hasPassword, membersOnly, lifetimeDays } = preview;
  const form = useApiForm({
    values: {
      readers: membersOnly ? 'members' : hasPassword ? 'password' : 'everyone',
      password: '',
      lifetimeDays: lifetimeDays === null ? 'never' : String(lifetimeDays),
    },
    submit: (access) =>
      api.patch('/v1/projects/{projectId}/previews/{previewName}', {
        path: { projectId, previewName: name },
        body: accessOf(access),
      }),
    onDone: async () => {
      await refresh();
      notify(`The preview of ${branch} is changed`);
      onClose();
    },
  });
  return (
    <Form form={form} action="Save" secondary={<CancelButton />}>
      <AccessFields
        form={form}
        readers={form.watch('readers')}
        hasPassword={hasPassword}
        days={lifetimeDays}
      />
    </Form>
  );
}

/** Opens a preview for a member: the address with a token that lets the browser in. */
export function OpenPreviewPage() {
  const { name: previewName = '' } = useParams({ strict: false });
  return (
    <OpeningPage
      title="Opening the preview"
      request={['previews', previewName]}
      open={(projectId, path) =>
        api.get('/v1/projects/{projectId}/previews/{previewName}/open', {
          path: { projectId, previewName },
          query: { path },
        })
      }
    />
  );
}
