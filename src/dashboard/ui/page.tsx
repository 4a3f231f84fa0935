import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/problem.ts';
import { Button } from './button.tsx';
import { CopyText } from './copy.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';

interface PageProps {
  title: string;
  /** One sentence, or a state. */
  about?: ReactNode;
  /** The primary action. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page: title, description, actions and content. */
export function Page({ title, about, action, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Docent`}</title>
      <header className="mb-6 flex flex-wrap items-start md:flex-nowrap justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="truncate text-title font-semibold tracking-tight">{title}</h1>
          {about !== undefined && <div className="mt-0.5 text-muted">{about}</div>}
        </div>
        <div className="shrink-0 empty:hidden">{action}</div>
      </header>
      {children}
    </>
  );
}

/** A framed section of a page with its own title. */
export function Card({
  title,
  about,
  action,
  className,
  isPadded = false,
  children,
}: Partial<PageProps> & { className?: string; isPadded?: boolean }) {
  return (
    <section className={cx('rounded-lg border border-line', className)}>
      {title !== undefined && (
        <header className="flex items-center justify-between gap-4 border-b border-line px-4 py-3">
          <div>
            <h2 className="text-sm font-semibold">{title}</h2>
            {about !== undefined && <p className="text-s text-muted">{about}</p>}
          </div>
          {action}
        </header>
      )}
      {isPadded ? <div className="p-4">{children}</div> : children}
    </section>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** An empty state: what the page is for, and the primary action. */
export function EmptyState({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line-strong px-6 py-14 text-center">
      <span className="mb-4 flex size-10 items-center justify-center rounded-lg border border-line bg-sunken text-muted">
        <Icon name={icon} size={20} />
      </span>
      <h2 className="text-sm font-semibold">{title}</h2>
      <div className="mt-1 max-w-md text-muted">{children}</div>
      {action !== undefined && <div className="mt-5 w-full max-w-md">{action}</div>}
    </div>
  );
}

/** The error state of a page whose data could not be loaded: what happened, and what to do. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  return (
    <div role="alert" className="rounded-lg border border-line px-5 py-4">
      <p className="flex items-center gap-2 font-medium">
        <Icon name="circle-alert" className="text-danger" />
        This could not be loaded
      </p>
      <p className="mt-1 text-muted">{messageOf(error)}</p>
      {error instanceof ApiError && error.requestId !== undefined && (
        <p className="mt-2 text-s text-muted">
          Request <CopyText value={error.requestId} label="Copy request id" />
        </p>
      )}
      {onRetry && (
        <Button size="sm" className="mt-3" icon="refresh-cw" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Placeholder lines while loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex animate-pulse flex-col gap-3">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={index} className={cx('skeleton h-4', index % 3 === 2 ? 'w-1/2' : 'w-full')} />
      ))}
    </div>
  );
}
