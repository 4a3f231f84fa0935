import { useBlocker } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './overlays/dialog.tsx';

/** Asks before the page is left while a form on it has changes. Filters and what is open on the page are not its concern. */
export function UnsavedChanges({ isSaved }: { isSaved: RefObject<boolean> }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => !isSaved.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => !isSaved.current,
    withResolver: true,
  });
  return (
    <Dialog title="Leave without saving?" isOpen={status === 'blocked'} onClose={() => reset?.()}>
      <p className="text-muted">What you have changed on this page is not saved, and is lost if you leave.</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={() => proceed?.()}>Discard changes</Button>
        <Button variant="primary" onClick={() => reset?.()}>
          Keep editing
        </Button>
      </div>
    </Dialog>
  );
}
