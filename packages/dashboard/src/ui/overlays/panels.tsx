import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef, useState } from 'react';
import { IconButton } from '../button.tsx';
import { cx } from '../cx.ts';
import { AroundContext } from './around.tsx';
import { DiscardQuestion } from './discard-question.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/**
 * What is above the page, with what covers the page meanwhile. It asks before it is closed while a
 * form in it has changes. A sign-in that is above it does not count as outside.
 */
export function Overlay({ isOpen, onClose, children }: Omit<DialogProps, 'title'>) {
  const hasChanges = useRef(false);
  const [isAsking, setAsking] = useState<boolean>();
  const close = () => {
    if (hasChanges.current) setAsking(true);
    else onClose();
  };
  const keep = () => setAsking(false);
  const discard = () => {
    hasChanges.current = false;
    keep();
    onClose();
  };
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && !document.querySelector('dialog[open]') && close()}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop fixed inset-0 z-40" />
        <AroundContext value={{ hasChanges, close }}>{children}</AroundContext>
      </Base.Portal>
      {isAsking !== undefined && (
        <Dialog title="Close without saving?" isOpen={isAsking} onClose={keep}>
          <DiscardQuestion onDiscard={discard} onKeep={keep}>
            What you have typed here is not saved, and is lost if you close this.
          </DiscardQuestion>
        </Dialog>
      )}
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
export function Sheet({
  isOpen,
  onClose,
  title,
  side = 'right',
  children,
}: DialogProps & { side?: 'left' | 'right' }) {
  const focus = useDialogFocus();
  const place =
    side === 'right'
      ? 'sheet-right right-0 border-l w-[min(40rem,100vw)]'
      : 'sheet-left left-0 border-r w-72';
  return (
    <Overlay isOpen={isOpen} onClose={onClose}>
      <Base.Popup
        {...focus}
        className={cx('sheet fixed inset-y-0 z-50 flex flex-col border-line bg-surface', place)}
      >
        <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
          <Base.Title className="truncate text-sm font-semibold">{title}</Base.Title>
          <Base.Close render={<IconButton label="Close" icon="x" />} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      </Base.Popup>
    </Overlay>
  );
}

const OPEN_DIALOG = '[role="dialog"][data-open]';

/**
 * Moves the focus of a dialog: to its first field when it opens, and back to what opened it when it
 * closes, or to the content of the page if that is gone.
 */
export function useDialogFocus() {
  const ref = useRef<HTMLDivElement>(null);
  const opener = useRef<Element>(null);
  return {
    ref,
    initialFocus: (type: string) => {
      const { activeElement, body } = document;
      // A press outside a dialog takes the focus from it.
      const around = [...document.querySelectorAll(OPEN_DIALOG)].find(
        (dialog) => dialog !== ref.current,
      );
      opener.current = (activeElement === body && around) || activeElement;
      // A field would open the keyboard of a phone.
      return (
        type === 'touch' ||
        (ref.current?.querySelector<HTMLElement>('input, select, textarea') ?? true)
      );
    },
    finalFocus: () => {
      const before = opener.current;
      // A dialog that opens in its place takes the focus; one that stays open around its opener
      // gives it back.
      if (document.querySelector(OPEN_DIALOG) && !before?.closest(OPEN_DIALOG)) return false;
      const isThere =
        before instanceof HTMLElement &&
        before.isConnected &&
        before !== document.body &&
        before.id !== 'content';
      if (isThere && !before.closest('[data-closed]')) return before;
      // Base UI would focus the first field in the content, which takes the letters that are
      // shortcuts.
      queueMicrotask(() => document.getElementById('content')?.focus({ preventScroll: true }));
      return false;
    },
  };
}
