import { Menu as Base } from '@base-ui/react/menu';
import { cloneElement, type FocusEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../icon.tsx';
import type { IconName } from '../icon-names.ts';

interface MenuProps {
  trigger: ReactElement<React.ButtonHTMLAttributes<HTMLButtonElement>>;
  /** Whether a key opened it: then its first item gets the focus. */
  isByKey: boolean;
  align: 'start' | 'end';
  onOpen: (() => void) | undefined;
  children: ReactNode;
}

/** A menu that is open when it appears. */
export function OpenedMenu({ trigger, isByKey, align, onOpen, children }: MenuProps) {
  const isFirst = useRef(true);
  const focusFirstItem = ({ target, currentTarget }: FocusEvent) => {
    if (!isFirst.current || target !== currentTarget) return;
    isFirst.current = false;
    if (isByKey)
      currentTarget
        .querySelector<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])')
        ?.focus();
  };
  return (
    <Base.Root defaultOpen onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      {/* It replaces the button that had the focus, and gets it back when the menu closes. */}
      <Base.Trigger render={cloneElement(trigger, { autoFocus: true })} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50">
          <Base.Popup
            onFocus={focusFirstItem}
            className="popup max-h-96 min-w-48 overflow-y-auto p-1"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  icon?: IconName;
  onSelect: () => void;
  isDanger?: boolean;
  isCurrent?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** An entry of a menu. */
export function MenuItem({
  icon,
  onSelect,
  isDanger = false,
  isCurrent = false,
  disabled = false,
  children,
}: ItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabled}
      className={cx(
        'flex cursor-pointer items-center gap-2 rounded px-2 py-1.5 text-s outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover',
        isDanger ? 'text-danger' : 'text-text',
      )}
    >
      {icon && <Icon name={icon} size={15} className={isDanger ? undefined : 'text-muted'} />}
      <span className="flex-1 truncate">{children}</span>
      {isCurrent && <Icon name="check" size={14} className="text-accent-text" />}
    </Base.Item>
  );
}

/** A line between groups of a menu. */
export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}
