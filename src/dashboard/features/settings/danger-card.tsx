import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Site, sitesQuery, useOrganisation } from '../../api/current.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { notify, notifyFailure } from '../../ui/toast.tsx';

/** Deletes a site, after its identifier is typed. */
export function DangerCard({ site }: { site: Site }) {
  const { slug: org } = useOrganisation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { projectId, slug, name } = site;
  const remove = useMutation({
    mutationFn: () => api.DELETE('/v1/projects/{projectId}', { params: { path: { projectId }, query: { confirm: slug } } }),
    onSuccess: async () => {
      await navigate({ to: '/$org', params: { org } });
      await queries.invalidateQueries(sitesQuery(org));
      notify(`${name} is deleted`);
    },
    onError: (error) => notifyFailure(`${name} is not deleted`, error),
    onSettled: () => setOpen(false),
  });
  return (
    <Card title="Delete this site" className="!border-danger">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-xl text-s text-muted">
          Deployments, uploads, exports, conversations, assistant keys and hostnames are deleted with it. Readers find nothing at
          once. It cannot be undone.
        </p>
        <Button variant="danger" icon="trash" onClick={() => setOpen(true)}>
          Delete site
        </Button>
      </div>
      <ConfirmDialog
        title={`Delete ${name}`}
        action="Delete site"
        typed={slug}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Everything that belongs to {name} is permanently deleted.
      </ConfirmDialog>
    </Card>
  );
}
