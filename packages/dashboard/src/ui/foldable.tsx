import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** A row that opens to show more. */
export function Foldable(props: {
  title: ReactNode;
  amount?: string;
  isOpen?: boolean;
  children: ReactNode;
}) {
  const { title, amount, isOpen = false, children } = props;
  return (
    <details open={isOpen} className="group">
      <summary className="flex cursor-pointer items-center gap-3 px-4 py-3 text-s hover:bg-sunken">
        <Icon
          name="chevron-right"
          size={14}
          className="text-muted transition-transform group-open:rotate-90"
        />
        {title}
        {amount !== undefined && <span className="text-muted tabular-nums">{amount}</span>}
      </summary>
      {children}
    </details>
  );
}
