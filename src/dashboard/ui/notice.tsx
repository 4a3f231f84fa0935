import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

/** An important message: why something failed, or a warning. */
export function Notice({ tone = 'neutral', children }: { tone?: 'neutral' | 'warning' | 'danger'; children: ReactNode }) {
  const tones = {
    neutral: 'bg-sunken text-muted',
    warning: 'bg-warning-soft text-warning',
    danger: 'bg-danger-soft text-danger',
  };
  return (
    <div role={tone === 'danger' ? 'alert' : undefined} className={cx('flex gap-2 rounded-md px-3 py-2 text-s', tones[tone])}>
      {tone !== 'neutral' && <Icon name={tone === 'danger' ? 'circle-alert' : 'triangle-alert'} className="mt-0.5" />}
      <div className="min-w-0">{children}</div>
    </div>
  );
}
