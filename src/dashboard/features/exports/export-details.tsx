import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, messageOf, type Schema } from '../../api/client.ts';
import { useOrganisation } from '../../api/current.ts';
import { AnchorButton, Button } from '../../ui/button.tsx';
import { CodeBlock, CopyField } from '../../ui/copy.tsx';
import { bytes, plural } from '../../ui/format.ts';
import { Notice, Skeleton } from '../../ui/page.tsx';
import { Progress, RelativeTime } from '../../ui/values.tsx';

export type ExportJob = Schema<'StaticExportJob'>;

export const isRunning = ({ status }: ExportJob) => status === 'queued' || status === 'running';

/** An export in detail: its progress, and once it is done, the bundle. */
export function ExportDetails({ job }: { job: ExportJob }) {
  const { may } = useOrganisation();
  const failed = job.report?.failedPages ?? [];
  return (
    <div className="flex flex-col gap-6 p-5">
      {isRunning(job) && (
        <div className="flex flex-col gap-2">
          <Progress label="Progress" percent={job.progress} />
          <p role="status" className="text-muted tabular-nums">
            {job.status === 'queued'
              ? 'Queued'
              : `${plural(job.pageCount, 'page')} of ${job.totalPages ?? '…'}, ${Math.floor(job.progress)} %`}
          </p>
        </div>
      )}
      {job.status === 'failed' && <Notice tone="danger">{job.error}</Notice>}
      {job.status === 'completed' && (
        <p>
          {plural(job.pageCount, 'page')}, finished <RelativeTime at={job.updatedAt} />
        </p>
      )}
      {job.status === 'completed' &&
        (job.bundleDeletedAt !== undefined ? (
          <Notice tone="warning">The bundle has expired. Start another export to get a new one.</Notice>
        ) : may('editor') ? (
          <Bundle jobId={job.jobId} />
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
          <h3 className="mb-2 font-semibold">{plural(failed.length, 'page')} could not be rendered</h3>
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

function Bundle({ jobId }: { jobId: string }) {
  const getLink = () => bodyOf(api.POST('/v1/static-export/jobs/{jobId}/bundle', { params: { path: { jobId } } }));
  const { data, error } = useQuery({ queryKey: ['bundle', jobId], queryFn: getLink, staleTime: 60_000, gcTime: 60_000 });
  // An old link may have expired, so each download requests a new one.
  const download = useMutation({ mutationFn: getLink, onSuccess: ({ bundleUrl }) => window.location.assign(bundleUrl) });
  if (error) return <Notice tone="danger">{messageOf(error)}</Notice>;
  if (!data) return <Skeleton />;
  const file = `${jobId}.tar.gz`;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" icon="download" isBusy={download.isPending} onClick={() => download.mutate()}>
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
      <Part title="Verify it" about="Checks every file of the archive, and the links between its pages.">
        <CodeBlock
          label="Copy command"
          code={`curl -fo ${file} '${data.bundleUrl}'\necho '${data.sha256}  ${file}' | sha256sum -c\ndocent verify ${file} --links`}
        />
      </Part>
      <Part title="Serve it with Helm" about="Each pod fetches the bundle, checks it and serves it.">
        <CodeBlock
          label="Copy command"
          code={`helm upgrade --install docs deploy/helm/docent \\\n  --namespace docs --create-namespace \\\n  --set staticExport.enabled=true \\\n  --set-string staticExport.bundleUrl='${data.bundleUrl}' \\\n  --set-string staticExport.sha256=${data.sha256}`}
        />
      </Part>
    </div>
  );
}

function Part({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="text-s font-semibold">{title}</h3>
      {about !== undefined && <p className="text-s text-muted">{about}</p>}
      <div className="mt-2">{children}</div>
    </section>
  );
}
