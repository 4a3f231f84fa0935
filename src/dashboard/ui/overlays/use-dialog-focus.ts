import { useRef } from 'react';

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
