import type { ComponentProps, ReactNode } from 'react';
import { Loaded } from './page.tsx';
import { type Column, Table } from './table.tsx';
import { RelativeTime, type State, Status } from './values.tsx';

/** How often a list of deliveries looks for new ones. */
export const DELIVERIES_POLL_MS = 5000;

interface DeliveriesProps<Row> {
  query: ComponentProps<typeof Loaded<Row[]>>['query'];
  eventOf: (row: Row) => ReactNode;
  /** Below the event. */
  detailsOf: (row: Row) => string | null;
  stateOf: (row: Row) => State;
  timeOf: (row: Row) => string;
  more?: Column<Row>[];
}

/** What a webhook sent or received in the last 30 days, with what became of it. */
export function Deliveries<Row extends { id: string }>(props: DeliveriesProps<Row>) {
  const { query, eventOf, detailsOf, stateOf, timeOf, more = [] } = props;
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <p className="text-s text-muted">Nothing was sent in the last 30 days.</p>
        ) : (
          <Table
            label="Deliveries"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Event',
                cell: (row) => (
                  <span className="flex flex-col gap-0.5">
                    <span className="break-all">{eventOf(row)}</span>
                    {detailsOf(row) && (
                      <span className="text-s text-muted">{detailsOf(row)?.slice(0, 200)}</span>
                    )}
                  </span>
                ),
              },
              {
                title: 'State',
                isNarrow: true,
                cell: (row) => <Status state={stateOf(row)} />,
              },
              {
                title: 'Time',
                isNarrow: true,
                cell: (row) => <RelativeTime at={timeOf(row)} />,
              },
              ...more,
            ]}
          />
        )
      }
    </Loaded>
  );
}
