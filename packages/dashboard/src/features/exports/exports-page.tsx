import { DEPENDENCIES } from '@docent/format/dependencies.ts';
import { actorName } from '@docent/format/deployments/deployment-title.ts';
import { queueWords } from '@docent/format/deployments/queue-words.ts';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, messageOf, type Schema } from '../../api/client.ts';
import { pagedQuery, useOrganization, useSite } from '../../api/queries.ts';
import { AnchorButton, Button, IconButton, useMainAction } from '../../ui/button.tsx';
import { CodeBlock, CopyField, CopyText } from '../../ui/copy.tsx';
import { useSetSearch } from '../../ui/filters.tsx';
import { bytes, count, dayOf, plural } from '../../ui/format.ts';
import { confirmAction, Dialog, Sheet } from '../../ui/overlays/dialog.tsx';
import { EmptyState, Notice, Page, Skeleton } from '../../ui/page.tsx';
import { List } from '../../ui/table.tsx';
import { Progress, RelativeTime, Status } from '../../ui/values.tsx';
import { NewExportForm } from './new-export-form.tsx';

type ExportJob = Schema<'StaticExportJob'>;

const POLL_MS = 1000;

const isRunning = ({ status }: ExportJob) => status === 'queued' || status === 'running';

/** The exports of a site: start, follow, download, cancel. */
export function ExportsPage() {
  const { may, plan } = useOrganization();
  const site = useSite();
  const { slug: domain } = site;
  const { job: openJob, start = false } = useSearch({ strict: false });
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['exports', domain],
      { domain, limit: 25 },
      (query) => api.get('/v1/static-export/jobs', { query }),
      (parts) => parts.flatMap(({ items }) => items),
    ),
    enabled: plan === 'enterprise',
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isRunning)) && POLL_MS,
  });
  const setSearch = useSetSearch();
  const open = () => setSearch({ start: true });
  const mayStart = may('editor') && site.published && plan === 'enterprise';
  const button = useMainAction(
    mayStart ? { title: 'Start export', icon: 'package', run: open } : undefined,
  );

  const jobs = query.data;
  const opened = jobs?.find(({ jobId }) => jobId === openJob);
  const cancel = ({ jobId }: ExportJob) =>
    confirmAction({
      title: 'Cancel the export',
      text: 'This discards the progress so far. You can start another export at any time.',
      action: 'Cancel export',
      run: () => api.delete('/v1/static-export/jobs/{jobId}', { path: { jobId } }),
      done: 'Export canceled',
      failed: 'The export could not be canceled',
    });
  return (
    <Page
      title="Exports"
      about="The whole site as one archive that any web server can serve, even without a network"
      action={jobs && jobs.length > 0 && button}
    >
      {plan !== 'enterprise' ? (
        <EmptyState icon="package" title="Exports are part of the Enterprise plan">
          The plan of this organization is {plan}. An owner can change it in the settings of the
          organization, if the operator of the server allows it.
        </EmptyState>
      ) : (
        <List
          label="Exports"
          query={query}
          empty={
            <EmptyState icon="package" title="No exports yet" action={button}>
              {site.published
                ? 'Start an export to get the site as an archive.'
                : 'Publish the site first; then it can be exported.'}
            </EmptyState>
          }
          keyOf={({ jobId }) => jobId}
          onOpen={({ jobId }) => setSearch({ job: jobId })}
          columns={[
            { title: 'Export', cell: (job) => <span className="line-clamp-2">{nameOf(job)}</span> },
            { title: 'State', cell: (job) => <State job={job} /> },
            { title: 'Pages', isNumber: true, cell: ({ pageCount }) => count(pageCount) },
            {
              title: 'Started',
              isMinor: true,
              cell: ({ createdAt, createdBy }) => (
                <>
                  <RelativeTime at={createdAt} />
                  {createdBy && <span className="text-muted"> by {actorName(createdBy)}</span>}
                </>
              ),
            },
            {
              title: '(Actions)',
              cell: (job) =>
                may('editor') &&
                isRunning(job) && (
                  <Button size="sm" onClick={() => cancel(job)}>
                    Cancel
                  </Button>
                ),
            },
          ]}
        />
      )}
      <Dialog title="Start export" isOpen={start} onClose={() => setSearch({ start: undefined })}>
        <NewExportForm
          site={site}
          onStarted={(jobId) => setSearch({ start: undefined, job: jobId })}
        />
      </Dialog>
      <Sheet
        title={opened ? nameOf(opened) : 'Export'}
        isOpen={opened !== undefined}
        onClose={() => setSearch({ job: undefined })}
      >
        {opened && <ExportDetails job={opened} />}
      </Sheet>
    </Page>
  );
}

