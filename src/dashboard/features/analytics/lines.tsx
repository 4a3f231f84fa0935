import { BarList } from '../../ui/bar-list.tsx';
import { Skeleton } from '../../ui/page.tsx';
import type { Line } from './analytics-query.ts';

/** Changes the filters of a page. */
export type OnFilter = (change: object) => void;

interface LinesProps extends Omit<Parameters<typeof BarList>[0], 'rows'> {
  rows: readonly Line[] | undefined;
  onFilter: OnFilter;
}

/** A list of a report; a click on a line filters by it, if possible. */
export function Lines({ rows, onFilter, ...list }: LinesProps) {
  if (!rows)
    return (
      <div className="p-4">
        <Skeleton lines={4} />
      </div>
    );
  if (rows.length === 0) return <p className="min-h-33 p-4 text-s text-muted">No data in this period.</p>;
  return (
    <div className="pb-2">
      <BarList
        rows={rows.map(({ filter, ...row }) => ({ ...row, ...(filter && { onOpen: () => onFilter(filter) }) }))}
        {...list}
      />
    </div>
  );
}
