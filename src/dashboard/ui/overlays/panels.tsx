import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../button.tsx';
import { cx } from '../cx.ts';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/**
 * What is above the page, with what covers the page meanwhile. A press outside does not close it while a form in it has changes, and
 * a sign-in that is above it does not count as outside.
 */
export function Overlay({ isOpen, onClose, children }: Omit<DialogProps, 'title'>) {
  const onOpenChange = (open: boolean, { reason }: Base.Root.ChangeEventDetails) => {
    const hasChanges = document.querySelector('[role="dialog"][data-open] form[data-changed]') !== null;
    if (open || document.querySelector('dialog[open]') || (reason === 'outside-press' && hasChanges)) return;
    onClose();
  };
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="backdrop fixed inset-0 z-40" />
        {children}
      </Base.Portal>
    </Base.Root>
  );
}

/** A dialog for a short form or a confirmation. */
export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  const focus = useDialogFocus();
  return (
    <Overlay isOpen={isOpen} onClose={onClose}>
      <div className="pointer-events-none fixed inset-0 z-50 flex items-start justify-center overflow-y-auto p-4 pt-[12vh]">
        <Base.Popup {...focus} className="popup pointer-events-auto w-full max-w-lg p-5">
          <div className="mb-4 flex items-start justify-between gap-4">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Close render={<IconButton label="Close" icon="x" className="-mt-1 -mr-1" />} />
          </div>
          {children}
        </Base.Popup>
      </div>
    </Overlay>
  );
}

/** A side panel: details of a row, or the menu on phones. */
export function Sheet({ isOpen, onClose, title, side = 'right', children }: DialogProps & { side?: 'left' | 'right' }) {
  const focus = useDialogFocus();
  const place = side === 'right' ? 'sheet-right right-0 border-l w-[min(40rem,100vw)]' : 'sheet-left left-0 border-r w-72';
  return (
    <Overlay isOpen={isOpen} onClose={onClose}>
      <Base.Popup {...focus} className={cx('sheet fixed inset-y-0 z-50 flex flex-col border-line bg-surface', place)}>
        <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
          <Base.Title className="truncate text-sm font-semibold">{title}</Base.Title>
          <Base.Close render={<IconButton label="Close" icon="x" />} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      </Base.Popup>
    </Overlay>
  );
}

/**
 * Moves the focus of a dialog: to its first field when it opens, and back to what opened it when it closes, or to the content of
 * the page if that is gone.
 */
export function useDialogFocus() {
  const ref = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  return {
    ref,
    initialFocus: (type: string) => {
      opener.current = document.activeElement;
      // A field would open the keyboard of a phone.
      return type === 'touch' || (ref.current?.querySelector<HTMLElement>('input, select, textarea') ?? true);
    },
    finalFocus: () => {
      // A dialog that opens in its place takes the focus.
      if (document.querySelector('[role="dialog"][data-open]')) return false;
      const before = opener.current;
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body && before.id !== 'content';
      if (isThere && !before.closest('[data-closed]')) return before;
      // Base UI would focus the first field in the content, which takes the letters that are shortcuts.
      queueMicrotask(() => document.getElementById('content')?.focus({ preventScroll: true }));
      return false;
    },
  };
}
