import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { confirmAction } from './overlays/dialog.tsx';
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
  const open = () =>
    confirmAction({
      title: `Delete ${name}`,
      text: `Everything that belongs to ${name} is permanently deleted.`,
      action: `Delete ${kind}`,
      typed: identifier,
      run: remove,
      failed: `${name} could not be deleted`,
    });
  return (
    <Card title={`Delete this ${kind}`} className="!border-danger">
      <div className="flex flex-wrap items-center justify-between gap-4 p-4">
        <p className="max-w-xl text-s text-muted">{children}</p>
        <Button variant="danger" icon="trash" onClick={open}>
          Delete {kind}
        </Button>
      </div>
    </Card>
  );
}
