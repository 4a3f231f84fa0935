import { useState } from 'react';
import { Button } from '../button.tsx';
import { TextField } from '../field.tsx';
import { onceOpened } from './once-opened.tsx';
import type { DialogProps } from './panels.tsx';

export const Dialog = onceOpened(async () => (await import('./panels.tsx')).Dialog);
export const Sheet = onceOpened(async () => (await import('./panels.tsx')).Sheet);

interface ConfirmProps extends DialogProps {
  /** Label of the button: a verb. */
  action: string;
  /** Text that the user must type first, for irreversible actions. */
  typed?: string;
  isBusy?: boolean;
  onConfirm: () => void;
}

/** Asks for confirmation of an irreversible action. */
export function ConfirmDialog({ action, typed, isBusy = false, onConfirm, children, ...dialog }: ConfirmProps) {
  const [text, setText] = useState('');
  return (
    <Dialog {...dialog}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
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
          <Button variant="danger" type="submit" isBusy={isBusy} disabled={typed !== undefined && text !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
