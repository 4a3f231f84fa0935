import type { ReactNode } from 'react';
import { Button } from '../button.tsx';

/** The content of a dialog that asks whether to discard what was changed. */
export function DiscardQuestion(props: {
  children: ReactNode;
  onDiscard: () => void;
  onKeep: () => void;
}) {
  const { children, onDiscard, onKeep } = props;
  return (
    <>
      <p className="text-muted">{children}</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onDiscard}>Discard changes</Button>
        <Button variant="primary" onClick={onKeep}>
          Keep editing
        </Button>
      </div>
    </>
  );
}
