import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { ApiError, messageOf } from '../api/client.ts';
import { siteQuery } from '../api/queries.ts';
import { Button, LinkButton } from './button.tsx';
import { CopyText } from './copy.tsx';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-names.ts';
import { NotLoadedError } from './on-demand.ts';

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
      <DocumentTitle title={title} />
      <header className="mb-6 flex flex-wrap items-start md:flex-nowrap justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="truncate text-title font-semibold tracking-tight">{title}</h1>
          {about !== undefined && <div className="mt-0.5 text-muted">{about}</div>}
        </div>
        <div className="empty:hidden md:shrink-0">{action}</div>
      </header>
      {children}
    </>
  );
}

/** The title of the browser's tab, which names the site: several may be open. */
function DocumentTitle({ title }: { title: string }) {
  const { org = '', domain = '' } = useParams({ strict: false });
  const { data: site } = useQuery({ ...siteQuery(org, domain), enabled: domain !== '' });
  const name = site?.name ?? domain;
  return <title>{[title, ...(name && name !== title ? [name] : []), 'Docent'].join(' · ')}</title>;
}

/** A section of a page below a heading of its own, without a frame. */
export function Section({
  title,
  className,
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section className={className}>
      <h2 className="mb-3 text-sm font-semibold">{title}</h2>
      {children}
    </section>
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

const NOTICE_ICONS = {
  warning: 'triangle-alert',
  danger: 'circle-alert',
  success: 'check',
} as const;

/** An important message: why something failed, a warning, or what has just been done. */
export function Notice({
  tone = 'neutral',
  children,
}: {
  tone?: keyof typeof NOTICE_ICONS | 'neutral';
  children: ReactNode;
}) {
  const tones = {
    neutral: 'bg-sunken text-muted',
    warning: 'bg-warning-soft text-warning',
    danger: 'bg-danger-soft text-danger',
    success: 'bg-success-soft text-success',
  };
  const role = { neutral: undefined, warning: undefined, danger: 'alert', success: 'status' }[tone];
  return (
    <div role={role} className={cx('flex gap-2 rounded-md px-3 py-2 text-s', tones[tone])}>
      {tone !== 'neutral' && <Icon name={NOTICE_ICONS[tone]} className="mt-0.5" />}
      <div className="min-w-0">{children}</div>
    </div>
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
      {action && <div className="mt-5 w-full max-w-md">{action}</div>}
    </div>
  );
}

/** The error state of a page whose data could not be loaded: what happened, and what to do. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (onRetry && error instanceof ApiError && error.status === 503)
    return <Unavailable onRetry={onRetry} />;
  return (
    <div role="alert" className="rounded-lg border border-line px-5 py-4">
      <p className="flex items-center gap-2 font-medium">
        <Icon name="circle-alert" className="text-danger" />
        This could not be loaded
      </p>
      <p className="mt-1 text-muted">{messageOf(error)}</p>
      {error instanceof ApiError && error.requestId !== null && (
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

const RETRY_MS = 5000;

/**
 * Shown while something that the server needs is away; it is not the user's concern, and passes.
 */
function Unavailable({ onRetry }: { onRetry: () => void }) {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const timer = setInterval(() => retry(), RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status" className="rounded-lg border border-line px-5 py-4">
      <p className="font-medium">The server is waiting for a service that it needs</p>
      <p className="mt-1 text-muted">
        Nothing is lost. This page tries again by itself every few seconds.
      </p>
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

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown; isPaused?: boolean };
  /** Shown while it is being loaded. */
  placeholder?: ReactNode;
  /** Where what is shown instead of the data needs a margin of its own. */
  isPadded?: boolean;
  children: (data: Data) => ReactNode;
}

/** The data of a query; a placeholder while it is being loaded, and why it could not be loaded. */
export function Loaded<Data>({
  query,
  placeholder = <Skeleton />,
  isPadded = false,
  children,
}: LoadedProps<Data>) {
  const { data, error, refetch, isPaused = false } = query;
  if (!error && data !== undefined) return children(data);
  const offline = isPaused && (
    <p className="text-muted">You are offline. This is loaded once you are connected again.</p>
  );
  const instead = error ? <ErrorState error={error} onRetry={refetch} /> : offline || placeholder;
  return isPadded ? <div className="p-4">{instead}</div> : instead;
}

/** Shown at an unknown address. */
export function NotFound() {
  return (
    <main className="mx-auto max-w-md px-6 py-24 text-center">
      <title>Page not found · Docent</title>
      <h1 className="text-title font-semibold">Page not found</h1>
      <p className="mt-1 text-muted">
        This page does not exist, or belongs to an organization of which you are not a member.
      </p>
      <LinkButton to="/" className="mt-4">
        Go to your sites
      </LinkButton>
    </main>
  );
}

/**
 * Shown in place of a page that could not be opened. One whose code is not loaded opens once there
 * is a connection.
 */
export function RouteFault({ error, reset }: { error: unknown; reset: () => void }) {
  const isOffline = error instanceof NotLoadedError;
  const retry = useEffectEvent(() => {
    if (isOffline) error.forget();
    reset();
  });
  useEffect(() => {
    if (!isOffline) return;
    const onOnline = () => retry();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [isOffline]);
  return (
    <div className="mx-auto max-w-xl px-6 py-16">
      <title>{isOffline ? 'You are offline · Docent' : 'Something went wrong · Docent'}</title>
      <ErrorState error={error} onRetry={reset} />
    </div>
  );
}
