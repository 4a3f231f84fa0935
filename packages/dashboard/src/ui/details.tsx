import { type ReactNode, useState } from 'react';

/** Something that is made and loaded once somebody opens it, below a line that says what it is. */
export function Details({ summary, children }: { summary: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="text-s" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-xs text-muted hover:text-text">
        {summary}
      </summary>
      {isOpen && (
        <div className="mt-2 flex flex-col gap-3 rounded-md border border-line p-3">{children}</div>
      )}
    </details>
  );
}
