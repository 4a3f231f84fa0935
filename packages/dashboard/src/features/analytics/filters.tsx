import { visitorFilterNames } from '@docent/format/analytics/reports.ts';
import type { ReactNode } from 'react';
import { download } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar, FilterSelect } from '../../ui/filters.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { notifyFailure } from '../../ui/overlays/notify.ts';
import { FILTERS, filterWords, PERIODS, type Scope } from './analytics-query.ts';

interface FiltersProps {
  scope: Pick<Scope, 'days' | 'asked'> & Partial<Pick<Scope, 'kept'>>;
  setSearch: (change: object) => void;
  children?: ReactNode;
}

/** The period and the active filters, each with a button to remove it. */
export function Filters({ scope: { days, asked, kept = {} }, setSearch, children }: FiltersProps) {
  const values = { ...asked, ...kept };
  return (
    <FilterBar>
      <FilterSelect name="days" label="Period" value={String(days)} options={PERIODS} />
      {children}
      {[...FILTERS, ...visitorFilterNames].map((name) => {
        const value = values[name];
        if (value === undefined) return null;
        const { word, title } = filterWords(name, value);
        return (
          <Button
            key={name}
            icon="x"
            className="max-w-full"
            title={`Show every ${word}`}
            onClick={() => setSearch({ [name]: undefined })}
          >
            <span className="sr-only">Show every {word}, not only </span>
            <code className="truncate font-mono text-xs">{title}</code>
          </Button>
        );
      })}
    </FilterBar>
  );
}

const REPORTS = {
  pages: 'Pages',
  'traffic-by-day': 'Days',
  referrers: 'Sources',
  campaigns: 'Campaigns',
  machines: 'Machines',
  devices: 'Devices',
  languages: 'Languages',
  'missing-pages': 'Missing pages',
  groups: 'Groups of readers',
  searches: 'Searches',
};

/** Saves all rows of a report as a file; the page shows only the first ones. */
export function ExportMenu({ scope }: { scope: Scope }) {
  return (
    <Menu trigger={<Button icon="download">Export CSV</Button>}>
      {Object.entries(REPORTS).map(([report, title]) => (
        <MenuItem key={report} onSelect={() => saveReport(scope, report)}>
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Saves all rows of the report that a page is about as a file. */
export function ExportButton({ scope, report }: { scope: Scope; report: string }) {
  return (
    <Button icon="download" onClick={() => saveReport(scope, report)}>
      Export CSV
    </Button>
  );
}

async function saveReport(scope: Scope, report: string): Promise<void> {
  try {
    const query = new URLSearchParams({ report, ...scope.asked, ...scope.kept });
    await download(
      `/v1/analytics/${scope.projectId}/export?${query}`,
      `${report.replace('/', '-')}.csv`,
    );
  } catch (error) {
    notifyFailure('The report could not be saved', error);
  }
}
