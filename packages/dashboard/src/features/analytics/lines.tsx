import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { count } from '../../ui/format.ts';
import { Skeleton } from '../../ui/page.tsx';

interface FigureProps {
  title: string;
  /** `undefined` while it is being loaded. */
  value: string | undefined;
  /** Since the period before, with its sign. */
  change?: string | undefined;
  about?: ReactNode;
}

/** The main figures of a page, side by side. */
export function Figures({
  figures,
  className,
}: {
  figures: readonly FigureProps[];
  className: string;
}) {
  return (
    <dl
      className={cx('grid gap-px overflow-hidden rounded-lg border border-line bg-line', className)}
    >
      {figures.map(({ title, value, change, about }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their places are fixed
        <div key={index} className="bg-surface p-4">
          <dt className="text-s text-muted">{title}</dt>
          <dd className="mt-1">
            {value === undefined ? (
              <span className="skeleton animate-pulse block h-7 w-16" />
            ) : (
              <span className="flex flex-wrap items-baseline gap-x-2">
                <span className="text-title font-semibold tabular-nums">{value}</span>
                {change !== undefined && (
                  <span
                    className="text-xs whitespace-nowrap text-muted tabular-nums"
                    title="Compared with the period before"
                  >
                    {change}
                    <span className="sr-only"> on the period before</span>
                  </span>
                )}
              </span>
            )}
            {about !== undefined && <span className="block text-xs text-muted">{about}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A row of a list. */
export interface Line {
  name: string;
  title?: string | undefined;
  detail?: string | undefined;
  value: number;
  /** What a click on it filters by: a change of the query string of the URL. */
  filter?: object;
}

/** Changes the filters of a page. */
export type OnFilter = (change: object) => void;

interface LinesProps {
  label: string;
  /** Labels of the names and of the counts. */
  head: [name: string, value: string];
  rows: readonly Line[] | undefined;
  isCode?: boolean;
  onFilter: OnFilter;
}

/** What the numbers of a list are, at the end of its title. */
export function Unit({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="text-xs text-muted">
      {children}
    </span>
  );
}

/**
 * A list of a report: names with their numbers, highest first; a bar behind each shows its share of
 * the highest.
 */
export function Lines({ label, head, rows, isCode = false, onFilter }: LinesProps) {
  if (!rows)
    return (
      <div className="p-4">
        <Skeleton lines={4} />
      </div>
    );
  if (rows.length === 0)
    return <p className="min-h-33 p-4 text-s text-muted">No data in this period.</p>;
  // The API orders pages by readers and AI together.
  const ordered = rows.toSorted((row, other) => other.value - row.value);
  const top = Math.max(ordered[0]?.value ?? 0, 1);
  return (
    <table aria-label={label} className="my-1 w-full table-fixed border-collapse text-s">
      <colgroup>
        <col />
        <col className="w-24" />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">{head[0]}</th>
          <th scope="col">{head[1]}</th>
        </tr>
      </thead>
      <tbody>
        {ordered.map(({ name, title = name, detail, value, filter }) => (
          <tr key={name}>
            <td className="relative h-7 overflow-hidden px-4">
              <svg
                aria-hidden="true"
                className="absolute inset-x-2 inset-y-0.5 h-6 w-[calc(100%-1rem)]"
              >
                <rect
                  width={`${(value / top) * 100}%`}
                  height="100%"
                  rx="4"
                  className="fill-accent-soft"
                />
              </svg>
              <span className="relative flex min-w-0 items-baseline gap-2">
                {filter ? (
                  <button
                    type="button"
                    title={title}
                    // Two rows may differ in the detail alone.
                    aria-label={detail ? `${title}, ${detail}` : undefined}
                    className={cx(
                      'min-w-0 truncate text-left hover:underline',
                      isCode && 'font-mono text-xs',
                    )}
                    onClick={() => onFilter(filter)}
                  >
                    {title}
                  </button>
                ) : (
                  <span
                    title={title}
                    className={cx('min-w-0 truncate', isCode && 'font-mono text-xs')}
                  >
                    {title}
                  </span>
                )}
                {detail && (
                  <span className="min-w-0 max-w-1/2 shrink-[2] truncate text-xs text-muted">
                    {detail}
                  </span>
                )}
              </span>
            </td>
            <td className="px-4 text-right tabular-nums">{count(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
