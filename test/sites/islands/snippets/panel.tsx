import React, { type ReactNode } from 'react';

interface PanelProps {
  title: string;
  children?: ReactNode;
}

export default function Panel({ title, children }: PanelProps) {
  const [isOpen, setIsOpen] = React.useState<boolean>(false);
  return (
    <section>
      <button onClick={() => setIsOpen(!isOpen)}>{isOpen ? 'Hide' : 'Show'} {title}</button>
      {isOpen && <div className="panel">{children}</div>}
    </section>
  );
}
