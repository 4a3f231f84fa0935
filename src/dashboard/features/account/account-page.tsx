import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../ui/page.tsx';

const PLACES = [
  ['Profile', '/account/profile'],
  ['Security', '/account/security'],
  ['Sessions', '/account/sessions'],
] as const;

/** A page about the account of the user. */
export function AccountPage({ title, children }: { title: (typeof PLACES)[number][0]; children: ReactNode }) {
  return (
    <Page title={title} about="Your name, password and sessions. They are the same in every organization that you belong to.">
      <nav aria-label="Account" className="mb-6 flex gap-5 border-b border-line">
        {PLACES.map(([name, to]) => (
          <Link
            key={to}
            to={to}
            className="-mb-px border-b-2 border-transparent pb-2 text-s font-medium text-muted hover:text-text"
            activeProps={{ className: '!border-accent-text !text-text' }}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="flex max-w-2xl flex-col gap-6">{children}</div>
    </Page>
  );
}
