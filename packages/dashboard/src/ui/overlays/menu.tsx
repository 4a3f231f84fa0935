import {
  cloneElement,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  startTransition,
  useState,
} from 'react';

const parts = () => import('./menu-parts.tsx');
const OpenedMenu = lazy(async () => ({ default: (await parts()).OpenedMenu }));
export const MenuItem = lazy(async () => ({ default: (await parts()).MenuItem }));
export const MenuSeparator = lazy(async () => ({ default: (await parts()).MenuSeparator }));

interface MenuProps {
  trigger: ReactElement<React.ButtonHTMLAttributes<HTMLButtonElement>>;
  align?: 'start' | 'end';
  onOpen?: () => void;
  children: ReactNode;
}

/**
 * A menu that opens from `trigger`, a button; its code is loaded when the pointer or the focus
 * comes near.
 */
export function Menu({ trigger, align = 'end', onOpen, children }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'key' | 'pointer'>();
  const open = (by: 'key' | 'pointer') => {
    onOpen?.();
    // The button stays until the menu is there.
    startTransition(() => setOpenedBy(by));
  };
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: parts,
    onFocus: parts,
    // A key clicks without a pointer, so that nothing counts its clicks.
    onClick: ({ detail }: MouseEvent) => open(detail === 0 ? 'key' : 'pointer'),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      open('key');
    },
  });
  if (!openedBy) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu trigger={trigger} isByKey={openedBy === 'key'} align={align} onOpen={onOpen}>
        {children}
      </OpenedMenu>
    </Suspense>
  );
}
