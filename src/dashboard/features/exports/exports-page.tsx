import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Site, useOrganisation, useSite } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { count } from '../../ui/format.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Page } from '../../ui/page.tsx';
import { LoadMore, Table, TableSkeleton } from '../../ui/table.tsx';
import { Badge, Progress, RelativeTime, Status } from '../../ui/values.tsx';
import { ExportSheet } from './export-sheet.tsx';
import { type ExportJob, exportsQuery, isRunning, useFollowedExport } from './exports-query.ts';
import { NewExportDialog } from './new-export-dialog.tsx';

/** The exports of a site: start, follow, download, cancel. */
export function ExportsPage() {
  const { slug: org, may, plan } = useOrganisation();
  const site = useSite() as Site;
  const { job: openJob, start = false } = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useInfiniteQuery({ ...exportsQuery(org, site.slug), enabled: plan === 'enterprise' });
  const [cancelled, setCancelled] = useState<ExportJob>();
  const setSearch = (change: object) =>
    navigate({ to: '.', search: (search: object) => ({ ...search, ...change }), replace: true } as never);
  const open = () => setSearch({ start: true });
  const mayStart = may('editor') && site.published && plan === 'enterprise';
  useCommand(mayStart ? { title: 'Start export', icon: 'package', run: open } : undefined);

  const jobs = query.data?.pages.flatMap((page) => page.items);
  const button = (
    <Button variant="primary" icon="package" onClick={open}>
      Start export
    </Button>
  );
  return (
    <Page
      title="Exports"
      about="The whole site as one archive that any web server can serve, even without a network"
      action={mayStart && jobs && jobs.length > 0 ? button : undefined}
    >
      {plan !== 'enterprise' ? (
        <EmptyState icon="package" title="Exports are part of the Enterprise plan">
          The plan of this organization is {plan}. An owner can change it in the settings of the organization, if the operator of
          the server allows it.
        </EmptyState>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : !jobs ? (
        <TableSkeleton />
      ) : jobs.length === 0 ? (
        <EmptyState icon="package" title="No exports yet" action={mayStart ? button : undefined}>
          {site.published ? 'Start an export to get the site as an archive.' : 'Publish the site first; then it can be exported.'}
        </EmptyState>
      ) : (
        <>
          <Table
            label="Exports"
            rows={jobs}
            keyOf={({ jobId }) => jobId}
            onOpen={(job) => setSearch({ job: job.jobId })}
            columns={[
              { title: 'Export', cell: ({ jobId }) => <code className="font-mono text-xs">{jobId}</code> },
              { title: 'State', cell: (job) => <State job={job} org={org} domain={site.slug} /> },
              { title: 'Pages', isNumber: true, cell: ({ pageCount }) => count(pageCount) },
              { title: 'Options', isMinor: true, cell: (job) => <Options job={job} /> },
              { title: 'Started', isMinor: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
              {
                title: '(Actions)',
                isNarrow: true,
                cell: (job) =>
                  may('editor') &&
                  isRunning(job) && (
                    <Button size="sm" onClick={() => setCancelled(job)}>
                      Cancel
                    </Button>
                  ),
              },
            ]}
          />
          <LoadMore query={query} />
        </>
      )}
      <NewExportDialog
        site={site}
        isOpen={start}
        onClose={() => setSearch({ start: undefined })}
        onStarted={(jobId) => setSearch({ start: undefined, job: jobId })}
      />
      <ExportSheet job={jobs?.find(({ jobId }) => jobId === openJob)} onClose={() => setSearch({ job: undefined })} />
      <CancelDialog org={org} domain={site.slug} job={cancelled} onClose={() => setCancelled(undefined)} />
    </Page>
  );
}

function State({ job, org, domain }: { job: ExportJob; org: string; domain: string }) {
  useFollowedExport(org, domain, job);
  if (job.status === 'completed')
    return (
      <Status tone={job.bundleDeletedAt === undefined ? 'success' : 'neutral'}>
        {job.bundleDeletedAt === undefined ? 'Completed' : 'Deleted'}
      </Status>
    );
  if (job.status === 'failed')
    return <Status tone="danger">{job.error?.startsWith('cancelled') ? 'Cancelled' : 'Failed'}</Status>;
  if (job.status === 'queued') return <Status tone="neutral">Queued</Status>;
  return (
    <span className="flex w-40 flex-col gap-1.5">
      <Status tone="active">{`${Math.floor(job.progress)} %`}</Status>
      <Progress label="Progress" percent={job.progress} />
    </span>
  );
}

function Options({ job: { options } }: { job: ExportJob }) {
  const words = [options.version, options.language, options.paths && `${options.paths.length} paths`, options.basePath].filter(
    Boolean,
  );
  return words.length === 0 ? (
    <span className="text-muted">whole site</span>
  ) : (
    <span className="flex gap-1">
      {words.map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  );
}

interface CancelProps {
  org: string;
  domain: string;
  job: ExportJob | undefined;
  onClose: () => void;
}

function CancelDialog({ org, domain, job, onClose }: CancelProps) {
  const queries = useQueryClient();
  const path = { jobId: job?.jobId ?? '' };
  return (
    <ConfirmDialog
      title="Cancel the export"
      action="Cancel export"
      isOpen={job !== undefined}
      onClose={onClose}
      run={() => api.DELETE('/v1/static-export/jobs/{jobId}', { params: { path } })}
      done="Export cancelled"
      failed="The export could not be cancelled"
      refresh={() => queries.invalidateQueries(exportsQuery(org, domain))}
    >
      This discards the progress so far. You can start another export at any time.
    </ConfirmDialog>
  );
}
