import type { ReactNode } from 'react';
import { Logo } from '../../ui/icon.tsx';

/** The frame of the signed-out pages. */
export function SignedOut({
  title,
  about,
  children,
}: {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main className="flex min-h-dvh justify-center bg-sunken px-4 py-[10vh]">
      <title>{`${title} · Docent`}</title>
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2.5">
          <Logo size={28} />
          <span className="text-base font-semibold">Docent</span>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6">
          <h1 className="text-title font-semibold tracking-tight">{title}</h1>
          {about !== undefined && <div className="mt-1 text-muted">{about}</div>}
          <div className="mt-5">{children}</div>
        </div>
      </div>
    </main>
  );
}
