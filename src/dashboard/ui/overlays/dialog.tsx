import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../button.tsx';
import { TextField } from '../field.tsx';
import { notify, notifyFailure } from './notify.ts';
import { onceOpened } from './once-opened.tsx';
import type { DialogProps } from './panels.tsx';

export const Dialog = onceOpened(async () => (await import('./panels.tsx')).Dialog);
export const Sheet = onceOpened(async () => (await import('./panels.tsx')).Sheet);

interface ConfirmProps extends DialogProps {
  /** Label of the button: a verb. */
  action: string;
  /** Text that the user must type first, for irreversible actions. */
  typed?: string;
  run: () => Promise<unknown>;
  /** Says that it was done, unless the page shows that anyway. */
  done?: string | undefined;
  /** Says that it failed; the reason is added. */
  failed: string;
  /** Refetches what has changed, also after a failure. */
  refresh?: () => Promise<unknown>;
}

/** Asks for confirmation of an irreversible action, then does it and says whether it worked. */
export function ConfirmDialog({ action, typed, run, done, failed, refresh, children, ...dialog }: ConfirmProps) {
  const [text, setText] = useState('');
  const { mutate, isPending } = useMutation({
    mutationFn: run,
    onSuccess: () => done !== undefined && notify(done),
    onError: (error) => notifyFailure(failed, error),
    onSettled: () => {
      dialog.onClose();
      return refresh?.();
    },
  });
  return (
    <Dialog {...dialog}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <div className="text-muted">{children}</div>
        {typed !== undefined && (
          <TextField
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant="danger" type="submit" isBusy={isPending} disabled={typed !== undefined && text !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
