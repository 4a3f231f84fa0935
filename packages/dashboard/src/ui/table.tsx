import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { Loaded } from './page.tsx';
import { RelativeTime } from './values.tsx';

export interface Column<Row> {
  /** In parentheses for screen readers only. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** Aligned right, with tabular figures. */
  isNumber?: boolean;
  /** Hidden on phones. */
  isMinor?: boolean;
  /** As narrow as its content, as numbers and columns without a visible title are. */
  isNarrow?: boolean;
}

/** A column with a time, relative to now. */
export const timeColumn = <Name extends string>(
  title: string,
  name: Name,
  isMinor = false,
): Column<Record<Name, string | null>> => ({
  title,
  isMinor,
  isNarrow: true,
  cell: (row) => <RelativeTime at={row[name]} />,
});

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Opens a row; its first cell becomes the button for it. */
  onOpen?: ((row: Row) => void) | undefined;
}

/** A list of things as a table. */
export function Table<Row>({ label, columns, rows, keyOf, onOpen }: TableProps<Row>) {
  const place = ({ title, isNumber, isMinor, isNarrow }: Column<Row>) =>
    cx(
      'px-4 max-sm:px-3',
      isNumber && 'text-right tabular-nums',
      isMinor && 'max-md:hidden',
      (isNarrow || isNumber || title.startsWith('(')) && 'w-px whitespace-nowrap',
    );
  return (
    <div className="relative overflow-x-auto rounded-lg border border-line">
      <table aria-label={label} className="w-full border-collapse text-s">
        <thead>
          <tr className="border-b border-line bg-sunken text-left">
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={cx(place(column), 'h-9 text-xs font-medium text-muted')}
              >
                {column.title.startsWith('(') ? (
                  <span className="sr-only">{column.title.slice(1, -1)}</span>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-sunken">
              {columns.map((column, index) => (
                <td key={column.title} className={cx(place(column), 'h-11 py-2')}>
                  {index === 0 && onOpen ? (
                    <button
                      type="button"
                      className="block w-full text-left font-medium hover:underline"
                      onClick={() => onOpen(row)}
                    >
                      {column.cell(row)}
                    </button>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  query: {
    data: readonly Row[] | undefined;
    error: unknown;
    refetch: () => unknown;
    isPaused?: boolean;
    hasNextPage?: boolean;
    isFetchingNextPage?: boolean;
    fetchNextPage?: () => unknown;
  };
  /** Which rows to show; all of them by default. */
  isShown?: (row: Row) => boolean;
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
  /** Number of rows of the placeholder. */
  placeholderRows?: number;
}

/** A table of what a query returns, with a button for the next part of a paginated list. */
export function List<Row>({
  query,
  isShown = () => true,
  empty,
  placeholderRows = 6,
  ...table
}: ListProps<Row>) {
  return (
    <>
      <Loaded query={query} placeholder={<TableSkeleton rows={placeholderRows} />}>
        {(data) => {
          const rows = data.filter(isShown);
          return rows.length === 0 && empty !== undefined ? (
            empty
          ) : (
            <Table rows={rows} {...table} />
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button
            size="sm"
            isBusy={query.isFetchingNextPage ?? false}
            onClick={() => query.fetchNextPage?.()}
          >
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** A table in the loading state. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="overflow-hidden rounded-lg border border-line"
    >
      <div className="h-9 border-b border-line bg-sunken" />
      <div className="animate-pulse">
        {Array.from({ length: rows }, (_, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            key={index}
            className="flex h-11 items-center gap-6 border-b border-line px-4 last:border-0"
          >
            <div className="skeleton h-3.5 w-1/3" />
            <div className="skeleton h-3.5 w-1/5" />
            <div className="skeleton ml-auto h-3.5 w-16" />
          </div>
        ))}
      </div>
    </div>
  );
}
