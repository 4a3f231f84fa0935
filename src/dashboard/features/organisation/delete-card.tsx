import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { notifyFailure } from '../../ui/toast.tsx';

/** Deletes an organization, after its identifier is typed. */
export function DeleteCard({ organisation: { name, slug } }: { organisation: Schema<'Organisation'> }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.DELETE('/v1/organisation', { params: { query: { confirm: slug } } }),
    // Nothing of it may stay in memory, so the page is loaded anew.
    onSuccess: () => window.location.assign('/dashboard'),
    onError: (error) => {
      setOpen(false);
      notifyFailure(`${name} is not deleted`, error);
    },
  });
  return (
    <Card title="Delete this organization" className="!border-danger">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-xl text-s text-muted">
          Sites, deployments, exports, conversations, keys, memberships and the audit log are deleted with it. Accounts of people
          stay. It cannot be undone.
        </p>
        <Button variant="danger" icon="trash" onClick={() => setOpen(true)}>
          Delete organization
        </Button>
      </div>
      <ConfirmDialog
        title={`Delete ${name}`}
        action="Delete organization"
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
