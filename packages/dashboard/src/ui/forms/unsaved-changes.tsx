import { useBlocker } from '@tanstack/react-router';
import { type RefObject, use, useEffect } from 'react';
import { AroundContext } from '../overlays/around.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { DiscardQuestion } from '../overlays/discard-question.tsx';

/**
 * Asks before the page is left while a form on it has changes. Filters and what is open on the page
 * are not its concern, unless the form is in a dialog that Back would close; the dialog itself asks
 * before it is closed.
 */
export function UnsavedChanges({ isSaved }: { isSaved: RefObject<boolean> }) {
  const dialog = use(AroundContext)?.hasChanges;
  useEffect(() => {
    if (dialog === undefined) return;
    dialog.current = true;
    return () => {
      dialog.current = false;
    };
  }, [dialog]);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (isSaved.current || dialog?.current === false) return false;
      return current.pathname !== next.pathname || dialog !== undefined;
    },
    enableBeforeUnload: () => !isSaved.current,
    withResolver: true,
  });
  const keep = () => reset?.();
  return (
    <Dialog title="Leave without saving?" isOpen={status === 'blocked'} onClose={keep}>
      <DiscardQuestion onDiscard={() => proceed?.()} onKeep={keep}>
        What you have changed on this page is not saved, and is lost if you leave.
      </DiscardQuestion>
    </Dialog>
  );
}
