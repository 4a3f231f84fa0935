import {
  cloneElement,
  type KeyboardEvent,
  lazy,
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

/** A menu that opens from `trigger`, a button; its code is loaded when the pointer or the focus comes near. */
export function Menu({ trigger, align = 'end', onOpen, children }: MenuProps) {
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    onOpen?.();
    // The button stays until the menu is there.
    startTransition(() => setOpened(true));
  };
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: parts,
    onFocus: parts,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      open();
    },
  });
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu trigger={trigger} align={align} onOpen={onOpen}>
        {children}
      </OpenedMenu>
    </Suspense>
  );
}
