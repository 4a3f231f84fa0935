import { cx } from './cx.ts';
import { count } from './format.ts';

export interface Bar {
  name: string;
  title?: string | undefined;
  detail?: string | undefined;
  value: number;
  onOpen?: (() => void) | undefined;
}

interface BarListProps {
  label: string;
  /** Labels of the names and of the counts. */
  head: [name: string, value: string];
  rows: readonly Bar[];
  isCode?: boolean;
}

/** Names with their numbers, highest first; a bar behind each shows its share of the highest. */
export function BarList({ label, head, rows, isCode = false }: BarListProps) {
  const top = Math.max(...rows.map(({ value }) => value), 1);
  return (
    <table aria-label={label} className="w-full table-fixed border-collapse text-s">
      <thead>
        <tr className="text-left text-xs text-muted">
          <th scope="col" className="h-8 px-4 font-medium">
            {head[0]}
          </th>
          <th scope="col" className="w-28 px-4 text-right font-medium">
            {head[1]}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, title = name, detail, value, onOpen }) => (
          <tr key={name}>
            <td className="relative h-9 px-4">
              <svg aria-hidden="true" className="absolute inset-x-2 inset-y-0.5 h-8 w-[calc(100%-1rem)]">
                <rect width={`${(value / top) * 100}%`} height="100%" rx="4" className="fill-accent-soft" />
              </svg>
              <span className="relative flex min-w-0 items-baseline gap-2">
                {onOpen ? (
                  <button
                    type="button"
                    title={title}
                    // Two rows may differ in the detail alone.
                    aria-label={detail ? `${title}, ${detail}` : undefined}
                    className={cx('min-w-0 truncate text-left hover:underline', isCode && 'font-mono text-xs')}
                    onClick={onOpen}
                  >
                    {title}
                  </button>
                ) : (
                  <span title={title} className={cx('min-w-0 truncate', isCode && 'font-mono text-xs')}>
                    {title}
                  </span>
                )}
                {detail && <span className="shrink-0 truncate text-xs text-muted">{detail}</span>}
              </span>
            </td>
            <td className="px-4 text-right tabular-nums">{count(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
