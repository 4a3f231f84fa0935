import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './overlays/dialog.tsx';
import { Card } from './page.tsx';

/** Deletes something after the user types its identifier. `children` lists what is deleted with it. */
export function DeleteCard(props: {
  kind: 'organization' | 'site';
  name: string;
  identifier: string;
  remove: () => Promise<void>;
  children: ReactNode;
}) {
  const { kind, name, identifier, remove, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={`Delete this ${kind}`} className="!border-danger">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-xl text-s text-muted">{children}</p>
        <Button variant="danger" icon="trash" onClick={() => setOpen(true)}>
          Delete {kind}
        </Button>
      </div>
      <ConfirmDialog
        title={`Delete ${name}`}
        action={`Delete ${kind}`}
        typed={identifier}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        run={remove}
        failed={`${name} could not be deleted`}
      >
        Everything that belongs to {name} is permanently deleted.
      </ConfirmDialog>
    </Card>
  );
}