function State({ job }: { job: ExportJob }) {
  if (job.status === 'completed')
    return (
      <Status
        state={
          job.bundleDeletedAt === undefined ? ['Completed', 'success'] : ['Deleted', 'neutral']
        }
      />
    );
  if (job.endReason !== null) return <Status state={['Canceled', 'neutral']} />;
  if (job.status === 'failed') return <Status state={['Failed', 'danger']} />;
  if (job.waitingFor !== null)
    return <Status state={[`Waiting for ${DEPENDENCIES[job.waitingFor]}`, 'neutral']} />;
  if (job.status === 'queued')
    return <Status state={[queueWords('Queued', job.queuePosition), 'neutral']} />;
  return (
    <span className="flex w-40 flex-col gap-1.5">
      <Status state={[`${Math.floor(job.progress)} %`, 'active']} />
      <Progress label="Progress" percent={job.progress} />
    </span>
  );
}

/** What an export contains, and its day: `Version v2, in fr, for /docs, Nov 21`. */
function nameOf({ options, createdAt }: ExportJob): string {
  const { version, language, paths, basePath } = options;
  const parts = [
    version && `version ${version}`,
    language && `in ${language}`,
    paths && plural(paths.length, 'page'),
    basePath && `for ${basePath}`,
  ].filter(Boolean);
  const isWhole = !version && !language && !paths;
  const words = [...(isWhole ? ['whole site'] : []), ...parts, dayOf(new Date(createdAt))].join(
    ', ',
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An export in detail: its progress, and once it is done, the bundle. */
function ExportDetails({ job }: { job: ExportJob }) {
  const { may } = useOrganization();
  const failed = job.report?.failedPages ?? [];
  return (
    <div className="flex flex-col gap-6 p-5">
      <p className="text-s text-muted">
        Started <RelativeTime at={job.createdAt} /> ·{' '}
        <CopyText value={job.jobId} label="Copy export id" />
      </p>
      {isRunning(job) && (
        <div className="flex flex-col gap-2">
          <Progress label="Progress" percent={job.progress} />
          <p role="status" className="text-muted tabular-nums">
            {job.waitingFor !== null
              ? `Waiting for ${DEPENDENCIES[job.waitingFor]}. The export goes on by itself.`
              : job.status === 'queued'
                ? queueWords('Queued', job.queuePosition)
                : `${count(job.pageCount)} of ${job.totalPages === null ? '…' : plural(job.totalPages, 'page')}, ${Math.floor(job.progress)} %`}
          </p>
        </div>
      )}
      {job.status === 'failed' && (
        <Notice tone="danger">
          {job.error}
          {job.requestId !== null && (
            <span className="block">
              Request <CopyText value={job.requestId} label="Copy request id" />
            </span>
          )}
        </Notice>
      )}
      {job.status === 'completed' && (
        <p>
          {plural(job.pageCount, 'page')}, finished <RelativeTime at={job.updatedAt} />
        </p>
      )}
      {job.status === 'completed' &&
        (job.bundleDeletedAt !== undefined ? (
          <Notice tone="warning">
            The bundle was deleted, or has expired. Start another export to get a new one.
          </Notice>
        ) : may('editor') ? (
          <Bundle jobId={job.jobId} form={job.options.archive ?? 'tar.gz'} />
        ) : (
          <Notice>Editors can download the bundle.</Notice>
        ))}
      {job.report?.notes?.map((note) => (
        <p key={note} className="text-s text-muted">
          {note}
        </p>
      ))}
      {failed.length > 0 && (
        <section>
          <h3 className="mb-2 font-semibold">
            {plural(failed.length, 'page')} could not be rendered
          </h3>
          <ul className="flex flex-col gap-2 text-s">
            {failed.slice(0, 100).map(({ path, reason }) => (
              <li key={path}>
                <code className="font-mono text-xs">{path}</code>
                <div className="text-muted">{reason}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Bundle({ jobId, form }: { jobId: string; form: string }) {
  const getLink = () => api.post('/v1/static-export/jobs/{jobId}/bundle', { path: { jobId } });
  const [isDeleted, setDeleted] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['bundle', jobId],
    queryFn: getLink,
    // A bundle that is being deleted has no link.
    enabled: !isDeleted,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  // An old link may have expired, so each download requests a new one.
  const download = useMutation({
    mutationFn: getLink,
    onSuccess: ({ bundleUrl }) => window.location.assign(bundleUrl),
  });
  const remove = () =>
    confirmAction({
      title: 'Delete the bundle',
      text: 'The archive is deleted, and all links to it end at once. The export stays in the list. This cannot be undone.',
      action: 'Delete bundle',
      run: async () => {
        setDeleted(true);
        await api
          .delete('/v1/static-export/jobs/{jobId}/bundle', { path: { jobId } })
          .catch((failure: unknown) => {
            setDeleted(false);
            throw failure;
          });
      },
      done: 'Bundle deleted',
      failed: 'The bundle could not be deleted',
    });
  if (error) return <Notice tone="danger">{messageOf(error)}</Notice>;
  if (!data) return <Skeleton />;
  const file = `${jobId}.${form}`;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          icon="download"
          isBusy={download.isPending}
          onClick={() => download.mutate()}
        >
          Download
        </Button>
        <span className="text-muted tabular-nums">{bytes(data.sizeBytes)}</span>
        {data.signature !== undefined && (
          <AnchorButton
            variant="ghost"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(data.signature)}`}
            download={`${file}.minisig`}
            icon="shield-check"
          >
            Signature
          </AnchorButton>
        )}
        <IconButton label="Delete bundle" icon="trash" onClick={remove} />
      </div>
      <Part title="SHA-256">
        <CopyField value={data.sha256} label="SHA-256" />
      </Part>
      <Part
        title="Link"
        about={
          <>
            Works without a key; expires <RelativeTime at={data.expiresAt} />.
          </>
        }
      >
        <CopyField value={data.bundleUrl} label="Link" />
      </Part>
      <Part
        title="Verify it"
        about="Checks every file of the archive, and the links between its pages."
      >
        <CodeBlock
          label="Copy command"
          code={`curl -fo ${file} '${data.bundleUrl}'\necho '${data.sha256}  ${file}' | sha256sum -c\ndocent verify ${file} --links`}
        />
      </Part>
      <Part
        title="Serve it with Helm"
        about="Each pod fetches the bundle, checks it and serves it."
      >
        <CodeBlock
          label="Copy command"
          code={`helm upgrade --install docs deploy/helm/docent \\\n  --namespace docs --create-namespace \\\n  --set staticExport.enabled=true \\\n  --set-string staticExport.bundleUrl='${data.bundleUrl}' \\\n  --set-string staticExport.sha256=${data.sha256}`}
        />
      </Part>
    </div>
  );
}

function Part({
  title,
  about,
  children,
}: {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0">
      <h3 className="text-s font-semibold">{title}</h3>
      {about !== undefined && <p className="text-s text-muted">{about}</p>}
      <div className="mt-2">{children}</div>
    </section>
  );
}
