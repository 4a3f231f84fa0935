import { Fragment, type ReactNode, useState, useSyncExternalStore } from 'react';
import { pictureOf } from '../api/early-answer.ts';
import { cx } from './cx.ts';
import { exactTime, plural, relativeTime } from './format.ts';

const EVERY_MS = 30_000;
let now = new Date();

function onTick(changed: () => void): () => void {
  const timer = setInterval(() => {
    now = new Date();
    changed();
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** A relative time; the exact time on hover. */
export function RelativeTime({ at }: { at: string | null }) {
  const current = useSyncExternalStore(onTick, () => now);
  if (at === null) return <span className="text-muted">never</span>;
  const date = new Date(at);
  const baseTime = Math.abs(date.getTime() - Date.now()) < EVERY_MS ? new Date() : current;
  return (
    <time dateTime={at} title={exactTime(date)}>
      {relativeTime(date, baseTime)}
    </time>
  );
}

const TONES = {
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
  neutral: 'bg-muted',
  active: 'bg-accent-text animate-pulse',
} as const;

export type State = readonly [word: string, tone: keyof typeof TONES];

/** A state: a dot and a word. */
export function Status({ state: [word, tone] }: { state: State }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', TONES[tone])} />
      {word}
    </span>
  );
}

/** Facts by their names. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="grid items-center gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {Object.entries(facts).map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A label that classifies: a scope, a kind, a count. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  tone?: 'neutral' | 'warning' | 'danger' | 'accent';
  children: ReactNode;
}) {
  const tones = {
    neutral: 'bg-hover text-muted',
    warning: 'bg-warning-soft text-warning',
    danger: 'bg-danger-soft text-danger',
    accent: 'bg-accent-soft text-accent-text',
  };
  return (
    <span
      className={cx(
        'inline-flex rounded px-1.5 text-xs leading-5 font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

/** Progress in percent. */
export function Progress({ label, percent }: { label: string; percent: number }) {
  return (
    <svg
      className="h-1.5 w-full"
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <rect width="100%" height="6" rx="3" className="fill-hover" />
      <rect width={`${Math.min(percent, 100)}%`} height="6" rx="3" className="fill-accent-text" />
    </svg>
  );
}

interface Pictured {
  slug: string;
  name?: string;
  live: object | null;
}

/**
 * The preview image that links to a site have elsewhere, which the platform serves itself.
 * @param isFirst whether it is seen when the page opens, so that it is loaded before others
 */
export function SitePicture({ site, isFirst = true }: { site: Pictured; isFirst?: boolean }) {
  const [isMissing, setMissing] = useState(site.live === null);
  return (
    <div className="flex aspect-[1200/630] min-h-full max-w-full items-center justify-center bg-sunken text-muted">
      {isMissing ? (
        <span
          aria-hidden="true"
          className="flex size-12 items-center justify-center rounded-lg bg-hover text-title font-semibold"
        >
          {(site.name ?? site.slug).trim().charAt(0).toUpperCase()}
        </span>
      ) : (
        <img
          src={pictureOf(site.slug)}
          alt=""
          width={800}
          height={420}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          onError={() => setMissing(true)}
          className="size-full object-cover"
        />
      )}
    </div>
  );
}

const STATES: Record<'empty' | 'live' | 'publishing' | 'failing', State> = {
  empty: ['Not published', 'neutral'],
  live: ['Live', 'success'],
  publishing: ['Publishing', 'active'],
  failing: ['Last publish failed', 'danger'],
};

/** Shows the state of a site. */
export function SiteState({
  site: { state, live },
}: {
  site: { state: keyof typeof STATES; live: { errors: number } | null };
}) {
  const errors = live?.errors ?? 0;
  return (
    <Status
      state={
        state === 'live' && errors > 0
          ? [`Live, ${plural(errors, 'error')}`, 'warning']
          : STATES[state]
      }
    />
  );
}
